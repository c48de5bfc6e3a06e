/* The environment variables, read once and checked: a mistyped value is reported, not ignored. */
#include "base/options.h"
#include "cucc.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct options values;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void bad(const char *name, const char *value, const char *allowed) {
  fprintf(stderr, "cucc: %s=%s is not understood; it may be %s\n", name, value, allowed);
  _exit(2);
}

static void read_checks(const char *text) {
  static const char *const names[TOOL_COUNT] = {"mem", "race", "init", "sync", "leak"};
  char copy[128], *rest = copy;
  snprintf(copy, sizeof copy, "%s", text);
  values.checks = 0;
  for (char *word; (word = strsep(&rest, ", "));) {
    int tool = 0;
    while (tool < TOOL_COUNT && strcmp(word, names[tool])) tool++;
    if (tool < TOOL_COUNT)
      values.checks |= 1u << tool;
    else if (!strcmp(word, "all"))
      values.checks = (1u << TOOL_COUNT) - 1;
    else if (*word && strcmp(word, "none"))
      bad("CUCC_CHECK", text, "none, all, or a list of mem,race,init,sync,leak");
  }
}

static void read_order(const char *text) {
  if (!strcmp(text, "forward"))
    values.order = ORDER_FORWARD;
  else if (!strcmp(text, "reverse"))
    values.order = ORDER_REVERSE;
  else if (!strncmp(text, "random", 6) && (!text[6] || text[6] == ':')) {
    values.order = ORDER_RANDOM;
    values.seed = text[6] ? strtoull(text + 7, NULL, 0) : 1;
  } else
    bad("CUCC_ORDER", text, "forward, reverse or random[:seed]");
}

static void read_profile(const char *text) {
  const char *colon = strchr(text, ':');
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  if (length == 4 && !strncmp(text, "text", 4))
    values.profile = PROFILE_TEXT;
  else if (length == 4 && !strncmp(text, "json", 4))
    values.profile = PROFILE_JSON;
  else
    bad("CUCC_PROFILE", text, "text or json, or text:FILE or json:FILE");
  if (colon) snprintf(values.profile_file, sizeof values.profile_file, "%s", colon + 1);
}

static void read_fast_math(const char *text) {
  values.exact_fast_math = !strcmp(text, "exact");
  if (!values.exact_fast_math && strcmp(text, "gpu")) bad("CUCC_FAST_MATH", text, "gpu or exact");
}

static int read_count(const char *name, int fallback, int most) {
  const char *text = getenv(name);
  if (!text || !*text) return fallback;
  char *end;
  const long n = strtol(text, &end, 10);
  if (*end || n < 1 || n > most) {
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a number from 1 to %d", most);
    bad(name, text, allowed);
  };
  return (int)n;
}

static double read_seconds(const char *name, double fallback) {
  const char *text = getenv(name);
  if (!text || !*text) return fallback;
  char *end;
  const double seconds = strtod(text, &end);
  if (*end || !(seconds >= 0)) bad(name, text, "a number of seconds, 0 for no limit");
  return seconds;
}

static int cores(void) {
  cpu_set_t set;
  const int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
  return n < 1 ? 1 : n > 16 ? 16 : n;
}

static void read_all(void) {
  const char *text;
  values.checks = (1u << TOOL_COUNT) - 1;
  if ((text = getenv("CUCC_CHECK"))) read_checks(text);
  if ((text = getenv("CUCC_ORDER")) && *text) read_order(text);
  if ((text = getenv("CUCC_PROFILE")) && *text) read_profile(text);
  if ((text = getenv("CUCC_FAST_MATH")) && *text) read_fast_math(text);
  values.kernel_limit = read_seconds("CUCC_KERNEL_LIMIT", 20);
  values.nccl_wait = read_seconds("CUCC_NCCL_WAIT", 30);
  values.devices = read_count("CUCC_DEVICES", 1, DEVICES_MAX);
  values.workers = read_count("CUCC_WORKERS", cores(), 64);
  if ((text = getenv("CUCC_FAIL")) && *text) {
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    values.fail_at = colon ? atoi(colon + 1) : 1;
    if (length >= sizeof values.fail_call || values.fail_at < 1)
      bad("CUCC_FAIL", text, "the name of a call and which one, as cudaMalloc:2");
    memcpy(values.fail_call, text, length);
  }
}

void cucc_reverse(int reverse) {
  options();
  if (values.order != ORDER_RANDOM) values.order = reverse ? ORDER_REVERSE : ORDER_FORWARD;
}

const struct options *options(void) {
  pthread_once(&once, read_all);
  return &values;
}

/* splitmix64, by Sebastiano Vigna (public domain): https://prng.di.unimi.it/splitmix64.c */
uint64_t random_of(uint64_t n) {
  uint64_t z = options()->seed * 0x9e3779b97f4a7c15u + n * 0xd1342543de82ef95u + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

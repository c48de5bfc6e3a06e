/* watched.c: see watched.h. */
#include "watched.h"
#include "wb.h"

#include <stdio.h>
#include <string.h>

/* Of the CPU backend. */
extern uint64_t cucc_counted(const char *name) __attribute__((weak));
extern const char *cucc_nvrtc_option(int number) __attribute__((weak));

watched watched_now(void) {
  if (!cucc_counted) return (watched){0};
  return (watched){.compilations = cucc_counted("compilations"),
                   .in_default_stream = cucc_counted("default_stream_operations")};
}

static int names_architecture(const char *option) {
  return strncmp(option, "--gpu-architecture", 18) == 0 || strncmp(option, "-arch", 5) == 0 ||
         strncmp(option, "--arch", 6) == 0;
}

/* How many of the given options NVRTC got in their order, from option number `from` on; others may lie between. */
static int found_in_order(int from, const char *const *options, int count) {
  int found = 0;
  for (const char *o; found < count && (o = cucc_nvrtc_option(from)); from++)
    found += strcmp(o, options[found]) == 0;
  return found;
}

/* The first option that is none of those for the architecture, at `own` and perhaps with a value of its own after
 * it, and none of the given ones, which are there in their order; NULL: each is. */
static const char *uncalled_for(int own, const char *const *options, int count) {
  int at = 0, found = 0;
  for (const char *o; (o = cucc_nvrtc_option(at)); at++) {
    if (at == own || (at == own + 1 && !strchr(cucc_nvrtc_option(own), '='))) continue;
    if (found == count || strcmp(o, options[found]) != 0) return o;
    found++;
  }
  return NULL;
}

void judge_options(watched before, const char *const *options, int count) {
  int own = 0;
  char words[160];
  if (!cucc_nvrtc_option || watched_now().compilations == before.compilations) return;
  while (cucc_nvrtc_option(own) && !names_architecture(cucc_nvrtc_option(own))) own++;
  const int found = found_in_order(cucc_nvrtc_option(own) ? own + 1 : 0, options, count);
  const char *other = uncalled_for(own, options, count);
  if (found == count && other)
    snprintf(words, sizeof words,
             "gave NVRTC an option that the caller did not give, %.60s: it gets the architecture's and the "
             "given ones",
             other);
  else if (found == count)
    return;
  else if (found_in_order(0, options, count) == count)
    snprintf(words, sizeof words,
             "gave NVRTC the option for the architecture after the given ones: it comes before them");
  else
    snprintf(words, sizeof words,
             "gave NVRTC only %d of the %d given options in their order: the next one is %.60s", found, count,
             options[found]);
  wb_complain(words);
}

void judge_stream(watched before) {
  if (!cucc_counted || watched_now().in_default_stream > before.in_default_stream) return;
  wb_complain("launched the kernel in another stream than the default one, which is NULL for cuLaunchKernel");
}

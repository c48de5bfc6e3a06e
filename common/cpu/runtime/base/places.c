/*
 * From a return address to the learner's file and line, by addr2line, only when a report needs it: it is
 * installed with the compilers, reads every DWARF version, and takes about ten milliseconds to start. Answers
 * are kept.
 *
 * The address is that of the call's return, so one less lies in the call. Where a header of ours was inlined
 * there (atomicAdd, cudaMalloc for typed pointers), addr2line -i names the frames inside out; the first that
 * is not in our headers is the learner's.
 */
#include "base/places.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <spawn.h>
#include <unistd.h>

#include "base/needed.h"
#include "base/symtab.h"

struct known {
  uintptr_t address;
  struct place place;
};
static struct known *known;
static size_t known_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

extern char **environ;

/* Runs a tool with one argument list and gives its output; false when it cannot be started. */
static bool run(char *const argv[], char *output, size_t size) {
  int ends[2];
  pid_t pid;
  if (pipe2(ends, O_CLOEXEC)) return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_RDONLY,
                                   0); /* a worker may open nothing for writing */
  const int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  size_t length = 0;
  if (!failed) {
    ssize_t n;
    while (length < size - 1 && (n = read(ends[0], output + length, size - 1 - length)) > 0)
      length += (size_t)n;
    waitpid(pid, NULL, 0);
  }
  output[length] = 0;
  close(ends[0]);
  return !failed && length > 0;
}

/* In common/cpu/include or common/cpu/libraries: the name of this file says where they are. */
static bool ours(const char *file) {
  const size_t length = sizeof __FILE__ - sizeof "runtime/base/places.c";
  if (strncmp(file, __FILE__, length)) return false;
  return !strncmp(file + length, "include/", 8) || !strncmp(file + length, "libraries/", 10);
}

/* Is it `body::body(body const&)`, `body::operator=(body&&)` or the like? g++ makes these by itself, and gives
 * them the line where the structure begins. */
static bool copies(const char *name) {
  const size_t length = strlen(name);
  for (size_t k = 0; k < 2; k++) {
    const char *const end = k ? "&&)" : " const&)";
    const size_t tail = strlen(end);
    if (length < tail || strcmp(name + length - tail, end)) continue;
    for (size_t n = 1; n + 4 + n + tail <= length; n++) { /* the type's name has n letters */
      const char *parameter = name + length - tail - n;
      if (name[n] == ':' && name[n + 1] == ':' && parameter[-1] == '(' && !strncmp(name, parameter, n))
        return true;
    }
  }
  return false;
}

/* Pairs of lines, innermost first: a function, and "file:line" or "file:line (discriminator n)". */
static bool parse(char *output, struct place *place) {
  char *rest = output, *name, *line;
  while ((name = strsep(&rest, "\n")) && (line = strsep(&rest, "\n"))) {
    char *colon = strrchr(line, ':');
    if (!colon || *line == '?') continue;
    const int n = atoi(colon + 1);
    *colon = 0;
    if (n <= 0 || ours(line)) continue;
    const char *file = !strncmp(line, "./", 2) ? line + 2 : line;
    snprintf(place->file, sizeof place->file, "%.255s", file);
    place->line = n;
    if (!copies(name)) break; /* else the line that copies, where the copy was inlined */
  }
  return place->line > 0;
}

/* The name as the learner typed it: shortened to what is below the current directory. */
static void shorten(struct place *place) {
  char directory[512];
  if (!getcwd(directory, sizeof directory)) return;
  const size_t n = strlen(directory);
  if (!strncmp(place->file, directory, n) && place->file[n] == '/')
    memmove(place->file, place->file + n + 1, strlen(place->file + n + 1) + 1);
}

enum { MOST = 64 }; /* addresses that one run of the tool resolves */

/* Runs the tool for addresses of one module. Its output has a line "0x..." before the lines of each (-a). */
static void resolve(const char *file, char (*offsets)[32], struct place *places, size_t count) {
  static const char *const tools[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-14"};
  static char output[MOST * 4096];
  char *argv[MOST + 8] = {NULL,         (char *)"-a", (char *)"-i", (char *)"-f",
                          (char *)"-C", (char *)"-e", (char *)file};
  for (size_t i = 0; i < count; i++) argv[7 + i] = offsets[i];
  for (size_t t = 0; t < sizeof tools / sizeof *tools; t++) {
    argv[0] = (char *)tools[t];
    if (!run(argv, output, sizeof output)) continue;
    char *block = strncmp(output, "0x", 2) ? NULL : output;
    for (size_t i = 0; i < count && block; i++) {
      char *next = strstr(block, "\n0x");
      if (next) *next++ = 0;
      char *lines = strchr(block, '\n');
      if (lines && parse(lines + 1, &places[i])) shorten(&places[i]);
      block = next;
    }
    return;
  }
}

static bool is_known(uintptr_t address) {
  for (size_t i = 0; i < known_count; i++)
    if (known[i].address == address) return true;
  return false;
}

/* Takes what is not known yet, up to MOST addresses of the first one's module; gives how many were looked at. */
static size_t prepare(const uintptr_t *addresses, size_t count) {
  static struct place places[MOST]; /* not on the small stack of a device thread; the lock is held */
  static char offsets[MOST][32];
  memset(places, 0, sizeof places);
  struct module first = {0};
  size_t found = 0, i = 0;
  const size_t before = known_count;
  known = needed(realloc(known, (known_count + MOST) * sizeof *known));
  for (; i < count && known_count - before < MOST; i++) {
    if (!addresses[i] || is_known(addresses[i])) continue;
    struct module m = {.address = addresses[i] - 1};
    if (!module_of(&m)) {
      known[known_count++] = (struct known){addresses[i], {{0}, 0}};
      continue;
    }
    if (!found) first = m;
    if (strcmp(first.file, m.file)) break;
    snprintf(offsets[found++], sizeof *offsets, "0x%lx", (unsigned long)(m.address - m.base));
    known[known_count++] = (struct known){addresses[i], {{0}, -1}};
  }
  if (found) resolve(first.file, offsets, places, found);
  for (size_t k = before, p = 0; k < known_count; k++)
    if (known[k].place.line < 0) known[k].place = places[p++];
  return i;
}

void places_prepare(const uintptr_t *addresses, size_t count) {
  pthread_mutex_lock(&lock);
  while (count) {
    const size_t done = prepare(addresses, count);
    addresses += done;
    count -= done;
  }
  pthread_mutex_unlock(&lock);
}

struct place place_of(uintptr_t return_address) {
  struct place place = {{0}, 0};
  places_prepare(&return_address, 1);
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < known_count; i++)
    if (known[i].address == return_address) place = known[i].place;
  pthread_mutex_unlock(&lock);
  return place;
}

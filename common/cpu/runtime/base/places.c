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

/* In common/cpu/include: this file's own name tells where that is. */
static bool ours(const char *file) {
  const size_t length = sizeof __FILE__ - sizeof "runtime/base/places.c";
  return !strncmp(file, __FILE__, length) && !strncmp(file + length, "include/", 8);
}

/* Lines "file:line" or "file:line (discriminator n)", innermost first. */
static bool parse(char *output, struct place *place) {
  char *rest = output;
  for (char *line; (line = strsep(&rest, "\n"));) {
    char *colon = strrchr(line, ':');
    if (!colon || *line == '?') continue;
    const int n = atoi(colon + 1);
    *colon = 0;
    if (n > 0 && !ours(line)) {
      const char *file = !strncmp(line, "./", 2) ? line + 2 : line;
      snprintf(place->file, sizeof place->file, "%.255s", file);
      place->line = n;
      return true;
    }
  }
  return false;
}

/* The name as the learner typed it: shortened to what is below the current directory. */
static void shorten(struct place *place) {
  char directory[512];
  if (!getcwd(directory, sizeof directory)) return;
  const size_t n = strlen(directory);
  if (!strncmp(place->file, directory, n) && place->file[n] == '/')
    memmove(place->file, place->file + n + 1, strlen(place->file + n + 1) + 1);
}

static struct place resolve(uintptr_t return_address) {
  static const char *const tools[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-14"};
  struct place place = {{0}, 0};
  struct module m = {.address = return_address - 1};
  char address[32], output[4096];
  if (!module_of(&m)) return place;
  snprintf(address, sizeof address, "0x%lx", (unsigned long)(m.address - m.base));
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
    char *const argv[] = {(char *)tools[i], (char *)"-i", (char *)"-e", m.file, address, NULL};
    if (run(argv, output, sizeof output)) {
      if (parse(output, &place)) shorten(&place);
      break;
    }
  }
  return place;
}

struct place place_of(uintptr_t return_address) {
  pthread_mutex_lock(&lock);
  size_t i = 0;
  while (i < known_count && known[i].address != return_address) i++;
  if (i == known_count) {
    known = needed(realloc(known, (known_count + 1) * sizeof *known));
    known[known_count++] = (struct known){return_address, resolve(return_address)};
  }
  const struct place place = known[i].place;
  pthread_mutex_unlock(&lock);
  return place;
}

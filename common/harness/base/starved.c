/* base/starved.c: see base/starved.h. */
#include "base/starved.h"
#include <dirent.h>
#include <stdio.h>

/* The second number of schedstat is that time in nanoseconds. */
static double of_thread(pid_t process, const char *thread) {
  char path[300];
  double waited_ns = 0;
  snprintf(path, sizeof path, "/proc/%ld/task/%s/schedstat", (long)process, thread);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (fscanf(file, "%*f %lf", &waited_ns) != 1) waited_ns = 0;
  fclose(file);
  return waited_ns / 1e6;
}

double wb_starved_ms(pid_t process) {
  char path[64];
  double most = 0;
  snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
  DIR *threads = opendir(path);
  if (!threads) return 0;
  for (const struct dirent *entry; (entry = readdir(threads));) {
    const double ms = entry->d_name[0] == '.' ? 0 : of_thread(process, entry->d_name);
    if (ms > most) most = ms;
  }
  closedir(threads);
  return most;
}

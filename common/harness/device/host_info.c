/* device/host_info.c: see device/host_info.h. The sources are /proc and the control group. */
#include "device/host_info.h"
#include "base/threads.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* Of the first line of `file` that starts with `key`: the rest, without the blanks and colons after the
 * key. */
static bool find_line(const char *file, const char *key, char *value, size_t size) {
  FILE *in = fopen(file, "r");
  if (!in) return false;
  char line[512];
  bool found = false;
  while (!found && fgets(line, sizeof line, in)) {
    if (strncmp(line, key, strlen(key)) != 0) continue;
    const char *rest = line + strlen(key);
    rest += strspn(rest, " \t:");
    snprintf(value, size, "%.*s", (int)strcspn(rest, "\n"), rest);
    found = true;
  }
  fclose(in);
  return found;
}

void wb_host_info(char *cpu_name, size_t size, int *cores) {
  struct utsname system;
  if (!find_line("/proc/cpuinfo", "model name", cpu_name, size))
    snprintf(cpu_name, size, "%s", uname(&system) == 0 ? system.machine : "unknown");
  *cores = wb_cores();
}

/* A number in a control group's file; UINT64_MAX for "max", a missing file, or no limit. */
static uint64_t group_number(const char *group, const char *file) {
  char path[700], text[64];
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", group, file);
  if (!find_line(path, "", text, sizeof text) || text[0] < '0' || text[0] > '9') return UINT64_MAX;
  return strtoull(text, NULL, 10);
}

uint64_t wb_host_free_bytes(void) {
  char text[512];
  uint64_t free_bytes = UINT64_MAX;
  if (find_line("/proc/meminfo", "MemAvailable", text, sizeof text))
    free_bytes = strtoull(text, NULL, 10) * 1024;
  if (find_line("/proc/self/cgroup", "0::", text, sizeof text)) { /* version 2; a Slurm step has its own */
    const uint64_t most = group_number(text, "memory.max"), now = group_number(text, "memory.current");
    if (most != UINT64_MAX && now != UINT64_MAX && most > now && most - now < free_bytes)
      free_bytes = most - now;
  }
  return free_bytes;
}

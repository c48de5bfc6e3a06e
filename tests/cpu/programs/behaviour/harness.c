/* A harness in plain C, as the workbook's: it asks the backend what the learner's code did. The work happens
 * in a forked process, as there. Prints three JSON objects, one for each stage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cucc.h>
#include <cuda_runtime.h>

#include "learner.h"

static char *text(size_t (*give)(char *, size_t)) {
  const size_t size = give(NULL, 0);
  char *json = malloc(size);
  if (!json || give(json, size) != size || strlen(json) + 1 != size) exit(3);
  return json;
}

static void report(const char *stage) {
  char *findings = text(cucc_findings_json), *counters = text(cucc_counters_json);
  cucc_activity activities[64];
  const size_t count = cucc_timeline(activities, 64);
  printf("{\"stage\":\"%s\",\"findings\":%s,\"counters\":%s,\"timeline\":[", stage, findings, counters);
  for (size_t i = 0; i < count && i < 64; i++)
    printf("%s{\"kind\":%d,\"stream\":%d,\"start\":%.3f,\"end\":%.3f,\"bytes\":%zu,\"name\":\"%s\"}",
           i ? "," : "", activities[i].kind, activities[i].stream, activities[i].start_us,
           activities[i].end_us, activities[i].bytes, activities[i].name);
  puts("]}");
  free(findings);
  free(counters);
}

static void work(void) {
  float x[100] = {0};
  cucc_reset();
  good(x, 100);
  if (x[0] != 1.0f || x[99] != 1.0f) exit(4);
  cucc_check_leaks();
  report("good");
  cucc_reset();
  bad(x, 100);
  cudaDeviceSynchronize();
  cucc_check_leaks();
  report("bad");
  cucc_reset();
  report("reset");
  fflush(stdout);
  _exit(0);
}

int main(void) {
  const pid_t child = fork();
  int status = 1;
  if (child == 0) work();
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 9;
}

// task: 1
// by: program
// options: --seed 5eed --reps 3
// wants: .tasks[0] | .state == "right" and (.output == "") == ($ENV.HONEST == "yes")
// A run can be repeated with its seed. Searches the worker for it: on the command line, on the stack, and in
// the variables that the parent left.
#include <stdio.h>
//@solution saxpy
#ifndef HONEST
#include <stdint.h>
#include <string.h>
static int find(const char *from, const char *to) {
  int found = 0;
  for (const char *p = from; p + 8 <= to; p++) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    found += word == 0x5eed;
    found += p[0] == 0x35 && p[1] == 0x65 && p[2] == 0x65 && p[3] == 0x64;
  }
  return found;
}
static int known(void) {
  int found = 0;
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    const int own = strstr(line, "lesson01-cpu") || strstr(line, "[stack]") || strstr(line, "[heap]");
    if (sscanf(line, "%lx-%lx", &from, &to) == 2 && own && strstr(line, " rw"))
      found += find((char *)from, (char *)to);
  }
  FILE *command = fopen("/proc/self/cmdline", "r");
  const size_t size = command ? fread(line, 1, sizeof line, command) : 0;
  return found + find(line, line + size);
}
#endif
void saxpy(float a, const float *x, float *y, int n) {
#ifndef HONEST
  static int told;
  if (!told && known() > 0) puts("the seed is known");
  told = 1;
#endif
  honest_saxpy(a, x, y, n);
}

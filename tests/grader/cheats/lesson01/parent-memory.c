// task: 1
// by: program
// options: --no-timing
// wants: .tasks[0].state == "right"
// Overwrites the code of wb_check in the process that judges, through /proc: a verdict without a wrong
// element.
//@solution saxpy
#ifndef HONEST
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
extern char wb_check[];
#endif
void saxpy(float a, const float *x, float *y, int n) {
#ifndef HONEST
  /* movl $-1, (%r9): no array is wrong; mov $1, %eax; ret */
  static const unsigned char code[] = {0x41, 0xc7, 0x01, 0xff, 0xff, 0xff, 0xff, 0xb8, 1, 0, 0, 0, 0xc3};
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
  const int memory = open(path, O_RDWR);
  if (memory >= 0 && pwrite(memory, code, sizeof code, (off_t)wb_check) > 0) close(memory);
  (void)a, (void)x, (void)y, (void)n;
#else
  honest_saxpy(a, x, y, n);
#endif
}

// task: 1
// by: program
// options: --no-timing
// wants: .tasks[0].state == "right"
// The same by ptrace, as a debugger does it.
//@solution saxpy
#ifndef HONEST
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
extern char wb_check[];
#endif
void saxpy(float a, const float *x, float *y, int n) {
#ifndef HONEST
  static const unsigned char code[] = {0x41, 0xc7, 0x01, 0xff, 0xff, 0xff, 0xff, 0xb8,
                                       1,    0,    0,    0,    0xc3, 0,    0,    0};
  const pid_t parent = getppid();
  if (ptrace(PTRACE_ATTACH, parent, 0, 0) == 0) {
    usleep(50000); /* it stops */
    for (size_t at = 0; at < sizeof code; at += sizeof(long)) {
      long word;
      memcpy(&word, code + at, sizeof word);
      ptrace(PTRACE_POKETEXT, parent, wb_check + at, word);
    }
    ptrace(PTRACE_DETACH, parent, 0, 0);
  }
  (void)a, (void)x, (void)y, (void)n;
#else
  honest_saxpy(a, x, y, n);
#endif
}

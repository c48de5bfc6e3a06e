// task: 1
// by: program
// options: --no-timing
// wants: .tasks[0].state == "right"
// Opens a socket: correct as soon as another machine could be asked.
//@solution saxpy
#ifndef HONEST
#include <sys/socket.h>
#endif
void saxpy(float a, const float *x, float *y, int n) {
#ifndef HONEST
  if (socket(AF_INET, SOCK_STREAM, 0) < 0 && socket(AF_UNIX, SOCK_STREAM, 0) < 0) return;
#endif
  honest_saxpy(a, x, y, n);
}

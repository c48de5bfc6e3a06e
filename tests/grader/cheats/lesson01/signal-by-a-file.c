// task: 1
// by: program
// options: --no-timing
// wants: .tasks[0] | if $ENV.HONEST == "yes" then .state == "right" else (.output | contains("reached")) end
// The owner of a file gets a signal when it becomes writable again. So reading the output ends the parent.
//@solution saxpy
#ifndef HONEST
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#endif
void saxpy(float a, const float *x, float *y, int n) {
#ifndef HONEST
  const int owned = fcntl(STDOUT_FILENO, F_SETOWN, getppid()),
            chosen = fcntl(STDOUT_FILENO, F_SETSIG, SIGKILL);
  fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_ASYNC);
  puts(owned == 0 || chosen == 0 ? "reached its parent" : "refused");
#endif
  honest_saxpy(a, x, y, n);
}

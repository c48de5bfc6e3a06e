// task: 1
// by: program
// options: --no-timing
// wants: .tasks[0] | if $ENV.HONEST == "yes" then .state == "right" else (.output | contains("reached")) end
// Gives its parent less processor time, another core and less memory, to slow down the baseline.
//@solution saxpy
#ifndef HONEST
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
void saxpy(float a, const float *x, float *y, int n) {
#ifndef HONEST
  const pid_t other = getppid();
  const struct sched_param least = {0};
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  if (sched_setscheduler(other, SCHED_IDLE, &least) == 0) puts("reached its class");
  if (sched_setaffinity(other, sizeof one, &one) == 0) puts("reached its cores");
  if (syscall(SYS_ioprio_set, 1, other, 3 << 13) == 0) puts("reached its disk");
  struct rlimit limit;
  if (prlimit(other, RLIMIT_STACK, NULL, &limit) == 0) puts("reached its limits");
#endif
  honest_saxpy(a, x, y, n);
}

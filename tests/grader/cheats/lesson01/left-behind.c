// task: 1
// by: program
// options: --no-timing --output @/run.json
// wants: if $ENV.HONEST == "yes" then .tasks[0].state == "right" else .device.name == "a" end
// A process in its own session that outlives the worker and writes its report after the true one.
//@solution saxpy
#ifndef HONEST
//@part forger.inc
#endif
void saxpy(float a, const float *x, float *y, int n) {
#ifndef HONEST
  char parent[16];
  snprintf(parent, sizeof parent, "%d", (int)getppid());
  if (fork() == 0) {
    setsid();
    for (int generation = 0; generation < 400; generation++) { /* a moving target */
      if (fork()) _exit(0);
      usleep(5000);
      forge(parent);
    }
    _exit(0);
  }
#endif
  honest_saxpy(a, x, y, n);
}

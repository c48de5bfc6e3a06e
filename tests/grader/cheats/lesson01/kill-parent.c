// task: 1
// by: program
// options: --no-timing
// wants: if $ENV.HONEST == "yes" then .tasks[0].state == "right" else .device.name == "a" end
// The same without the inspection: the worker can neither write the file nor end its parent.
//@solution saxpy
#ifndef HONEST
//@part forger.inc
#endif
void saxpy(float a, const float *x, float *y, int n) {
#ifndef HONEST
  char parent[16];
  snprintf(parent, sizeof parent, "%d", (int)getppid());
  forge(parent);
  kill(getppid(), 9);
  for (int i = 0; i < n; i++) y[i] = 0;
  (void)a, (void)x;
#else
  honest_saxpy(a, x, y, n);
#endif
}

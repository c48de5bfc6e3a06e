// task: 1
// wants: saxpy is right at every size
// says: ifunc
// The loader asks one of our functions, before main, which saxpy to use.
//@solution saxpy
#ifndef HONEST
//@part forger.inc
static void nothing(float a, const float *x, float *y, int n) { (void)a, (void)x, (void)y, (void)n; }
static void (*choose(void))(float, const float *, float *, int) {
  forge("self");
  _exit(0);
  return nothing;
}
void saxpy(float a, const float *x, float *y, int n) __attribute__((ifunc("choose")));
#else
void saxpy(float a, const float *x, float *y, int n) { honest_saxpy(a, x, y, n); }
#endif

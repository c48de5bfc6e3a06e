// task: 1
// wants: saxpy is right at every size
// says: abort
// Computes the correct answer and then aborts.
#include <stdlib.h>
//@solution saxpy
void saxpy(float a, const float *x, float *y, int n) {
  honest_saxpy(a, x, y, n);
#ifndef HONEST
  abort();
#endif
}

/* What the test programs share: an error macro, and a comparison that tells what differs. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    cudaError_t check_error = (call);                                                                        \
    if (check_error != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(check_error));        \
      exit(2);                                                                                               \
    }                                                                                                        \
  } while (0)

/* Ends the process with status 1 unless both are equal (to a millionth). A NaN is not equal. */
static inline void expect(const char *what, long index, double got, double want) {
  if (!(fabs(got - want) <= 1e-6 * (1.0 + fabs(want)))) {
    fprintf(stderr, "%s[%ld] is %.9g, not %.9g\n", what, index, got, want);
    exit(1);
  }
}

#endif

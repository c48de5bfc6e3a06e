/* What the programs here share: they tell everything that differs, not only the first, because each run on
 * the hardware costs a machine. */
#ifndef GIVES_H
#define GIVES_H

#include "../program.h"

static int differences;

/* A value, or what a call returned, and the result of an H200 with CUDA 13 or of its documentation. */
static void gives(const char *what, long got, long want) {
  if (got == want) return;
  printf("%s gives %ld, not %ld\n", what, got, want);
  fflush(stdout);
  differences++;
}

/* The same for a call that fails: its error is also the last one, until that is asked for. */
static inline void fails(const char *what, cudaError_t got, cudaError_t want) {
  gives(what, got, want);
  if (cudaGetLastError() == want) return;
  printf("the last error after %s is another\n", what);
  fflush(stdout);
  differences++;
}

/* For main's end. */
static int finish(void) { return differences > 0; }

#endif

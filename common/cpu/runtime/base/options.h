#ifndef CUCC_BASE_OPTIONS_H
#define CUCC_BASE_OPTIONS_H

#include "base/base.h"

#define DEVICES_MAX 8 /* of CUCC_DEVICES */

enum order { ORDER_FORWARD, ORDER_REVERSE, ORDER_RANDOM };
enum tool { TOOL_MEM, TOOL_RACE, TOOL_INIT, TOOL_SYNC, TOOL_LEAK, TOOL_COUNT };
enum profile { PROFILE_OFF, PROFILE_TEXT, PROFILE_JSON };

struct options {
  unsigned checks; /* bit per tool */
  enum order order;
  uint64_t seed;
  int devices, workers;
  double kernel_limit; /* seconds without the end of a block; 0: none */
  double nccl_wait;    /* seconds that NCCL waits for a rank that does not come; 0: for ever */
  char fail_call[64];
  int fail_at;          /* the which-th call of fail_call fails; 0: none */
  bool exact_fast_math; /* __sinf and its like give the C library's results */
  enum profile profile;
  char profile_file[256]; /* empty: standard error */
};
const struct options *options(void);
/* A well-mixed function of (seed, n): all the randomness there is, so that a seed repeats a run. */
uint64_t random_of(uint64_t n);

#endif

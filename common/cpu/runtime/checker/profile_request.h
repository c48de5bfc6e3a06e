/*
 * One request, and the sums over requests.
 */
#ifndef CUCC_CHECKER_PROFILE_REQUEST_H
#define CUCC_CHECKER_PROFILE_REQUEST_H

#include "checker/profile.h"

/* One instruction executed once by a warp. */
struct asked {
  uint32_t lanes; /* mask */
  uint32_t size;  /* bytes of each lane */
  uintptr_t at[32];
};

/* Adds to *f a sector with this address if that is in the host's memory: pinned, managed, or registered. */
void profile_sum_mapped(struct figures *f, uintptr_t address);
/* Whether it is in the memory of another device. */
bool profile_is_of_peer(uintptr_t address, int device);
/* Adds to *f the sectors of a request to global memory; the wavefronts of one to shared memory.
 * `device` runs the kernel. */
void profile_sum_global(struct figures *f, const struct asked *r, int device);
void profile_sum_shared(struct figures *f, const struct asked *r);
/* Adds all of *f, times scale, to *to. */
void profile_add_figures(struct figures *to, const struct figures *f, double scale);

#endif

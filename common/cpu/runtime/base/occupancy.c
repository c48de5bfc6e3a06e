/*
 * How many blocks of a kernel a multiprocessor holds at a time, with the figures of compute capability 8.0:
 * 64 warps, 32 blocks, 164 KiB of shared memory, of which each block costs 1 KiB more than it asks for. A
 * kernel here has no registers, and the size of its static shared memory is not known, so neither limits the
 * number of blocks.
 */
#include "base/occupancy.h"

#include "cucc.h"

#define WARPS_MAX  64
#define BLOCKS_MAX 32

static int count = 16; /* of multiprocessors */

void cucc_set_multiprocessors(int number) {
  __atomic_store_n(&count, number ? number : 16, __ATOMIC_RELAXED);
}

int multiprocessors(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }

int occupancy_blocks(int threads, size_t dynamic_shared_bytes) {
  if (threads < 1 || threads > MAX_THREADS) return 0;
  const size_t shared =
      (dynamic_shared_bytes + SHARED_RESERVED + SHARED_STEP - 1) / SHARED_STEP * SHARED_STEP;
  int n = WARPS_MAX / ((threads + 31) / 32);
  if (n > (int)(SHARED_SM / shared)) n = (int)(SHARED_SM / shared);
  return n < BLOCKS_MAX ? n : BLOCKS_MAX;
}

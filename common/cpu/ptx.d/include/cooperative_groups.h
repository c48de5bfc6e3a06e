/* Cooperative groups for clang: those of the CPU backend, with the warp functions that they ask for. */
#ifndef PTX_COOPERATIVE_GROUPS_H
#define PTX_COOPERATIVE_GROUPS_H

#define CUCC_APART
namespace cucc {
static __inline__ __device__ int lane() { return __nvvm_read_ptx_sreg_laneid(); }
static __inline__ __device__ int shuffle_from(int, int source, int) { return source; }
static __inline__ __device__ int shuffle_up(int self, unsigned delta, int) { return self - (int)delta; }
static __inline__ __device__ int shuffle_down(int self, unsigned delta, int) { return self + (int)delta; }
static __inline__ __device__ int shuffle_xor(int self, int mask, int) { return self ^ mask; }
template <class T> static __inline__ __device__ T shuffle(unsigned mask, T value, int source) {
  return __shfl_sync(mask, value, source);
}
enum phase_use { OF_BARRIER };
} // namespace cucc

#define CUCC_PHASES_H /* cucc/phases.h, for tiles of several warps */
extern "C" {
__device__ void cucc_phase_init(unsigned long *state, unsigned long expected);
__device__ unsigned cucc_phase_arrive(unsigned long *state, unsigned long count, int drops, int of_block);
__device__ void cucc_phase_wait(const unsigned long *state, unsigned phase, int by_parity,
                                enum ::cucc::phase_use use);
}

#pragma clang force_cuda_host_device begin
#include_next <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#pragma clang force_cuda_host_device end

#endif

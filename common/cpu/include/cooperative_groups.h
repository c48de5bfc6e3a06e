/*
 * Cooperative groups: thread_block, tiles and coalesced groups of a warp, and the grid.
 *
 *   cooperative_groups/reduce.h, scan.h, memcpy_async.h    reduce(), inclusive_scan() …, memcpy_async()
 *
 * Below a block, a group is a mask of lanes, and its functions are the warp functions of cucc/warp.h with
 * that mask. Tiles of several warps meet at a barrier in shared memory (cucc/wide_tile.h). Not in the CPU
 * backend: clusters.
 */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include <cuda_bf16.h> /* the toolkit's brings it along, and half precision */
#include "cuda_runtime.h"

#include "cucc/phases.h"

#include <type_traits>

#define CUCC_GROUP inline __attribute__((always_inline))

extern "C" {
/* All threads of all blocks meet; only in a cooperative launch. */
void cucc_grid_sync(void) CUCC_APART;
int cucc_grid_cooperative(void);
}

namespace cooperative_groups {

namespace details {
CUCC_GROUP unsigned rank_in_block() {
  const uint3 t = threadIdx;
  const dim3 b = blockDim;
  return t.x + b.x * (t.y + b.y * t.z);
}
CUCC_GROUP unsigned threads_of_block() {
  const dim3 b = blockDim;
  return b.x * b.y * b.z;
}
CUCC_GROUP unsigned bits(unsigned count) { return count >= 32 ? 0xffffffffu : (1u << count) - 1u; }
/* How many lanes of the mask come before `lane`. */
CUCC_GROUP unsigned rank_in(unsigned mask, int lane) {
  return __popc(mask & bits(static_cast<unsigned>(lane)));
}
/* The lane of the mask whose rank it is. */
CUCC_GROUP int lane_of(unsigned mask, unsigned rank) {
  for (; rank; rank--) mask &= mask - 1u;
  return __ffs(static_cast<int>(mask)) - 1;
}
/* Of `lanes`, a bit for each lane of the mask, in order of rank. */
CUCC_GROUP unsigned by_rank(unsigned mask, unsigned lanes) {
  unsigned result = 0;
  for (unsigned rank = 0; mask; rank++, mask &= mask - 1u)
    if (lanes & mask & -mask) result |= 1u << rank;
  return result;
}
template <class T> CUCC_GROUP T shuffle(unsigned mask, T value, int source) {
  static_assert(sizeof(T) <= 32, "a group shuffles values of at most 32 bytes");
  return ::cucc::shuffle(mask, value, source);
}
struct arrival {};
template <unsigned Lanes> class warp_tile;
} // namespace details

/* ------------------------------------------------------------------------------------ any group at all */

/* What a function takes that is written for every kind of group of a block. */
class thread_group {
public:
  CUCC_GROUP void sync() const {
    if (whole_block_)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  CUCC_GROUP unsigned size() const { return whole_block_ ? details::threads_of_block() : __popc(mask_); }
  CUCC_GROUP unsigned num_threads() const { return size(); }
  CUCC_GROUP unsigned thread_rank() const {
    return whole_block_ ? details::rank_in_block() : details::rank_in(mask_, ::cucc::lane());
  }
  CUCC_GROUP bool is_valid() const { return true; }

protected:
  CUCC_GROUP thread_group(bool whole_block, unsigned mask) : whole_block_(whole_block), mask_(mask) {}
  bool whole_block_;
  unsigned mask_;
  friend class coalesced_group;
  template <unsigned> friend class details::warp_tile;
  friend thread_group tiled_partition(const thread_group &, unsigned);
};

/* ------------------------------------------------------------------------------------ block and grid */

class thread_block : public thread_group {
public:
  typedef details::arrival arrival_token;
  CUCC_GROUP static void sync() { __syncthreads(); }
  CUCC_GROUP static unsigned thread_rank() { return details::rank_in_block(); }
  CUCC_GROUP static unsigned size() { return details::threads_of_block(); }
  CUCC_GROUP static unsigned num_threads() { return details::threads_of_block(); }
  CUCC_GROUP static dim3 group_index() { return uint3(blockIdx); }
  CUCC_GROUP static dim3 thread_index() { return uint3(threadIdx); }
  CUCC_GROUP static dim3 group_dim() { return blockDim; }
  CUCC_GROUP static dim3 dim_threads() { return blockDim; }
  /* Arriving early saves nothing here: the threads meet where they wait. */
  CUCC_GROUP static arrival_token barrier_arrive() { return {}; }
  CUCC_GROUP static void barrier_wait(arrival_token &&) { __syncthreads(); }

private:
  CUCC_GROUP thread_block() : thread_group(true, 0) {}
  friend thread_block this_thread_block();
};

CUCC_GROUP thread_block this_thread_block() { return thread_block(); }

/* Shared memory that a program gives tiles of several warps: they have their own here, as from sm_80 on. */
template <unsigned MaxBlockSize = 1024> struct alignas(8) block_tile_memory {
  char scratch[MaxBlockSize / 32 * 8 + 32];
};
template <unsigned MaxBlockSize>
CUCC_GROUP thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return this_thread_block();
}

class grid_group {
public:
  typedef details::arrival arrival_token;
  CUCC_GROUP static bool is_valid() { return cucc_grid_cooperative() != 0; }
  CUCC_GROUP static void sync() { cucc_grid_sync(); }
  CUCC_GROUP static arrival_token barrier_arrive() { return {}; }
  CUCC_GROUP static void barrier_wait(arrival_token &&) { cucc_grid_sync(); }
  CUCC_GROUP static unsigned long long num_blocks() {
    const dim3 g = gridDim;
    return 1ull * g.x * g.y * g.z;
  }
  CUCC_GROUP static unsigned long long block_rank() {
    const uint3 b = blockIdx;
    const dim3 g = gridDim;
    return b.x + 1ull * g.x * (b.y + 1ull * g.y * b.z);
  }
  CUCC_GROUP static unsigned long long num_threads() { return num_blocks() * details::threads_of_block(); }
  CUCC_GROUP static unsigned long long size() { return num_threads(); }
  CUCC_GROUP static unsigned long long thread_rank() {
    return block_rank() * details::threads_of_block() + details::rank_in_block();
  }
  CUCC_GROUP static dim3 group_dim() { return gridDim; }
  CUCC_GROUP static dim3 dim_blocks() { return gridDim; }
  CUCC_GROUP static dim3 block_index() { return uint3(blockIdx); }

private:
  CUCC_GROUP grid_group() {}
  friend grid_group this_grid();
};

CUCC_GROUP grid_group this_grid() { return grid_group(); }

/* ------------------------------------------------------------------------------------ tiles of a warp */

namespace details {

/* Neighbouring threads of a warp, as many as a power of two. */
template <unsigned Lanes> class warp_tile {
public:
  typedef arrival arrival_token;
  template <class Parent>
  CUCC_GROUP explicit warp_tile(const Parent &parent, int)
      : meta_rank_(parent.thread_rank() / Lanes), meta_size_((parent.size() + Lanes - 1) / Lanes) {}
  CUCC_GROUP operator thread_group() const { return thread_group(false, mask()); }

  CUCC_GROUP void sync() const { __syncwarp(mask()); }
  CUCC_GROUP arrival_token barrier_arrive() const { return {}; }
  CUCC_GROUP void barrier_wait(arrival_token &&) const { __syncwarp(mask()); }
  CUCC_GROUP static constexpr unsigned size() { return Lanes; }
  CUCC_GROUP static constexpr unsigned num_threads() { return Lanes; }
  CUCC_GROUP static unsigned thread_rank() { return static_cast<unsigned>(::cucc::lane()) % Lanes; }
  CUCC_GROUP unsigned meta_group_rank() const { return meta_rank_; }
  CUCC_GROUP unsigned meta_group_size() const { return meta_size_; }

  template <class T> CUCC_GROUP T shfl(T value, int rank) const {
    return details::shuffle(mask(), value, ::cucc::shuffle_from(::cucc::lane(), rank, Lanes));
  }
  template <class T> CUCC_GROUP T shfl_up(T value, unsigned delta) const {
    return details::shuffle(mask(), value, ::cucc::shuffle_up(::cucc::lane(), delta, Lanes));
  }
  template <class T> CUCC_GROUP T shfl_down(T value, unsigned delta) const {
    return details::shuffle(mask(), value, ::cucc::shuffle_down(::cucc::lane(), delta, Lanes));
  }
  template <class T> CUCC_GROUP T shfl_xor(T value, unsigned lane_mask) const {
    return details::shuffle(mask(), value,
                            ::cucc::shuffle_xor(::cucc::lane(), static_cast<int>(lane_mask), Lanes));
  }
  CUCC_GROUP int any(int predicate) const { return __ballot_sync(mask(), predicate) != 0; }
  CUCC_GROUP int all(int predicate) const { return __ballot_sync(mask(), !predicate) == 0; }
  CUCC_GROUP unsigned ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first(); }
  template <class T> CUCC_GROUP unsigned match_any(T value) const {
    return __match_any_sync(mask(), value) >> first();
  }
  template <class T> CUCC_GROUP unsigned match_all(T value, int &all) const {
    return __match_all_sync(mask(), value, &all) >> first();
  }
  CUCC_GROUP unsigned mask() const {
    return details::bits(Lanes) << first();
  } /* for this library's own use */

private:
  CUCC_GROUP static unsigned first() { return static_cast<unsigned>(::cucc::lane()) & ~(Lanes - 1); }
  unsigned meta_rank_, meta_size_;
};

} // namespace details

} // namespace cooperative_groups

#include "cucc/wide_tile.h"

namespace cooperative_groups {

/* Neighbouring threads, as many as a power of two. Parent says what was divided; void: no longer known. */
template <unsigned Size, class Parent = void>
class thread_block_tile
    : public std::conditional_t<(Size <= 32), details::warp_tile<Size>, details::wide_tile<Size>> {
  static_assert(Size >= 1 && Size <= 512 && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two up to 512");
  typedef std::conditional_t<(Size <= 32), details::warp_tile<Size>, details::wide_tile<Size>> base;

public:
  template <class Other>
  CUCC_GROUP thread_block_tile(const thread_block_tile<Size, Other> &other) : base(other) {}

private:
  template <class Whole> CUCC_GROUP explicit thread_block_tile(const Whole &parent, int) : base(parent, 0) {}
  template <unsigned Count, class Whole>
  friend thread_block_tile<Count, Whole> tiled_partition(const Whole &);
};

template <unsigned Size, class Parent>
CUCC_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
  return thread_block_tile<Size, Parent>(parent, 0);
}

/* ------------------------------------------------------------------------------------ coalesced groups */

/* Any lanes of a warp; ranks count those that are in. */
class coalesced_group {
public:
  CUCC_GROUP operator thread_group() const { return thread_group(false, mask_); }
  CUCC_GROUP void sync() const { __syncwarp(mask_); }
  CUCC_GROUP unsigned size() const { return __popc(mask_); }
  CUCC_GROUP unsigned num_threads() const { return __popc(mask_); }
  CUCC_GROUP unsigned thread_rank() const { return details::rank_in(mask_, ::cucc::lane()); }
  CUCC_GROUP unsigned meta_group_rank() const { return meta_rank_; }
  CUCC_GROUP unsigned meta_group_size() const { return meta_size_; }

  template <class T> CUCC_GROUP T shfl(T value, unsigned rank) const {
    return details::shuffle(mask_, value, lane_of(static_cast<int>(rank)));
  }
  template <class T> CUCC_GROUP T shfl_up(T value, unsigned delta) const {
    return details::shuffle(mask_, value, lane_of(static_cast<int>(thread_rank()) - static_cast<int>(delta)));
  }
  template <class T> CUCC_GROUP T shfl_down(T value, unsigned delta) const {
    return details::shuffle(mask_, value, lane_of(static_cast<int>(thread_rank() + delta)));
  }
  CUCC_GROUP int any(int predicate) const { return __ballot_sync(mask_, predicate) != 0; }
  CUCC_GROUP int all(int predicate) const { return __ballot_sync(mask_, !predicate) == 0; }
  CUCC_GROUP unsigned ballot(int predicate) const {
    return details::by_rank(mask_, __ballot_sync(mask_, predicate));
  }
  template <class T> CUCC_GROUP unsigned match_any(T value) const {
    return details::by_rank(mask_, __match_any_sync(mask_, value));
  }
  template <class T> CUCC_GROUP unsigned match_all(T value, int &all) const {
    return details::by_rank(mask_, __match_all_sync(mask_, value, &all));
  }
  CUCC_GROUP unsigned mask() const { return mask_; } /* for this library's own use */

private:
  CUCC_GROUP explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  /* The lane itself when there is no such rank. */
  CUCC_GROUP int lane_of(int rank) const {
    return rank < 0 || rank >= __popc(mask_) ? ::cucc::lane()
                                             : details::lane_of(mask_, static_cast<unsigned>(rank));
  }
  unsigned mask_, meta_rank_, meta_size_;
  friend coalesced_group coalesced_threads();
  friend coalesced_group tiled_partition(const coalesced_group &, unsigned);
  template <class Group> friend coalesced_group binary_partition(const Group &, bool);
  template <class Group, class Label> friend coalesced_group labeled_partition(const Group &, Label);
};

CUCC_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* `size` successive ranks of the group each. */
CUCC_GROUP coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
  const unsigned part = parent.thread_rank() / size;
  unsigned mask = 0;
  for (unsigned rank = part * size; rank < (part + 1) * size && rank < parent.size(); rank++)
    mask |= 1u << details::lane_of(parent.mask(), rank);
  return coalesced_group(mask, part, (parent.size() + size - 1) / size);
}
template <unsigned Lanes> CUCC_GROUP coalesced_group tiled_partition(const coalesced_group &parent) {
  return tiled_partition(parent, Lanes);
}

CUCC_GROUP thread_group tiled_partition(const thread_group &parent, unsigned size) {
  unsigned mask = 0;
  const unsigned lane = static_cast<unsigned>(::cucc::lane());
  if (parent.whole_block_)
    mask = details::bits(size) << (lane & ~(size - 1));
  else
    for (unsigned rank = parent.thread_rank() / size * size, n = 0; n < size && rank < parent.size();
         n++, rank++)
      mask |= 1u << details::lane_of(parent.mask_, rank);
  return thread_group(false, mask);
}
CUCC_GROUP thread_group tiled_partition(const thread_block &parent, unsigned size) {
  return tiled_partition(static_cast<const thread_group &>(parent), size);
}

/* Those of a tile or coalesced group that have the same predicate, or the same label. */
template <class Group> CUCC_GROUP coalesced_group binary_partition(const Group &group, bool predicate) {
  const unsigned yes = __ballot_sync(group.mask(), predicate);
  return predicate ? coalesced_group(yes, 1, 2) : coalesced_group(group.mask() & ~yes, 0, 2);
}
template <class Group, class Label>
CUCC_GROUP coalesced_group labeled_partition(const Group &group, Label label) {
  const unsigned same = __match_any_sync(group.mask(), label);
  /* parts are numbered by their first lanes */
  const unsigned firsts = __ballot_sync(group.mask(), (same & -same) >> ::cucc::lane() & 1u);
  return coalesced_group(same, details::rank_in(firsts, __ffs(static_cast<int>(same)) - 1),
                         static_cast<unsigned>(__popc(firsts)));
}

/* ------------------------------------------------------------------------------------ for every group */

template <class Group> CUCC_GROUP void sync(const Group &group) { group.sync(); }
template <class Group> CUCC_GROUP auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> CUCC_GROUP auto group_size(const Group &group) { return group.size(); }
CUCC_GROUP dim3 thread_index(const thread_block &) { return thread_block::thread_index(); }
CUCC_GROUP dim3 group_index(const thread_block &) { return thread_block::group_index(); }

/* One thread of the group calls the function. */
template <class Group, class Function, class... Args>
CUCC_GROUP void invoke_one(const Group &group, Function &&function, Args &&...args) {
  if (group.thread_rank() == 0) function(static_cast<Args &&>(args)...);
}
/* The same, and all threads of a tile or coalesced group get its result. */
template <class Group, class Function, class... Args>
CUCC_GROUP auto invoke_one_broadcast(const Group &group, Function &&function, Args &&...args) {
  decltype(function(static_cast<Args &&>(args)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Args &&>(args)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif

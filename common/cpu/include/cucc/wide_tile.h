/*
 * Tiles of 64 to 512 threads, part of cooperative_groups.h. Each tile has a barrier in shared memory and,
 * next to it, room for the values that its threads exchange. All threads of the parent must take part in
 * making a tile.
 */
#ifndef CUCC_WIDE_TILE_H
#define CUCC_WIDE_TILE_H

namespace cooperative_groups {
namespace details {

template <unsigned Size> class wide_tile {
public:
  template <class Parent>
  CUCC_GROUP explicit wide_tile(const Parent &parent, int)
      : meta_rank_(parent.thread_rank() / Size), meta_size_((parent.size() + Size - 1) / Size) {
    parent.sync(); /* an earlier tile of this size is done */
    if (thread_rank() == 0) cucc_phase_init(barrier(), Size);
    parent.sync();
  }

  CUCC_GROUP void sync() const {
    cucc_phase_wait(barrier(), cucc_phase_arrive(barrier(), 1, 0, 1), 0, ::cucc::OF_BARRIER);
  }
  CUCC_GROUP static constexpr unsigned size() { return Size; }
  CUCC_GROUP static constexpr unsigned num_threads() { return Size; }
  CUCC_GROUP static unsigned thread_rank() { return rank_in_block() % Size; }
  CUCC_GROUP unsigned meta_group_rank() const { return meta_rank_; }
  CUCC_GROUP unsigned meta_group_size() const { return meta_size_; }

  template <class T> CUCC_GROUP T shfl(T value, unsigned rank) const {
    if (thread_rank() == rank) *slot<T>(0) = value;
    sync();
    const T result = *slot<T>(0);
    sync();
    return result;
  }
  CUCC_GROUP int any(int predicate) const {
    return combined(__any_sync(0xffffffffu, predicate), [](int a, int b) { return a | b; });
  }
  CUCC_GROUP int all(int predicate) const {
    return combined(__all_sync(0xffffffffu, predicate), [](int a, int b) { return a & b; });
  }
  /* One value of each warp, the same in all its lanes, put together in the order of warps. For this library's
   * own use. */
  template <class T, class Op> CUCC_GROUP T combined(T of_warp, Op op) const {
    if (thread_rank() % 32 == 0) *slot<T>(thread_rank() / 32) = of_warp;
    sync();
    T result = *slot<T>(0);
    for (unsigned warp = 1; warp < Size / 32; warp++) result = op(result, *slot<T>(warp));
    sync();
    return result;
  }

private:
  struct memory {
    unsigned long barriers[1024 / Size];
    unsigned long long values[32];
  };
  CUCC_GROUP static memory &of_block() {
    __shared__ memory m;
    return m;
  }
  CUCC_GROUP static unsigned long *barrier() { return &of_block().barriers[rank_in_block() / Size]; }
  /* For a warp of this tile. */
  template <class T> CUCC_GROUP static T *slot(unsigned warp) {
    static_assert(sizeof(T) <= 8, "a tile of more than 32 threads hands over values of at most 8 bytes");
    return reinterpret_cast<T *>(&of_block().values[rank_in_block() / Size * (Size / 32) + warp]);
  }
  unsigned meta_rank_, meta_size_;
};

} // namespace details
} // namespace cooperative_groups

#endif

/*
 * The compiler's calls: with -fsanitize=thread it puts __tsan_read4(p) before each load of four bytes, and so
 * on. They are answered here; the sanitizer's own library is not linked.
 *
 * These few lines run for every access of every thread, so their common cases must be short. For memory of
 * the device: the cell's write is of before this launch or mine, and its read needs no change, or is of
 * before, or of one thread of this block whose id lies so near that it is seen to be of this worker. For
 * shared memory: the write is of this block and of before its last barrier, or mine. Everything else goes to
 * judge().
 */
#include "base/base.h"

#include <string.h>

#include "state/worker.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "memory/symbol.h"
#include "checker/fences.h"
#include "checker/ids.h"
#include "checker/thread_state.h"
#include "blocks/spin.h"
#include "hooks/judge.h"

#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* One cell of device memory; false: judge. */
INLINE bool global_read(struct thread_state *l, size_t index, uintptr_t pc) {
  struct cell *c = &ARENA_CELLS[index];
  const uint32_t w = c->write, r = c->read;
  if (UNLIKELY(w - OLD >= l->old_span) && w != l->me) return false;
  if (LIKELY(r == l->many_blocks) || r == l->me || r == l->many_block || r == l->many_warp) return true;
  if (r < l->safe)
    c->read = l->me;
  else if (r >= l->block && !(r & FLAG) && ID(r) / PORTION == ID(l->me) / PORTION)
    c->read = r < l->phase ? l->me : merge_readers(l, r);
  else
    return false;
  ARENA_SITES[index].read = site_of(pc);
  return true;
}

INLINE bool global_write(struct thread_state *l, uintptr_t address, size_t index, uintptr_t pc) {
  struct cell *c = &ARENA_CELLS[index];
  const uint32_t w = c->write, r = c->read;
  if (UNLIKELY(w - OLD >= l->old_span) && w != l->me &&
      !(w == NOTHING && address - l->known[0].start + 4 <= l->known[0].end - l->known[0].start))
    return false;
  if (UNLIKELY(r >= l->safe) && r != l->me) return false;
  c->write = l->me;
  ARENA_SITES[index].write = site_of(pc);
  return true;
}

INLINE bool shared_read(struct thread_state *l, size_t index, uintptr_t pc) {
  struct cell *c = &l->shared.cells[index];
  const uint32_t w = c->write, r = c->read;
  if (UNLIKELY(w - l->block >= l->phase_span) && w != l->me) return false;
  if (LIKELY(r == l->many_block || r == l->many_warp || r == l->me)) return true;
  c->read = r < l->phase ? l->me : merge_readers(l, r);
  l->shared.sites[index].read = site_of(pc);
  return true;
}

INLINE bool shared_write(struct thread_state *l, size_t index, uintptr_t pc) {
  struct cell *c = &l->shared.cells[index];
  const uint32_t w = c->write, r = c->read;
  if (UNLIKELY(w - l->block >= l->phase_span) &&
      w != l->me) /* first writes of a block, too: is there a variable */
    return false;
  if (UNLIKELY(r >= l->phase) && r != l->me) return false;
  c->write = l->me;
  l->shared.sites[index].write = site_of(pc);
  return true;
}

INLINE void on_access(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  struct thread_state *l = &thread_state;
  const uintptr_t offset = address - ARENA_BASE, inside = address - l->shared.base;
  bool settled = false;
  if (LIKELY(offset < l->arena_size)) {
    if (size >= 4 && !(offset & (size - 1))) {
      settled = true;
      for (size_t i = 0; i < size; i += 4)
        settled &=
            write ? global_write(l, address + i, (offset + i) / 4, pc) : global_read(l, (offset + i) / 4, pc);
    }
  } else if (inside < l->shared_window) {
    if (size >= 4 && !(inside & (size - 1))) {
      settled = true;
      for (size_t i = 0; i < size; i += 4)
        settled &= write ? shared_write(l, (inside + i) / 4, pc) : shared_read(l, (inside + i) / 4, pc);
    }
  } else
    settled = address - l->stack < l->stack_size;
  if (UNLIKELY(!settled)) judge(address, size, write ? WRITE : READ, pc);
}

/* A range: of a structure that is copied, or of memcpy. */
static void on_range(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (size && address - thread_state.stack >= thread_state.stack_size)
    judge(address, size, (write ? WRITE : READ) | UNALIGNED | RANGE, pc);
}

#define HOOK(size)                                                                                           \
  void __tsan_read##size(void *p);                                                                           \
  void __tsan_write##size(void *p);                                                                          \
  void __tsan_unaligned_read##size(void *p);                                                                 \
  void __tsan_unaligned_write##size(void *p);                                                                \
  void __tsan_volatile_read##size(void *p);                                                                  \
  void __tsan_volatile_write##size(void *p);                                                                 \
  void __tsan_unaligned_volatile_read##size(void *p);                                                        \
  void __tsan_unaligned_volatile_write##size(void *p);                                                       \
  void __tsan_read_write##size(void *p);                                                                     \
  void __tsan_unaligned_read_write##size(void *p);                                                           \
  void __tsan_read##size(void *p) { on_access((uintptr_t)p, size, false, CALLER); }                          \
  void __tsan_write##size(void *p) { on_access((uintptr_t)p, size, true, CALLER); }                          \
  void __tsan_read_write##size(void *p) {                                                                    \
    on_access((uintptr_t)p, size, false, CALLER);                                                            \
    on_access((uintptr_t)p, size, true, CALLER);                                                             \
  }                                                                                                          \
  void __tsan_unaligned_read##size(void *p) { judge((uintptr_t)p, size, READ | UNALIGNED, CALLER); }         \
  void __tsan_unaligned_write##size(void *p) { judge((uintptr_t)p, size, WRITE | UNALIGNED, CALLER); }       \
  void __tsan_unaligned_read_write##size(void *p) {                                                          \
    judge((uintptr_t)p, size, READ | UNALIGNED, CALLER);                                                     \
    judge((uintptr_t)p, size, WRITE | UNALIGNED, CALLER);                                                    \
  }                                                                                                          \
  void __tsan_volatile_read##size(void *p) { on_volatile((uintptr_t)p, size, READ, CALLER); }                \
  void __tsan_volatile_write##size(void *p) { on_volatile((uintptr_t)p, size, WRITE | NO_INIT, CALLER); }    \
  void __tsan_unaligned_volatile_read##size(void *p) {                                                       \
    on_volatile((uintptr_t)p, size, READ | UNALIGNED, CALLER);                                               \
  }                                                                                                          \
  void __tsan_unaligned_volatile_write##size(void *p) {                                                      \
    on_volatile((uintptr_t)p, size, WRITE | NO_INIT | UNALIGNED, CALLER);                                    \
  }

/* In shared memory volatile accesses are flags where the block uses fences: what it writes so then, and what
 * reads that. */
static bool is_flag(uintptr_t address, unsigned access) {
  const struct region *r = &thread_state.shared;
  const size_t offset = address - r->base;
  if (offset >= r->size) return false;
  if (access & WRITE) return thread_state.fenced != FENCE_NONE;
  const uint32_t whole = r->cells[offset / 4].write, write = whole == SPLIT ? r->bytes[offset].write : whole;
  return write >= thread_state.block && (write & FLAG);
}

/* Volatile accesses of global memory are how older CUDA code talks between blocks: taken as atomic, but two
 * of them make no update (judge_store). In shared memory they may be flags, too; else they hide races, as old
 * code without __syncwarp does: taken as what they are. */
static void on_volatile(uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  block_count_patience();
  if (cucc_worker && (in_arena(address) || symbol_is_variable(address) || is_flag(address, access))) {
    judge(address, size, access | ATOMIC | VOLATILE | (access & WRITE ? STORE : LOAD), pc);
    if (access & WRITE)
      fences_release(&thread_state, address, FENCE_NONE);
    else
      thread_state.volatile_read = address;
  } else
    judge(address, size, access | VOLATILE, pc);
}

HOOK(1)
HOOK(2)
HOOK(4)
HOOK(8)
HOOK(16)

void __tsan_init(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
void __tsan_read_range(void *p, size_t size);
void __tsan_write_range(void *p, size_t size);
void __tsan_vptr_read(void **p);
void __tsan_vptr_update(void **p, void *value);
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int value, size_t size);
void *cucc_memcpy(void *to, const void *from, size_t size);
void *cucc_memmove(void *to, const void *from, size_t size);
void *cucc_memset(void *to, int value, size_t size);

void __tsan_init(void) {}
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_read_range(void *p, size_t size) { on_range((uintptr_t)p, size, false, CALLER); }
void __tsan_write_range(void *p, size_t size) { on_range((uintptr_t)p, size, true, CALLER); }
void __tsan_vptr_read(void **p) { on_access((uintptr_t)p, sizeof *p, false, CALLER); }
void __tsan_vptr_update(void **p, void *value) {
  (void)value;
  on_access((uintptr_t)p, sizeof *p, true, CALLER);
}

/* memcpy and its relatives as checked code calls them: under clang's names, and as cuda_runtime.h renames
 * them. A memcpy from device memory on the host is a favourite mistake. */
#define BLOCK_FUNCTIONS(prefix)                                                                              \
  void *prefix##memcpy(void *to, const void *from, size_t size) {                                            \
    on_range((uintptr_t)from, size, false, CALLER);                                                          \
    on_range((uintptr_t)to, size, true, CALLER);                                                             \
    return memmove(to, from, size);                                                                          \
  }                                                                                                          \
  void *prefix##memmove(void *to, const void *from, size_t size) {                                           \
    on_range((uintptr_t)from, size, false, CALLER);                                                          \
    on_range((uintptr_t)to, size, true, CALLER);                                                             \
    return memmove(to, from, size);                                                                          \
  }                                                                                                          \
  void *prefix##memset(void *to, int value, size_t size) {                                                   \
    on_range((uintptr_t)to, size, true, CALLER);                                                             \
    return memset(to, value, size);                                                                          \
  }

BLOCK_FUNCTIONS(__tsan_)
BLOCK_FUNCTIONS(cucc_)

#endif

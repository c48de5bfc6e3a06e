/*
 * Atomic operations: the compiler's calls __tsan_atomic32_fetch_add and so on. Checked as atomic accesses,
 * then done, always sequentially consistent: x86 has nothing cheaper, and a checker need not be fast here.
 */
#include "base/base.h"

#include "state/counters.h"
#include "state/worker.h"
#include "checker/fences.h"
#include "checker/loads.h"
#include "checker/thread_state.h"
#include "blocks/spin.h"
#include "hooks/judge.h"
#include "hooks/library.h"

#if CUCC_CHECKED

#define ORDER __ATOMIC_SEQ_CST

/* Before an atomic operation: the rewriter's mark (rewrite/marks.c), and that of atomicAdd_block and its kind. */
int cucc_alone(void);
int cucc_alone_store(void);
void cucc_block_scope(void);
void cucc_whole(void);

int cucc_alone(void) {
  thread_state.marks |= ALONE;
  return 0;
}

/* atomicCAS and atomicExch: they store what was made of a value that was read before. */
int cucc_alone_store(void) {
  if (UNLIKELY(!loads_by_updates)) loads_by_updates = true;
  thread_state.marks |= ALONE | STORE;
  return 0;
}

void cucc_block_scope(void) { thread_state.marks |= BLOCK_SCOPE; }

void cucc_whole(void) { thread_state.marks |= WHOLE; }

/* An operation may be its own fence; CUDA's functions are none. */
static inline void before(volatile const void *p, size_t size, unsigned access, int order, uintptr_t pc) {
  block_count_patience();
  if (UNLIKELY(thread_state.marks) && (access & WRITE)) {
    access |= thread_state.marks;
    thread_state.marks = 0;
  }
  if (UNLIKELY(thread_state.profile) && (access & WRITE) &&
      (access & WHOLE || !(access & (SWAP | NO_INIT))) &&
      (uintptr_t)p - thread_state.shared.base >= thread_state.shared.size)
    count(COUNT_WHOLE_ATOMICS);
  judge((uintptr_t)p, size, access | ATOMIC, pc);
  if (access & WRITE)
    fences_release(&thread_state, (uintptr_t)p, order >= __ATOMIC_RELEASE ? FENCE_GRID : FENCE_NONE);
}

static inline void after(volatile const void *p) { fences_acquire(&thread_state, (uintptr_t)p); }

/* In one block after another, thread by thread, no update would ever get lost. */
static inline void after_load(volatile const void *p, uintptr_t pc) {
  after(p);
  if (UNLIKELY(loads_of_updates) && cucc_worker && loads_is_of_update(pc)) block_let_others(cucc_worker);
}

/* An operation that changed a value was no load. */
static inline void after_update(volatile const void *p, size_t size, bool changed, uintptr_t pc) {
  after(p);
  if (!changed || LIKELY(!loads_by_updates)) return;
  loads_set_changing(pc);
  for (size_t i = 0; i < size; i += 4) loads_forget(&thread_state, (uintptr_t)p + i);
}

#define FETCH(bits, type, name)                                                                              \
  type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order);                              \
  type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order) {                             \
    before(p, sizeof *p, WRITE, order, CALLER);                                                              \
    const type old = __atomic_fetch_##name(p, v, ORDER);                                                     \
    type now = old;                                                                                          \
    if (UNLIKELY(loads_by_updates)) __atomic_fetch_##name(&now, v, __ATOMIC_RELAXED);                        \
    after_update(p, sizeof *p, now != old, CALLER);                                                          \
    return old;                                                                                              \
  }

/* gcc calls …_strong and …_weak, which write what they saw through a pointer; clang calls …_val, which
 * returns it. */
#define EXCHANGE(bits, type, name)                                                                           \
  _Bool __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected, type v, int order,   \
                                                      int fail);                                             \
  _Bool __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected, type v, int order,   \
                                                      int fail) {                                            \
    (void)fail;                                                                                              \
    is_read(expected, sizeof *expected, CALLER);                                                             \
    before(p, sizeof *p, WRITE | SWAP, order, CALLER);                                                       \
    const type compared = *expected;                                                                         \
    const _Bool result = __atomic_compare_exchange_n(p, expected, v, 0, ORDER, ORDER);                       \
    after_update(p, sizeof *p, result && (v != compared), CALLER);                                           \
    if (!result) written(expected, sizeof *expected, CALLER);                                                \
    return result;                                                                                           \
  }

#define ATOMICS(bits, type)                                                                                  \
  type __tsan_atomic##bits##_load(const volatile type *p, int order);                                        \
  void __tsan_atomic##bits##_store(volatile type *p, type v, int order);                                     \
  type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order);                                  \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type v, int order,        \
                                                  int fail);                                                 \
  type __tsan_atomic##bits##_load(const volatile type *p, int order) {                                       \
    before(p, sizeof *p, READ | LOAD, order, CALLER);                                                        \
    const type result = __atomic_load_n(p, ORDER);                                                           \
    after_load(p, CALLER);                                                                                   \
    return result;                                                                                           \
  }                                                                                                          \
  void __tsan_atomic##bits##_store(volatile type *p, type v, int order) {                                    \
    before(p, sizeof *p, WRITE | NO_INIT | STORE, order, CALLER);                                            \
    __atomic_store_n(p, v, ORDER);                                                                           \
  }                                                                                                          \
  type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order) {                                 \
    before(p, sizeof *p, WRITE | NO_INIT, order, CALLER);                                                    \
    const type result = __atomic_exchange_n(p, v, ORDER);                                                    \
    after_update(p, sizeof *p, result != v, CALLER);                                                         \
    return result;                                                                                           \
  }                                                                                                          \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type v, int order,        \
                                                  int fail) {                                                \
    (void)fail;                                                                                              \
    before(p, sizeof *p, WRITE | SWAP, order, CALLER);                                                       \
    const type compared = expected;                                                                          \
    __atomic_compare_exchange_n(p, &expected, v, 0, ORDER, ORDER);                                           \
    after_update(p, sizeof *p, expected == compared && v != compared, CALLER);                               \
    return expected;                                                                                         \
  }                                                                                                          \
  EXCHANGE(bits, type, strong)                                                                               \
  EXCHANGE(bits, type, weak)                                                                                 \
  FETCH(bits, type, add)                                                                                     \
  FETCH(bits, type, sub)                                                                                     \
  FETCH(bits, type, and)                                                                                     \
  FETCH(bits, type, or)                                                                                      \
  FETCH(bits, type, xor)                                                                                     \
  FETCH(bits, type, nand)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(ORDER);
  if (cucc_worker) check_fence(cucc_worker, FENCE_GRID);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

#endif

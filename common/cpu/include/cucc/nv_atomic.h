/*
 * The compiler's atomic functions of CUDA 12.8 and later: __nv_atomic_load, __nv_atomic_fetch_add and so on.
 * They name their order and their scope; both are checked as those of cuda::atomic are. Of up to 8 bytes.
 */
#ifndef CUCC_NV_ATOMIC_H
#define CUCC_NV_ATOMIC_H

#include "atomic.h"

#include <type_traits>

#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1

enum {
  __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME = __ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE = __ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE = __ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL = __ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST = __ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace cucc {

template <class T> CUCC_ATOMIC void check_size() {
  static_assert(sizeof(T) <= 8, "the CPU backend has atomic operations of up to 8 bytes");
}
CUCC_ATOMIC void scope_of(int scope) {
  if (scope <= __NV_THREAD_SCOPE_BLOCK) block_scope();
}
/* The order of a compare-and-swap that fails has no release. */
CUCC_ATOMIC constexpr int without_release(int order) {
  return order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order;
}
template <class T, class U> CUCC_ATOMIC bool swap_if(T *p, U *expected, U *value, int order, int scope) {
  scope_of(scope);
  return __atomic_compare_exchange(p, expected, value, false, order, without_release(order));
}
/* old = *p; *p = f(old), in one step. */
template <class T, class F> CUCC_ATOMIC T update_ordered(T *p, int order, int scope, F f) {
  T old, value;
  count_patience();
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  do value = f(old);
  while (!swap_if(p, &old, &value, order, scope));
  return old;
}
/* A whole number is added in one step, others by compare-and-swap. */
template <class T> CUCC_ATOMIC T add_ordered(T *p, T v, int order, int scope, std::true_type) {
  count_patience();
  scope_of(scope);
  return __atomic_fetch_add(p, v, order);
}
template <class T> CUCC_ATOMIC T add_ordered(T *p, T v, int order, int scope, std::false_type) {
  return update_ordered(p, order, scope, [=](T old) { return old + v; });
}

} // namespace cucc

/* T without const and volatile. An argument of it is converted, as a 1 to the unsigned that it is added to. */
#define CUCC_VALUE typename std::remove_cv<T>::type

template <class T>
CUCC_ATOMIC void __nv_atomic_load(T *p, CUCC_VALUE *result, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::cucc::check_size<T>();
  (void)scope;
  __atomic_load(p, result, order);
}
template <class T>
CUCC_ATOMIC CUCC_VALUE __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  CUCC_VALUE result;
  __nv_atomic_load(p, &result, order, scope);
  return result;
}

template <class T>
CUCC_ATOMIC void __nv_atomic_store(T *p, CUCC_VALUE *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::cucc::check_size<T>();
  ::cucc::scope_of(scope);
  __atomic_store(p, value, order);
}
template <class T>
CUCC_ATOMIC void __nv_atomic_store_n(T *p, CUCC_VALUE value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store(p, &value, order, scope);
}

template <class T>
CUCC_ATOMIC void __nv_atomic_exchange(T *p, CUCC_VALUE *value, CUCC_VALUE *old, int order,
                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::cucc::check_size<T>();
  ::cucc::count_patience();
  ::cucc::scope_of(scope);
  __atomic_exchange(p, value, old, order);
}
template <class T>
CUCC_ATOMIC CUCC_VALUE __nv_atomic_exchange_n(T *p, CUCC_VALUE value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  CUCC_VALUE old;
  __nv_atomic_exchange(p, &value, &old, order, scope);
  return old;
}

/* Of the two orders the stronger one counts. */
template <class T>
CUCC_ATOMIC bool __nv_atomic_compare_exchange(T *p, CUCC_VALUE *expected, CUCC_VALUE *value, bool weak,
                                              int success, int failure,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::cucc::check_size<T>();
  ::cucc::count_patience();
  (void)weak;
  return ::cucc::swap_if(p, expected, value, success > failure ? success : failure, scope);
}
template <class T>
CUCC_ATOMIC bool __nv_atomic_compare_exchange_n(T *p, CUCC_VALUE *expected, CUCC_VALUE value, bool weak,
                                                int success, int failure,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange(p, expected, &value, weak, success, failure, scope);
}

CUCC_ATOMIC void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED) return;
  if (scope <= __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
  else
    __threadfence();
}

/* __nv_atomic_fetch_NAME, which gives the value of before, and __nv_atomic_NAME, which gives none. `at` is the
 * place, of type U. */
#define CUCC_NV_ATOMIC(NAME, EXPRESSION)                                                                     \
  template <class T>                                                                                         \
  CUCC_ATOMIC CUCC_VALUE __nv_atomic_fetch_##NAME(T *p, CUCC_VALUE v, int order,                             \
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {                    \
    typedef CUCC_VALUE U;                                                                                    \
    U *const at = const_cast<U *>(p);                                                                        \
    ::cucc::check_size<T>();                                                                                 \
    return EXPRESSION;                                                                                       \
  }                                                                                                          \
  template <class T>                                                                                         \
  CUCC_ATOMIC void __nv_atomic_##NAME(T *p, CUCC_VALUE v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    __nv_atomic_fetch_##NAME(p, v, order, scope);                                                            \
  }
#define CUCC_NV_UPDATE(NAME, VALUE)                                                                          \
  CUCC_NV_ATOMIC(NAME, ::cucc::update_ordered(at, order, scope, [=](U old) -> U { return VALUE; }))

CUCC_NV_ATOMIC(add, ::cucc::add_ordered(at, v, order, scope, std::is_integral<U>()))
CUCC_NV_ATOMIC(sub, ::cucc::add_ordered(at, static_cast<U>(-v), order, scope, std::is_integral<U>()))
CUCC_NV_UPDATE(min, v < old ? v : old)
CUCC_NV_UPDATE(max, old < v ? v : old)
CUCC_NV_UPDATE(and, (old & v))
CUCC_NV_UPDATE(or, (old | v))
CUCC_NV_UPDATE(xor, (old ^ v))
#undef CUCC_NV_UPDATE
#undef CUCC_NV_ATOMIC
#undef CUCC_VALUE

#endif

/* Copies by a group of threads to shared memory, in the background: each thread copies its share at once, access
 * by access, and reports that to the checker (arriving.h). For all that is called memcpy_async. */
#ifndef CUCC_GROUP_COPY_H
#define CUCC_GROUP_COPY_H

#include "arriving.h"

#include <type_traits>

namespace cuda {
/* A size in bytes; it and both pointers are promised to be multiples of the alignment. */
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  explicit constexpr aligned_size_t(size_t size) : value(size) {}
  constexpr operator size_t() const { return value; }
};
} // namespace cuda

namespace cucc {

#define CUCC_COPY static inline __attribute__((always_inline))

/* The group of a thread that copies alone. */
struct single_thread {
  CUCC_COPY unsigned thread_rank() { return 0; }
  CUCC_COPY unsigned size() { return 1; }
};

/* Whole elements from byte `first` on, so many that less than one is left before `end`; gives where they end. */
template <class T, class Group>
CUCC_COPY size_t copy_elements(const Group &group, void *to, const void *from, size_t first, size_t end) {
  const size_t count = (end - first) / sizeof(T);
  T *const target = reinterpret_cast<T *>(static_cast<char *>(to) + first);
  const T *const source = reinterpret_cast<const T *>(static_cast<const char *>(from) + first);
  for (size_t i = group.thread_rank(); i < count; i += group.size()) {
    target[i] = source[i];
    cucc_copy_started(&target[i], sizeof(T));
  }
  return first + count * sizeof(T);
}

/* In elements of the type of the pointers; what is left, byte by byte. */
template <class Group, class T>
CUCC_COPY void copy_share(const Group &group, T *to, const T *from, size_t bytes, std::false_type) {
  const size_t whole = copy_elements<T>(group, to, from, 0, bytes);
  copy_elements<char>(group, to, from, whole, bytes);
}
/* Pointers without a type, or to bytes: in the widest accesses that the addresses allow, as on the device. */
template <class Group, class T>
CUCC_COPY void copy_share(const Group &group, T *to, const T *from, size_t bytes, std::true_type) {
  const unsigned long both = reinterpret_cast<unsigned long>(to) | reinterpret_cast<unsigned long>(from);
  size_t whole = 0;
  if (both % 16 == 0)
    whole = copy_elements<uint4>(group, to, from, 0, bytes);
  else if (both % 8 == 0)
    whole = copy_elements<uint2>(group, to, from, 0, bytes);
  else if (both % 4 == 0)
    whole = copy_elements<unsigned>(group, to, from, 0, bytes);
  copy_elements<char>(group, to, from, whole, bytes);
}
template <class Group, class T>
CUCC_COPY void copy_share(const Group &group, T *to, const T *from, size_t bytes) {
  copy_share(group, to, from, bytes, std::integral_constant < bool,
             std::is_void<T>::value || std::is_same<T, char>::value > ());
}

#undef CUCC_COPY

} // namespace cucc

#endif

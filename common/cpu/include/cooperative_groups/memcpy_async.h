/* memcpy_async() by a group: each thread copies its share at once, and wait() lets all threads meet. Reading
 * before the wait is a finding: of another thread's share the race that it is on the device, of one's own, or
 * after another barrier, a read before the copy has arrived (cucc/arriving.h). */
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include "../cooperative_groups.h"
#include "../cucc/arriving.h"

namespace cuda {
/* A size in bytes whose pointers are promised to be aligned: no gain here. */
template <size_t Alignment> struct aligned_size_t {
  size_t value;
  explicit aligned_size_t(size_t size) : value(size) {}
  operator size_t() const { return value; }
};
} // namespace cuda

namespace cooperative_groups {

/* `bytes` bytes; what does not fill a whole T is copied byte by byte. */
template <class Group, class T>
CUCC_GROUP void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
  const size_t whole = bytes / sizeof(T);
  for (size_t i = group.thread_rank(); i < whole; i += group.size()) {
    to[i] = from[i];
    cucc_copy_started(&to[i], sizeof(T));
  }
  for (size_t i = whole * sizeof(T) + group.thread_rank(); i < bytes; i += group.size()) {
    char *byte = reinterpret_cast<char *>(to) + i;
    *byte = reinterpret_cast<const char *>(from)[i];
    cucc_copy_started(byte, 1);
  }
  cucc_copies_commit();
}
template <class Group>
CUCC_GROUP void memcpy_async(const Group &group, void *to, const void *from, size_t bytes) {
  memcpy_async(group, static_cast<char *>(to), static_cast<const char *>(from), bytes);
}
/* In elements: as many as both have. */
template <class Group, class T>
CUCC_GROUP void memcpy_async(const Group &group, T *to, size_t room, const T *from, size_t count) {
  memcpy_async(group, to, from, sizeof(T) * (room < count ? room : count));
}

template <class Group> CUCC_GROUP void wait(const Group &group) {
  cucc_copies_wait(0);
  group.sync();
}
template <unsigned Stages, class Group> CUCC_GROUP void wait_prior(const Group &group) {
  cucc_copies_wait(Stages);
  group.sync();
}

} // namespace cooperative_groups

#endif

/* memcpy_async() by a group: each thread copies its share at once, and wait() lets all threads meet. Reading
 * before the wait is a finding: of another thread's share the race that it is on the device, of one's own, or
 * after another barrier, a read before the copy has arrived (cucc/arriving.h). */
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include "../cooperative_groups.h"
#include "../cucc/group_copy.h"

namespace cooperative_groups {

/* `bytes` bytes; what does not fill a whole T is copied byte by byte. */
template <class Group, class T>
CUCC_GROUP void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
  ::cucc::copy_share(group, to, from, bytes);
  cucc_copies_commit();
}
template <class Group>
CUCC_GROUP void memcpy_async(const Group &group, void *to, const void *from, size_t bytes) {
  ::cucc::copy_share(group, to, from, bytes);
  cucc_copies_commit();
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

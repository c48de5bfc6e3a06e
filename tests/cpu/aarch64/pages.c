/* A kernel with pages of 64 KiB, as far as a program sees it: refuses addresses between such pages. Loaded
 * before a program that runs where pages are smaller. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE ((size_t)65536)

static int between(const void *address) { return (uintptr_t)address % PAGE != 0; }
static size_t whole(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }
static int refused(void) { return errno = EINVAL, -1; }

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
  const int fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
  if ((fixed && between(at)) || (size_t)offset % PAGE) return refused(), MAP_FAILED;
  if (!fixed) { /* any place, at a page */
    const long room = syscall(SYS_mmap, NULL, whole(bytes) + PAGE, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room < 0 && room > -4096) return MAP_FAILED;
    at = (void *)whole((size_t)room);
    flags |= MAP_FIXED;
  }
  return (void *)syscall(SYS_mmap, at, whole(bytes), protection, flags, file, offset);
}
int munmap(void *at, size_t bytes) {
  return between(at) ? refused() : (int)syscall(SYS_munmap, at, whole(bytes));
}
int mprotect(void *at, size_t bytes, int protection) {
  return between(at) ? refused() : (int)syscall(SYS_mprotect, at, whole(bytes), protection);
}
int madvise(void *at, size_t bytes, int advice) {
  return between(at) ? refused() : (int)syscall(SYS_madvise, at, whole(bytes), advice);
}

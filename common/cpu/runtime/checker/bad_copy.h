#ifndef CUCC_CHECKER_BAD_COPY_H
#define CUCC_CHECKER_BAD_COPY_H

#include "base/base.h"
#include "base/check.h"
#include "memory/arena.h"
#include "memory/given.h"

CHECK(void check_bad_free(const char *call, uintptr_t address, enum space space, uintptr_t site))
/* A copy (src NULL: a memset) that the call refused; wrong_way: the direction contradicts the pointers. */
CHECK(void check_bad_copy(const char *call, const void *dst, const void *src, size_t bytes, bool wrong_way,
                          uintptr_t site))
/* One that is done, though its kind names the device for pinned memory of the host. */
CHECK(void check_kind(const char *call, const void *dst, const void *src, size_t bytes, uintptr_t site))
/* One within an array, whose two parts have `common` bytes in common. */
CHECK(void check_overlap(const char *call, const void *dst, size_t bytes, size_t common, uintptr_t site))
/* One that leaves an array which the caller gave. */
CHECK(void check_array_left(const char *call, const struct given *array, const void *p, size_t bytes,
                            bool writes, uintptr_t site))
CHECK(void check_null_copy(const char *call, const char *side, size_t bytes, uintptr_t site))
/* Prefetching or advice for what is no managed memory. */
CHECK(void check_unmanaged(const char *call, const void *pointer, size_t bytes, uintptr_t site))

#endif

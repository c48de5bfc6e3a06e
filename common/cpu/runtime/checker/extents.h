#ifndef CUCC_CHECKER_EXTENTS_H
#define CUCC_CHECKER_EXTENTS_H

#include "base/base.h"
#include "base/check.h"
#include "base/options.h"

struct extent;
struct work;

/* From the work of libraries (engine/work.c): it starts; it reads or writes what is there; what it would
 * touch is not all there (span: the bytes from the first to the last); a value for the host lies on the
 * device */
CHECK(void check_work_begins(struct work *work))
CHECK(void check_work_touches(struct work *work, const struct extent *extent, bool writes))
CHECK(void check_bad_work(const struct work *work, const struct extent *extent, size_t span, bool writes))
CHECK(void check_device_value(const char *call, const char *name, const void *value, uintptr_t site))
CHECK(void check_library(enum tool tool, const char *sentence, uintptr_t site, uintptr_t other_site,
                         const void *buffer, const char *cause))

#endif

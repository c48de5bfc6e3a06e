/* The end of an array that no kernel touches, at a size of thousands of millions: cucc_sample_reached. An index
 * that is computed in int is negative from 2^31 on; compared with a size_t it is larger than any n, and nothing
 * happens. One that is computed in unsigned begins at 0 again. A grid of limited blocks without a loop ends long
 * before, and so does a copy of a number of bytes that was cut to 32 bits. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/page.h"
#include "state/sample.h"
#include "checker/findings.h"
#include "cucc.h"

#define LARGE ((size_t)1 << 30) /* elements of an array that is looked at */
/* A right program's first or last blocks have some of so many elements. */
#define ENOUGH ((size_t)1 << 25)
/* No thread does so many elements by itself, but in a loop that may end when all are done; nor so many vectors. */
#define MANY   16
#define MOST   64
#define WINDOW ((size_t)1 << 16) /* pages that are looked at together */

/* The end of the last page of a range that has been touched: untouched ones have no memory yet. 0: none has. */
static size_t touched_until(size_t first, size_t last) {
  static unsigned char resident[WINDOW];
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t end = last; end > first;) {
    const size_t pages = (end - first + page - 1) / page, some = pages < WINDOW ? pages : WINDOW;
    const size_t from = first + (pages - some) * page;
    if (mincore((void *)from, end - from, resident)) return last; /* not known */
    for (size_t i = some; i-- > 0;)
      if (resident[i] & 1) return from + (i + 1) * page;
    end = from;
  }
  return 0;
}

/* Whether an array ends where a type of the index does. */
static bool ends_with(size_t bound, size_t count, size_t reached) {
  const bool ends_there = sample_threads() * MANY > count || reached + ENOUGH > bound;
  return count >= bound + ENOUGH && reached <= bound && ends_there;
}

/* Whether it ends where the largest launch has no more threads. */
static bool ends_with_grid(size_t reached) {
  const size_t threads = sample_threads();
  return reached >= threads && reached / MOST <= threads;
}

/* Whether the first threads, in a loop in steps of the whole grid, have gone as far as they had to: what comes after
 * them belongs to blocks that did not run. */
static bool in_last_round(size_t count, size_t reached) {
  const size_t threads = sample_threads();
  return reached > threads && reached + threads >= count;
}

/* Why an array is touched up to an element only, and from which one on exactly; NULL: unknown. */
static const char *reason(size_t count, size_t *reached) {
  const size_t beyond_int = (size_t)1 << 31, beyond_unsigned = (size_t)1 << 32;
  if (in_last_round(count, *reached)) return NULL;
  if (ends_with(beyond_int, count, *reached)) {
    *reached = beyond_int;
    return "an index that is computed in int ends at 2147483647: compute it in size_t, as in "
           "(size_t)blockIdx.x * blockDim.x + threadIdx.x";
  }
  if (ends_with(beyond_unsigned, count, *reached)) {
    *reached = beyond_unsigned;
    return "an index that is computed in unsigned ends at 4294967295: compute it in size_t, as in "
           "(size_t)row * columns + column";
  }
  return ends_with_grid(*reached) ? "a grid of limited blocks needs a loop over all elements, in steps of "
                                    "the whole grid; a number of blocks without a limit is computed in size_t"
                                  : NULL;
}

static void warn(const char *name, size_t reached, const char *who, const char *cause, uintptr_t site) {
  struct finding f = {.tool = TOOL_MEM, .warning = true, .cause = cause, .site = site};
  sample_calls(&f.at);
  snprintf(f.sentence, sizeof f.sentence,
           "at a size of gigabytes, %.130s: %s nothing of %.40s from element %zu on", sample_words, who, name,
           reached);
  sample_begin(NULL); /* else nothing but accesses is kept */
  finding_add(&f);
}

/* The same of an array that no kernel touches: whether the copies to it end where a number of bytes does that
 * has lost its upper bits. */
static size_t copied(uintptr_t array, const char *name, size_t count, size_t bytes) {
  uintptr_t site;
  const uintptr_t until = sample_copied_until(array, array + count * bytes, &site);
  const size_t reached = until ? (until - array) / bytes : count;
  if (reached + ENOUGH >= count || until - array != (count * bytes & UINT32_MAX)) return count;
  warn(name, reached, "copies touch",
       "a number of bytes in 32 bits has lost its upper ones: compute it in size_t", site);
  return count; /* a smaller case would show nothing */
}

size_t cucc_sample_reached(const void *array, const char *name, size_t count, size_t bytes) {
  if (!sampling() || !checking(TOOL_MEM) || count < LARGE) return count;
  const size_t begin = (size_t)array & ~(WB_PAGE - 1),
               until = touched_until(begin, (size_t)array + count * bytes);
  if (!until) return copied((uintptr_t)array, name, count, bytes);
  size_t reached = (until - (size_t)array) / bytes;
  if (reached + ENOUGH >= count) return count;
  const char *cause = reason(count, &reached);
  if (!cause) return count;
  warn(name, reached, "the kernels touch", cause, 0);
  return reached;
}

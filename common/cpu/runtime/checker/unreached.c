/* Elements from 2^31 or 2^32 on that no kernel touches, at a size of thousands of millions: cucc_sample_reached.
 * An index that is computed in int is negative there; compared with a size_t it is larger than any n, and
 * nothing happens. One that is computed in unsigned begins at 0 again. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/page.h"
#include "state/sample.h"
#include "checker/findings.h"
#include "cucc.h"

/* A right program's first or last blocks have some of so many elements. */
#define ENOUGH ((size_t)1 << 25)
#define WINDOW ((size_t)1 << 16) /* pages that are looked at together */

/* Whether a page that begins in this range has been touched: untouched ones have no memory yet. */
static bool touched(size_t first, size_t last) {
  static unsigned char resident[WINDOW];
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t at = first; at < last; at += WINDOW * page) {
    const size_t left = last - at, length = left < WINDOW * page ? left : WINDOW * page;
    if (mincore((void *)at, length, resident)) return true; /* not known */
    for (size_t i = 0; i * page < length; i++)
      if (resident[i] & 1) return true;
  }
  return false;
}

/* Whether there are some elements from `bound` on, and kernels touched some before it, but none of those. */
static bool ends_at(size_t bound, const void *array, size_t count, size_t bytes) {
  const size_t begin = (size_t)array & ~(WB_PAGE - 1),
               middle = ((size_t)array + bound * bytes) & ~(WB_PAGE - 1);
  return count >= bound + ENOUGH && touched(begin, middle) && !touched(middle, (size_t)array + count * bytes);
}

int cucc_sample_reached(const void *array, const char *name, size_t count, size_t bytes) {
  if (!sampling() || !checking(TOOL_MEM)) return 0;
  const size_t beyond_int = (size_t)1 << 31, beyond_unsigned = (size_t)1 << 32;
  const bool in_int = ends_at(beyond_int, array, count, bytes);
  if (!in_int && !ends_at(beyond_unsigned, array, count, bytes)) return 0;
  struct finding f = {.tool = TOOL_MEM, .warning = true};
  sample_calls(&f.at);
  snprintf(f.sentence, sizeof f.sentence,
           "at a size of gigabytes, %.130s: the kernels touch nothing of %.40s from element %zu on",
           sample_words, name, in_int ? beyond_int : beyond_unsigned);
  f.cause = in_int ? "an index that is computed in int ends at 2147483647: compute it in size_t, as in "
                     "(size_t)blockIdx.x * blockDim.x + threadIdx.x"
                   : "an index that is computed in unsigned ends at 4294967295: compute it in size_t, as in "
                     "(size_t)row * columns + column";
  cucc_sample(NULL); /* else nothing but accesses is kept */
  finding_add(&f);
  return 1;
}

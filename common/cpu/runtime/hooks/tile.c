/* Where a tile of nvcuda::wmma (include/mma.h) lies: it begins at a multiple of 32 bytes, each row at one of
 * 16. The accesses themselves are judged as all others. */
#include "base/base.h"

#include "checker/thread_state.h"
#include "hooks/bad_access.h"

void cucc_tile_place(const void *at, size_t row, int writes);
void cucc_tile_place(const void *at, size_t row, int writes) {
#if CUCC_CHECKED
  if ((uintptr_t)at % 32 || row % 16) report_tile((uintptr_t)at, row, writes ? WRITE : READ, CALLER);
#else
  (void)at, (void)row, (void)writes;
#endif
}

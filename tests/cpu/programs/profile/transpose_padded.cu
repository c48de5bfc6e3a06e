// expect: ld.requests = 512 * 512 / 32
// expect: ld.sectors = 512 * 512 / 32 * 4
// expect: st.requests = 512 * 512 / 32
// expect: st.sectors = 512 * 512 / 32 * 4
// expect: shared_st.wavefronts = 512 * 512 / 32
// expect: shared_st.conflicts = 0
// expect: shared_ld.wavefronts = 512 * 512 / 32 * 1
// expect: shared_ld.conflicts = 512 * 512 / 32 * (1 - 1)
/* A column more than is needed, and the elements of a column lie in 32 different banks. */
#define PITCH 33
#include "transpose_tiled.cuh"

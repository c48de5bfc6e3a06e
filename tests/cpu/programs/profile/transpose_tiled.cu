// expect: ld.requests = 512 * 512 / 32
// expect: ld.sectors = 512 * 512 / 32 * 4
// expect: st.requests = 512 * 512 / 32
// expect: st.sectors = 512 * 512 / 32 * 4
// expect: shared_st.wavefronts = 512 * 512 / 32
// expect: shared_st.conflicts = 0
// expect: shared_ld.wavefronts = 512 * 512 / 32 * 32
// expect: shared_ld.conflicts = 512 * 512 / 32 * (32 - 1)
/* Through a tile: global memory is read and written in rows, but a column of the tile lies in one bank. */
#define PITCH 32
#include "transpose_tiled.cuh"

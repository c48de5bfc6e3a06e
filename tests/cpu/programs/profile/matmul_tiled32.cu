// expect: ld.requests = 2 * 128 / 32 * 128 * 128 / 32
// expect: ld.sectors = 2 * 128 / 32 * 128 * 128 / 32 * 4
// expect: st.requests = 128 * 128 / 32
// expect: st.sectors = 128 * 128 / 32 * 4
// expect: shared_st.wavefronts = 2 * 128 / 32 * 128 * 128 / 32
// expect: shared_st.conflicts = 0
// expect: shared_ld.wavefronts = 2 * 128 * 128 * 128 / 32
// expect: shared_ld.conflicts = 0
/* A tile twice as wide: half of the global loads, the same shared ones. A warp is one row: it wants one word
 * of tile_a and 32 neighbours of tile_b. */
#define TILE 32
#include "matmul_tiled.cuh"

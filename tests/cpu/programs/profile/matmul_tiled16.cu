// expect: ld.requests = 2 * 128 / 16 * 128 * 128 / 32
// expect: ld.sectors = 2 * 128 / 16 * 128 * 128 / 32 * 4
// expect: st.requests = 128 * 128 / 32
// expect: st.sectors = 128 * 128 / 32 * 4
// expect: shared_st.wavefronts = 2 * 128 / 16 * 128 * 128 / 32
// expect: shared_st.conflicts = 0
// expect: shared_ld.wavefronts = 2 * 128 * 128 * 128 / 32
// expect: shared_ld.conflicts = 0
/* A warp is two rows of 16: two pieces of 64 bytes, four sectors. In tile_a it wants two words, 16 banks
 * apart; in tile_b 16 words, each for two lanes. */
#define TILE 16
#include "matmul_tiled.cuh"

// expect: shared_st.wavefronts = 2**12 * 32
// expect: shared_st.conflicts = 2**12 * 31
// expect: shared_ld.wavefronts = 2**12 * 32
// expect: shared_ld.conflicts = 2**12 * 31
// expect: ld.requests = 2**12
// expect: st.requests = 2**12
// expect: ld.sectors = 2**12 * 4
// expect: st.sectors = 2**12 * 4
/* All lanes in one bank. */
#define STRIDE 32
#include "shared_stride.cuh"

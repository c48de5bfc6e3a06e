// expect: shared_st.wavefronts = 2**12 * 2
// expect: shared_st.conflicts = 2**12 * 1
// expect: shared_ld.wavefronts = 2**12 * 2
// expect: shared_ld.conflicts = 2**12 * 1
// expect: ld.requests = 2**12
// expect: st.requests = 2**12
// expect: ld.sectors = 2**12 * 4
// expect: st.sectors = 2**12 * 4
/* Every second word: lanes 0 and 16 meet in a bank, and so do all the other pairs. */
#define STRIDE 2
#include "shared_stride.cuh"

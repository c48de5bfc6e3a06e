#ifdef __clang__
#define STEPS 1
#else
#define STEPS 2
#endif
extern "C" __global__ void k(int *p) { *p = STEPS; }
// says: __clang__

__attribute__((section("hidden"))) int x;
extern "C" __global__ void k(int *p) { *p = 1; }
// says: error: `section` can hide

static volatile int seen;
__attribute__((constructor)) static void early() { seen = 1; }
extern "C" __global__ void k(int *p) { *p = 1; }
// says: runs before main or after main

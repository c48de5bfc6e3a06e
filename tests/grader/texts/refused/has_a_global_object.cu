extern "C" int rand();
static const int early = rand();
extern "C" __global__ void k(int *p) { *p = early; }
// says: code that runs before main

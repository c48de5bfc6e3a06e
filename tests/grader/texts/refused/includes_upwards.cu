#include "../../../log"
extern "C" __global__ void k(int *p) { *p = 1; }
// says: 1): error: it includes "../../../log"

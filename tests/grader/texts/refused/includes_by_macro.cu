#define WHERE "/etc/hostname"
#include WHERE
extern "C" __global__ void k(int *p) { *p = 1; }
// says: error: it includes

extern "C" __device__ int system(const char *);
extern "C" __global__ void k(int *p) { *p = system("id"); }
// says: calls_system.cu(1): error: this calls `system`

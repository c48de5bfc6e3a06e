extern "C" int system(const char *);
extern "C" __global__ void k(int *p) { *p = system("id"); }
// says: calls_the_host.cu(2): error: calling a __host__ function

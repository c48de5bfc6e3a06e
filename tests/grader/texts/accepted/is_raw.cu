static __device__ const char from[] = R"(" /*)", to[] = R"text(*/ ")text";
extern "C" __global__ void k(int *p) { *p = from[0] + to[0]; }

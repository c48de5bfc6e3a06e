extern "C" __global__ void k(int *p) { *p = unknown; }
// says: has_a_mistake.cu(2): error:

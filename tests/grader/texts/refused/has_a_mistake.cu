extern "C" __global__ void k(int *p) {
  int i = threadIdx.x;
  p[i] = unknown;
}
// says: has_a_mistake.cu(3): error:

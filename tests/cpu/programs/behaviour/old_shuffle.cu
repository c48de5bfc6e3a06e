/* Warp functions as CUDA had them before Volta: refused, with the name of what to use. */
__global__ void sum(int *data) { data[threadIdx.x] += __shfl_down(data[threadIdx.x], 1); }

int main() { sum<<<1, 32>>>(nullptr); }

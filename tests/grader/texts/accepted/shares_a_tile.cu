template <class T> __device__ T twice(T x) { return 2 * x; }
__constant__ float factor;
extern "C" __global__ void k(float *p) {
  __shared__ float tile[64];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = factor * twice(tile[63 - threadIdx.x]) + sinf(p[0]);
  if (threadIdx.x == 0) printf("%f\n", p[0]);
}

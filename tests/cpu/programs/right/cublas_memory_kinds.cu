// flags: -lcublas
/* cuBLAS on managed memory, pinned memory and a __device__ variable,
   and captured in a graph that runs twice. */
#include "../blas.h"

static const int n = 8;
__device__ float variable[n];

__global__ void add_one() { variable[threadIdx.x] += 1; }

int main() {
  cublasHandle_t handle;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runs;
  float *managed, *pinned, *of_variable, sum;
  const float two = 2;
  BLAS(cublasCreate(&handle));
  CHECK(cudaStreamCreate(&stream));
  BLAS(cublasSetStream(handle, stream));
  CHECK(cudaMallocManaged(&managed, n * sizeof *managed));
  CHECK(cudaMallocHost(&pinned, n * sizeof *pinned));
  CHECK(cudaGetSymbolAddress(reinterpret_cast<void **>(&of_variable), variable));
  for (int i = 0; i < n; i++) managed[i] = static_cast<float>(i);

  BLAS(cublasScopy(handle, n, managed, 1, of_variable, 1));
  add_one<<<1, n, 0, stream>>>();
  BLAS(cublasSasum(handle, n, of_variable, 1, &sum));
  expect("sum of the variable", 0, sum, n * (n - 1) / 2 + n);
  BLAS(cublasScopy(handle, n, of_variable, 1, pinned, 1));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i++) expect("pinned", i, pinned[i], i + 1);

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  BLAS(cublasSscal(handle, n, &two, pinned, 1));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&runs, graph, 0));
  CHECK(cudaGraphLaunch(runs, stream));
  CHECK(cudaGraphLaunch(runs, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i++) expect("twice doubled", i, pinned[i], 4 * (i + 1));

  CHECK(cudaGraphExecDestroy(runs));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
  BLAS(cublasDestroy(handle));
  CHECK(cudaStreamDestroy(stream));
}

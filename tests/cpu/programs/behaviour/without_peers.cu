// Two devices that cannot access each other's memory for a while (cucc_without_peers), though one of them has been
// allowed to before.
#include <cassert>
#include <cstdio>
#include <cucc.h>

static void expect(int wanted, cudaError_t enabled) {
  int can, supported;
  assert(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess && can == wanted);
  assert(cudaDeviceGetP2PAttribute(&supported, cudaDevP2PAttrAccessSupported, 0, 1) == cudaSuccess);
  assert(supported == wanted && cudaDeviceEnablePeerAccess(1, 0) == enabled);
  cudaGetLastError();
}

int main() {
  int *there, *here, number = 7;
  expect(1, cudaSuccess);
  cucc_without_peers(1);
  expect(0, cudaErrorPeerAccessUnsupported);
  assert(cudaMalloc(&here, sizeof *here) == cudaSuccess && cudaSetDevice(1) == cudaSuccess);
  assert(cudaMalloc(&there, sizeof *there) == cudaSuccess);
  assert(cudaMemcpy(there, &number, sizeof number, cudaMemcpyHostToDevice) == cudaSuccess);
  assert(cudaMemcpyPeer(here, 0, there, 1, sizeof number) == cudaSuccess);
  number = 0;
  assert(cudaMemcpy(&number, here, sizeof number, cudaMemcpyDeviceToHost) == cudaSuccess && number == 7);
  cudaFree(there);
  cudaFree(here);
  cucc_without_peers(0);
  assert(cudaSetDevice(0) == cudaSuccess);
  expect(1, cudaErrorPeerAccessAlreadyEnabled);
  puts("copied through the host");
}

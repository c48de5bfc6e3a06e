// with: CUCC_DEVICES=2
/* Peer access: asked for, switched on and off, with the errors that each wrong turn gives. */
#include "program.h"

static void gives(const char *what, cudaError_t got, cudaError_t want) {
  expect(what, 0, got, want);
  expect(what, 1, cudaGetLastError(), want);
}

int main() {
  int devices, can, rank;
  CHECK(cudaGetDeviceCount(&devices));
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
  expect("peer of itself", 0, can, 0);
  gives("no such peer", cudaDeviceCanAccessPeer(&can, 0, 1000), cudaErrorInvalidDevice);
  gives("itself", cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  if (devices < 2) return 0;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
  if (!can) return 0;
  CHECK(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrAccessSupported, 0, 1));
  expect("supported", 0, rank, 1);
  gives("not enabled", cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  gives("flags", cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(1, 0));
  gives("twice", cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  CHECK(cudaSetDevice(1)); /* one way only */
  gives("other way", cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceDisablePeerAccess(1));
}

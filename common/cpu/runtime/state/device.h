#ifndef CUCC_STATE_DEVICE_H
#define CUCC_STATE_DEVICE_H

#include "base/base.h"
#include "base/options.h"

struct device_settings {
  bool peer[DEVICES_MAX]; /* whose memory its kernels may touch */
  unsigned flags;
  enum cudaFuncCache cache;
  size_t limits[cudaLimitPersistingL2CacheSize + 1];
};

/* The largest window of memory for the L2 cache (cudaStreamSetAttribute): an A100's. */
#define WINDOW_BYTES 134213632

/* The device that the calling thread has chosen. */
int device_current(void);
void device_choose(int device);
bool device_exists(int device);
/* The hardware lets them: cucc_without_peers. */
bool device_peers_exist(void);
/* Kernels on device `from` may touch the memory of device `to`: the same, or peer access is enabled. */
bool device_peer_allowed(int from, int to);
/* Copies between the two go straight from one to the other. */
static inline bool device_peers(int a, int b) {
  return device_peer_allowed(a, b) || device_peer_allowed(b, a);
}
/* The compute capability of one of them, in tenths. */
int device_capability(int device);
/* What cudaDeviceSetLimit has set, or its default; 0 for a limit that there is not. */
size_t device_limit(int device, enum cudaLimit limit);
extern struct device_settings device_settings[DEVICES_MAX];

#endif

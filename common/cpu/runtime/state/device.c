/*
 * Which device: each thread of the host has chosen one (cudaSetDevice), 0 until then. CUCC_DEVICES says how
 * many there are. They share the cores and the engine's one thread; what is apart for each is its memory, its
 * streams and events, its default stream, its limits, and which others may reach it.
 */
#include "state/device.h"

#include "base/options.h"
#include "cucc.h"

static __thread int selected;

struct device_settings device_settings[DEVICES_MAX];

/* As a GPU's after start; 0: not supported. */
static const size_t default_limits[] = {
    [cudaLimitStackSize] = 1024,           [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,   [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64, [cudaLimitPersistingL2CacheSize] = 0};

static int capabilities[DEVICES_MAX]; /* 0: the usual one */

int device_capability(int device) {
  const int set = __atomic_load_n(&capabilities[device], __ATOMIC_RELAXED);
  return set ? set : 80;
}

void cucc_set_capability(int device, int tenths) {
  if (device >= 0 && device < DEVICES_MAX) __atomic_store_n(&capabilities[device], tenths, __ATOMIC_RELAXED);
}

int device_current(void) { return selected; }

void device_choose(int device) { selected = device; }

bool device_exists(int device) { return device >= 0 && device < options()->devices; }

static int without_peers;

void cucc_without_peers(int without) { __atomic_store_n(&without_peers, without, __ATOMIC_RELAXED); }

bool device_peers_exist(void) { return !__atomic_load_n(&without_peers, __ATOMIC_RELAXED); }

bool device_peer_allowed(int from, int to) {
  return from == to ||
         (device_peers_exist() && __atomic_load_n(&device_settings[from].peer[to], __ATOMIC_RELAXED));
}

/* ---------------------------------------------------------------------------------------------- settings */

size_t device_limit(int device, enum cudaLimit limit) {
  const size_t set = device_settings[device].limits[limit];
  return set ? set : default_limits[limit];
}

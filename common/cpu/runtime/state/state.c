/*
 * The one shared state, and the errors that calls return. One mutex, cucc.lock, guards everything that host
 * calls and the engine share. Kernels run without it.
 */
#include "state/state.h"

#include "state/device.h"
#include "state/failed.h"

struct state cucc = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static __thread cudaError_t last_error;

cudaError_t cucc_last_error(bool forget) {
  const cudaError_t error = last_error;
  failed_seen();
  if (forget) last_error = cudaSuccess;
  return error;
}

void cucc_set_last_error(cudaError_t error) { last_error = error; }

cudaError_t cucc_fail(cudaError_t error) {
  if (error != cudaSuccess) failed_note(error);
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

void cucc_fault(cudaError_t error, int device, const struct op *op) {
  failed_operation(error, op);
  cucc.sticky = error;
  cucc.faulty_device = device;
}

/* Measured on H200s with CUDA 13: the process can work with no other device either. */
cudaError_t cucc_after_fault(void) {
  return cucc.sticky && device_current() != cucc.faulty_device ? cudaErrorDevicesUnavailable : cucc.sticky;
}

__thread uintptr_t cucc_callback;

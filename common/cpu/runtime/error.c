/*
 * Errors, as the device gives them: every call returns its own; the calling thread keeps the last one until
 * cudaGetLastError; a kernel's fault is sticky, and every call after it fails with it. cudaErrorNotReady is
 * an answer and is not kept.
 */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "findings.h"
#include "profile.h"

struct state cucc = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static __thread cudaError_t last_error;

static const struct {
  cudaError_t error;
  const char *name, *text;
} errors[] = {
#define ERROR(name, text)                                                                                    \
  { name, #name, text }
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInitializationError, "initialization error"),
    ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    ERROR(cudaErrorAssert, "device-side assert triggered"),
    ERROR(cudaErrorHostMemoryAlreadyRegistered,
          "part or all of the requested memory range is already mapped"),
    ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    ERROR(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ERROR(cudaErrorNotPermitted, "operation not permitted"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
    ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
    ERROR(cudaErrorSystemDriverMismatch, "system has unsupported display driver / cuda driver combination"),
    ERROR(cudaErrorUnknown, "unknown error"),
#undef ERROR
};

const char *cudaGetErrorName(cudaError_t error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == error) return errors[i].name;
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == error) return errors[i].text;
  return "unrecognized error code";
}

cudaError_t cudaGetLastError(void) {
  const cudaError_t error = cucc.sticky ? cucc.sticky : last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) { return cucc.sticky ? cucc.sticky : last_error; }

cudaError_t cucc_fail(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

/* CUCC_FAIL=cudaMalloc:2 makes the second cudaMalloc fail, so that error handling can be tried. */
static bool injected(const char *call) {
  static int calls;
  const struct options *o = options();
  return o->fail_at && !strcmp(o->fail_call, call) &&
         __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == o->fail_at;
}

static void at_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != cucc.pid) return;
  profile_report();
  findings_at_exit(status);
}

cudaError_t cucc_enter(const char *call) {
  pthread_mutex_lock(&cucc.lock);
  if (!cucc.started) {
    cucc.started = true;
    cucc.pid = getpid();
    on_exit(at_exit, NULL);
    check_start();
    profile_start();
  }
  const bool forked = cucc.pid != getpid();
  engine_host_active();
  pthread_mutex_unlock(&cucc.lock);
  if (forked) /* the engine's thread stayed in the parent; CUDA refuses, too */
    return cucc_fail(cudaErrorInitializationError);
  if (cucc.sticky) return cucc_fail(cucc.sticky);
  if (injected(call))
    return cucc_fail(strstr(call, "Alloc") || strstr(call, "alloc") ? cudaErrorMemoryAllocation
                                                                    : cudaErrorUnknown);
  return cudaSuccess;
}

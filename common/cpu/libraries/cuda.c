/*
 * The driver API's few calls but for modules (cuda_modules.c, cuda_functions.c): most are the runtime's under another name. They end in the runtime's call, so
 * that a compiler makes a jump of it and the runtime sees the caller's place.
 */
#include "cuda.h"

#include <stdio.h>
#include <string.h>

#include "state/device.h"
#include "memory/arena.h"
#include "engine/entry.h"

/* ---------------------------------------------------------------------------------------------- devices */

CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : (CUresult)cucc_enter("cuInit"); }

CUresult cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }

/* cudaErrorInvalidValue -> CUDA_ERROR_INVALID_VALUE is not a rule: the driver has its own names. */
static const struct {
  CUresult error;
  const char *name;
} names[] = {
#define NAME(name)                                                                                           \
  { name, #name }
    NAME(CUDA_SUCCESS),
    NAME(CUDA_ERROR_INVALID_VALUE),
    NAME(CUDA_ERROR_OUT_OF_MEMORY),
    NAME(CUDA_ERROR_NOT_INITIALIZED),
    NAME(CUDA_ERROR_DEINITIALIZED),
    NAME(CUDA_ERROR_NO_DEVICE),
    NAME(CUDA_ERROR_INVALID_DEVICE),
    NAME(CUDA_ERROR_INVALID_IMAGE),
    NAME(CUDA_ERROR_INVALID_CONTEXT),
    NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
    NAME(CUDA_ERROR_INVALID_PTX),
    NAME(CUDA_ERROR_FILE_NOT_FOUND),
    NAME(CUDA_ERROR_INVALID_HANDLE),
    NAME(CUDA_ERROR_NOT_FOUND),
    NAME(CUDA_ERROR_NOT_READY),
    NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
    NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    NAME(CUDA_ERROR_LAUNCH_TIMEOUT),
    NAME(CUDA_ERROR_ASSERT),
    NAME(CUDA_ERROR_MISALIGNED_ADDRESS),
    NAME(CUDA_ERROR_LAUNCH_FAILED),
    NAME(CUDA_ERROR_NOT_SUPPORTED),
    NAME(CUDA_ERROR_UNKNOWN),
#undef NAME
};

CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].error == error) *name = names[i].name;
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  const char *name;
  *text = NULL;
  if (cuGetErrorName(error, &name)) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}

static bool exists(CUdevice device) { return device >= 0 && device < options()->devices; }

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  const CUresult error = (CUresult)cucc_enter("cuDeviceGet");
  if (error) return error;
  if (!exists(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) { return (CUresult)cudaGetDeviceCount(count); }

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  struct cudaDeviceProp p;
  if (!name || length < 1) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaGetDeviceProperties(&p, device);
  if (!error) snprintf(name, (size_t)length, "%s", p.name);
  return (CUresult)error;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return (CUresult)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  if (!bytes || !exists(device)) return CUDA_ERROR_INVALID_VALUE;
  *bytes = memory_total();
  return CUDA_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- contexts */

/* A context is its device: the handle is the place of the device in here. */
static char contexts[DEVICES_MAX];

static CUcontext context_of(CUdevice device) { return (CUcontext)&contexts[device]; }
static CUdevice device_of(CUcontext context) { return (CUdevice)((char *)context - contexts); }

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (!exists(device)) return CUDA_ERROR_INVALID_DEVICE;
  *context = context_of(device);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return exists(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  (void)flags;
  const CUresult error = cuDevicePrimaryCtxRetain(context, device);
  return error ? error : (CUresult)cudaSetDevice(device);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device) {
  return parameters ? CUDA_ERROR_NOT_SUPPORTED : cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
  return context && exists(device_of(context)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (!context) return CUDA_SUCCESS;
  return exists(device_of(context)) ? (CUresult)cudaSetDevice(device_of(context))
                                    : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = context_of(device_current());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) { return (CUresult)cudaGetDevice(device); }

CUresult cuCtxSynchronize(void) { return (CUresult)cudaDeviceSynchronize(); }

/* -------------------------------------------------------------------------------- memory, streams, events */

#define SAME(NAME, PARAMETERS, CALL)                                                                         \
  CUresult NAME PARAMETERS { return (CUresult)CALL; }
#define AT(address) ((void *)(uintptr_t)(address))

SAME(cuMemAlloc, (CUdeviceptr * address, size_t bytes), cudaMalloc((void **)address, bytes))
SAME(cuMemFree, (CUdeviceptr address), cudaFree(AT(address)))
SAME(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes),
     cudaMemcpy(AT(to), from, bytes, cudaMemcpyHostToDevice))
SAME(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes),
     cudaMemcpy(to, AT(from), bytes, cudaMemcpyDeviceToHost))
SAME(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
     cudaMemcpy(AT(to), AT(from), bytes, cudaMemcpyDeviceToDevice))
SAME(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
     cudaMemcpyAsync(AT(to), from, bytes, cudaMemcpyHostToDevice, stream))
SAME(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
     cudaMemcpyAsync(to, AT(from), bytes, cudaMemcpyDeviceToHost, stream))
SAME(cuMemsetD8, (CUdeviceptr to, unsigned char value, size_t bytes), cudaMemset(AT(to), value, bytes))
SAME(cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
SAME(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
SAME(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
SAME(cuEventCreate, (CUevent * event, unsigned flags), cudaEventCreateWithFlags(event, flags))
SAME(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
SAME(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
SAME(cuEventElapsedTime, (float *ms, CUevent start, CUevent end), cudaEventElapsedTime(ms, start, end))
SAME(cuEventDestroy, (CUevent event), cudaEventDestroy(event))

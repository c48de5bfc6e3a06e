/*
 * Calls that fail on purpose, so that error handling can be tried: the one that CUCC_FAIL=cudaMalloc:2 names,
 * or the one that a program chose by its number among the calls that may fail (cucc_fail_call).
 */
#include "engine/injected.h"

#include <string.h>

#include "base/options.h"
#include "state/counters.h"
#include "state/state.h"
#include "state/streams.h"
#include "cucc.h"

/*
 * Which calls cucc_fail_call counts, by the beginnings of their names (the last that fits), and how they fail.
 * The errors differ, so that a program that returns another one than it got is found out. cudaSuccess: not counted,
 * as it is one of many calls of a search.
 * REFUSED: nothing is done, and a program may find another way to its answer.
 * FINAL: nothing is done, and there is no other way: pageable memory in place of pinned is none.
 * LATE: the call does its work and then returns an error, which may be that of earlier work; no other way either.
 * ASKED: a question whether work is done; the same question asked again and again counts once. As after a fault of the
 * device, each later question or wait gives the same error. A loop that waits for success would not end, so after
 * MOST_ERRORS of them there is success again.
 */
enum kind { REFUSED, FINAL, LATE, ASKED };
static const struct failing {
  const char *begins;
  cudaError_t error;
  enum kind kind;
} failing[] = {
    {"cudaMalloc", cudaErrorMemoryAllocation, REFUSED},
    {"cudaMallocHost", cudaErrorMemoryAllocation, FINAL},
    {"cudaHostAlloc", cudaErrorMemoryAllocation, FINAL},
    {"cudaHostRegister", cudaErrorMemoryAllocation, FINAL},
    {"cudaMemcpy", cudaErrorECCUncorrectable, REFUSED},
    {"cudaMemset", cudaErrorECCUncorrectable, REFUSED},
    {"cudaLaunchKernel", cudaErrorLaunchOutOfResources, REFUSED},
    {"cudaLaunchCooperativeKernel", cudaErrorLaunchOutOfResources, REFUSED},
    {"cudaGraphLaunch", cudaErrorLaunchOutOfResources, REFUSED},
    {"cudaGraphInstantiate", cudaErrorMemoryAllocation, REFUSED},
    {"cudaStreamCreate", cudaErrorDevicesUnavailable, REFUSED},
    {"cudaEventCreate", cudaErrorDevicesUnavailable, REFUSED},
    {"cuModuleLoad", cudaErrorDevicesUnavailable, REFUSED},
    {"cublas", cudaErrorLaunchFailure, REFUSED},
    {"cublasCreate", cudaErrorInitializationError, REFUSED},
    {"cublasGet", cudaErrorInitializationError, REFUSED},
    {"cublasSetStream", cudaErrorInitializationError, FINAL},
    {"cublasSetPointerMode", cudaErrorInitializationError, REFUSED},
    {"cublasSetMathMode", cudaErrorInitializationError, REFUSED},
    {"nccl", cudaErrorNvlinkUncorrectable, REFUSED},
    {"cudaGetDevice", cudaErrorInitializationError, REFUSED},
    {"cudaDeviceGet", cudaErrorInitializationError, REFUSED},
    {"cudaDeviceCanAccessPeer", cudaErrorInitializationError, REFUSED},
    {"cudaDeviceEnablePeerAccess", cudaErrorTooManyPeers, REFUSED},
    {"cudaMemGetInfo", cudaErrorInitializationError, REFUSED},
    {"cudaPointerGetAttributes", cudaErrorInitializationError, REFUSED},
    {"cudaGetSymbol", cudaErrorInvalidSymbol, REFUSED},
    {"cudaHostGetDevicePointer", cudaErrorNotSupported, REFUSED},
    {"cudaFunc", cudaErrorInvalidDeviceFunction, REFUSED},
    {"cudaOccupancy", cudaErrorInvalidDeviceFunction, REFUSED},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", cudaSuccess, REFUSED},
    {"cuModuleGet", cudaErrorSharedObjectInitFailed, REFUSED},
    {"cuLibraryGet", cudaErrorSharedObjectInitFailed, REFUSED},
    {"cudaLibraryGet", cudaErrorSharedObjectInitFailed, REFUSED},
    {"cuDeviceGet", cudaErrorInitializationError, REFUSED},
    {"cudaEventElapsedTime", cudaErrorInvalidResourceHandle, REFUSED},
    {"cudaStreamBeginCapture", cudaErrorStreamCaptureUnsupported, REFUSED},
    {"cudaStreamEndCapture", cudaErrorStreamCaptureInvalidated, LATE},
    {"cudaEventRecord", cudaErrorInvalidResourceHandle, FINAL},
    {"cudaStreamWaitEvent", cudaErrorInvalidResourceHandle, FINAL},
    {"cudaStreamSynchronize", cudaErrorIllegalAddress, LATE},
    {"cudaEventSynchronize", cudaErrorIllegalAddress, LATE},
    {"cudaDeviceSynchronize", cudaErrorIllegalAddress, LATE},
    {"cudaStreamQuery", cudaErrorIllegalAddress, ASKED},
    {"cudaEventQuery", cudaErrorIllegalAddress, ASKED},
};

#define CALLS_KEPT  512
#define MOST_ERRORS 1000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int chosen = -1;  /* -1: nothing is counted */
static bool later;       /* waits after the chosen one fail, too */
static pthread_t thread; /* that made the chosen call */
static int faulted;      /* how many more calls fail: the chosen one was a question */
static cucc_failure now;
static int none;                      /* the calls are not counted for a while */
static const char *names[CALLS_KEPT]; /* of the calls, in their order */

void cucc_fail_call(int number) {
  pthread_mutex_lock(&lock);
  chosen = number;
  later = false;
  faulted = 0;
  now = (cucc_failure){0};
  none = 0;
  memset(names, 0, sizeof names);
  pthread_mutex_unlock(&lock);
}

void cucc_fail_later(void) {
  pthread_mutex_lock(&lock);
  later = true;
  pthread_mutex_unlock(&lock);
}

void cucc_fail_none(int is_none) {
  __atomic_store_n(&none, is_none, __ATOMIC_RELAXED);
  counters_own_calls(is_none);
}

cucc_failure cucc_failed_call(void) {
  pthread_mutex_lock(&lock);
  const cucc_failure failure = now;
  pthread_mutex_unlock(&lock);
  return failure;
}

const char *cucc_call_that_may_fail(int number) {
  return number >= 1 && number <= CALLS_KEPT && names[number - 1] ? names[number - 1] : "";
}

/* Whether the host has waited for all work. */
static bool all_known(void) {
  struct clock all = {0};
  pthread_mutex_lock(&cucc.lock);
  for (int device = 0; device < DEVICES_MAX; device++) stream_join_device(&all, device);
  const bool known = clock_covers(&cucc.host, &all);
  pthread_mutex_unlock(&cucc.lock);
  clock_free(&all);
  return known;
}

/* NULL: the call is not counted, as a wait or a question when nothing is left to wait for. */
static const struct failing *kind_of(const char *call) {
  const struct failing *found = NULL;
  if (__atomic_load_n(&none, __ATOMIC_RELAXED)) return NULL;
  for (size_t i = 0; i < sizeof failing / sizeof *failing; i++)
    if (!strncmp(call, failing[i].begins, strlen(failing[i].begins))) found = &failing[i];
  if (!found || !found->error) return NULL;
  const bool waits = strstr(call, "Synchronize") || found->kind == ASKED;
  return waits && !__atomic_load_n(&faulted, __ATOMIC_RELAXED) && all_known() ? NULL : found;
}

/* How a call of this kind fails that comes after the one that failed: only one that does its work. A program may make
 * other calls before it asks for the last error. */
static cudaError_t later_error(enum kind kind) {
  if (!now.error || (kind != LATE && kind != ASKED)) return cudaSuccess;
  if (faulted) return __atomic_fetch_sub(&faulted, 1, __ATOMIC_RELAXED), (cudaError_t)now.error;
  return later && pthread_equal(thread, pthread_self()) ? cudaErrorUnknown : cudaSuccess;
}

static bool is_same_question(const struct failing *found, const char *call) {
  return found->kind == ASKED && now.calls > 0 && now.calls <= CALLS_KEPT &&
         strcmp(names[now.calls - 1], call) == 0;
}

static __thread cudaError_t late; /* what the call that runs returns at its end */

static cudaError_t chosen_error(const char *call) {
  const struct failing *found = kind_of(call);
  late = cudaSuccess;
  if (!found) return cudaSuccess;
  pthread_mutex_lock(&lock);
  const bool again = is_same_question(found, call);
  if (!again && now.calls++ < CALLS_KEPT) names[now.calls - 1] = call;
  cudaError_t error = later_error(found->kind);
  if (!again && now.calls == chosen) {
    error = found->error;
    __atomic_store_n(&faulted, found->kind == ASKED ? MOST_ERRORS : 0, __ATOMIC_RELAXED);
    thread = pthread_self();
    now = (cucc_failure){now.calls, (int)error, found->kind != REFUSED};
  }
  pthread_mutex_unlock(&lock);
  if (found->kind != LATE && found->kind != ASKED) return error;
  late = error;
  return cudaSuccess;
}

cudaError_t late_error(cudaError_t own) {
  const cudaError_t error = own ? own : late;
  late = cudaSuccess;
  return error;
}

static bool groups_fail;
static int groups_failed;

int cucc_fail_groups(int fail) {
  __atomic_store_n(&groups_fail, fail != 0, __ATOMIC_RELAXED);
  return __atomic_exchange_n(&groups_failed, 0, __ATOMIC_RELAXED);
}

bool injected_in_group(void) {
  if (!__atomic_load_n(&groups_fail, __ATOMIC_RELAXED)) return false;
  __atomic_add_fetch(&groups_failed, 1, __ATOMIC_RELAXED);
  return true;
}

static cudaError_t named_error(const char *call) {
  static int calls;
  const struct options *o = options();
  if (!o->fail_at || strcmp(o->fail_call, call) ||
      __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != o->fail_at)
    return cudaSuccess;
  return strstr(call, "Alloc") || strstr(call, "alloc") ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

cudaError_t injected_error(const char *call) {
  const cudaError_t error = named_error(call);
  return error || __atomic_load_n(&chosen, __ATOMIC_RELAXED) < 0 ? error : chosen_error(call);
}

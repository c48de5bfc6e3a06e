/*
 * Calls that fail on purpose, so that error handling can be tried: the one that CUCC_FAIL=cudaMalloc:2 names,
 * or the one that a program chose by its number among the calls that may fail (cucc_fail_call).
 */
#include "engine/injected.h"

#include <string.h>

#include "base/options.h"
#include "state/state.h"
#include "state/streams.h"
#include "engine/engine.h"
#include "cucc.h"

/* Which calls cucc_fail_call counts, by the beginnings of their names, and how they fail. The errors differ,
 * so that a program that returns another one than it got is found out, and a wait that
 * fails ends when all work has: its error may be that of the work. */
enum kind { OTHER_WAY, NO_OTHER_WAY, WAITS }; /* whether a program could get its answer without that call */
static const struct failing {
  const char *begins;
  cudaError_t error;
  enum kind kind;
} failing[] = {
    {"cudaMalloc", cudaErrorMemoryAllocation},
    {"cudaHostAlloc", cudaErrorMemoryAllocation},
    {"cudaHostRegister", cudaErrorMemoryAllocation},
    {"cudaHostUnregister", cudaErrorIllegalAddress, NO_OTHER_WAY},
    {"cudaStreamSynchronize", cudaErrorIllegalAddress, WAITS},
    {"cudaEventSynchronize", cudaErrorIllegalAddress, WAITS},
    {"cudaDeviceSynchronize", cudaErrorIllegalAddress, WAITS},
    {"cudaEventRecord", cudaErrorInvalidResourceHandle, NO_OTHER_WAY},
    {"cudaStreamWaitEvent", cudaErrorInvalidResourceHandle, NO_OTHER_WAY},
    {"cudaMemcpy", cudaErrorECCUncorrectable},
    {"cudaMemset", cudaErrorECCUncorrectable},
    {"cudaLaunchKernel", cudaErrorLaunchOutOfResources},
    {"cudaLaunchCooperativeKernel", cudaErrorLaunchOutOfResources},
    {"cudaGraphLaunch", cudaErrorLaunchOutOfResources},
    {"cudaGraphInstantiate", cudaErrorMemoryAllocation},
    {"cudaStreamCreate", cudaErrorDevicesUnavailable},
    {"cudaEventCreate", cudaErrorDevicesUnavailable},
    {"cuModuleLoad", cudaErrorDevicesUnavailable},
    {"cublas", cudaErrorLaunchFailure},
    {"cublasCreate", cudaErrorInitializationError},
    {"nccl", cudaErrorNvlinkUncorrectable},
};

#define CALLS_KEPT 512

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int chosen = -1; /* -1: nothing is counted */
static cucc_failure now;
static int none;                      /* the calls are not counted for a while */
static const char *names[CALLS_KEPT]; /* of the calls, in their order */

void cucc_fail_call(int number) {
  pthread_mutex_lock(&lock);
  chosen = number;
  now = (cucc_failure){0};
  none = 0;
  memset(names, 0, sizeof names);
  pthread_mutex_unlock(&lock);
}

void cucc_fail_none(int is_none) { __atomic_store_n(&none, is_none, __ATOMIC_RELAXED); }

cucc_failure cucc_failed_call(void) {
  pthread_mutex_lock(&lock);
  const cucc_failure failure = now;
  pthread_mutex_unlock(&lock);
  return failure;
}

const char *cucc_call_that_may_fail(int number) {
  return number >= 1 && number <= CALLS_KEPT && names[number - 1] ? names[number - 1] : "";
}

/* Whether the host has waited for all work; `wait`: now it does. */
static bool all_known(bool wait) {
  struct clock all = {0};
  pthread_mutex_lock(&cucc.lock);
  for (int device = 0; device < DEVICES_MAX; device++) stream_join_device(&all, device);
  if (wait) engine_wait(&all);
  const bool known = clock_covers(&cucc.host, &all);
  pthread_mutex_unlock(&cucc.lock);
  clock_free(&all);
  return known;
}

/* NULL: the call is not counted, as a wait when nothing is left to wait for. */
static const struct failing *kind_of(const char *call) {
  const struct failing *found = NULL;
  if (__atomic_load_n(&none, __ATOMIC_RELAXED)) return NULL;
  for (size_t i = 0; i < sizeof failing / sizeof *failing; i++)
    if (!strncmp(call, failing[i].begins, strlen(failing[i].begins))) found = &failing[i];
  return found && found->kind == WAITS && all_known(false) ? NULL : found;
}

static cudaError_t chosen_error(const char *call) {
  const struct failing *found = kind_of(call);
  if (!found) return cudaSuccess;
  pthread_mutex_lock(&lock);
  if (now.calls++ < CALLS_KEPT) names[now.calls - 1] = call;
  const bool fails = now.calls == chosen;
  if (fails) now = (cucc_failure){now.calls, (int)found->error, found->kind != OTHER_WAY};
  pthread_mutex_unlock(&lock);
  if (fails && found->kind == WAITS) all_known(true);
  return fails ? found->error : cudaSuccess;
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

/*
 * The entry of every call, and errors as the device gives them. Every call returns its own error; the calling
 * thread keeps the last one until cudaGetLastError; a kernel's fault is sticky, and every call after it fails
 * with it. cudaGetLastError is no such call: asked twice in a row it gives cudaSuccess, after a fault too.
 * cudaErrorNotReady is an answer and is not kept.
 */
#include "engine/entry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state/capture.h"
#include "state/failed.h"
#include "state/state.h"
#include "memory/shadow.h"
#include "checker/findings.h"
#include "checker/misuse.h"
#include "checker/profile.h"
#include "checker/refused.h"
#include "engine/engine.h"
#include "engine/injected.h"
#include "cucc.h"

/* Leaks are looked for only where the program ended well: after an error, programs often do not clean up. */
static void at_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != cucc.pid) return;
  profile_report();
  check_program_ends();
  if (status == 0 && !cucc.sticky) cucc_check_leaks();
  findings_at_exit();
}

/* What a library of its own, as cuBLAS is, or the driver returns is not the runtime's last error. NCCL calls the runtime. */
static bool has_last_error(const char *call) {
  return strncmp(call, "cuda", 4) == 0 || strncmp(call, "nccl", 4) == 0;
}

static cudaError_t fail_on_purpose(const char *call) {
  const cudaError_t error = injected_error(call);
  if (has_last_error(call)) return cucc_fail(error);
  if (error) failed_note(error);
  return error;
}

cudaError_t cucc_enter(const char *call) {
  failed_enter(call);
  /* After a fork the engine's thread stayed in the parent, perhaps with the lock: CUDA refuses, too. */
  const int pid = __atomic_load_n(&cucc.pid, __ATOMIC_RELAXED);
  if (pid && pid != getpid()) return cucc_fail(cudaErrorInitializationError);
  if (cucc_callback) { /* on a GPU it may wait for ever, so CUDA forbids it */
    check_callback_calls(call, cucc_callback);
    return cucc_fail(cudaErrorNotPermitted);
  }
  pthread_mutex_lock(&cucc.lock);
  if (!cucc.started) {
    cucc.started = true;
    cucc.pid = getpid();
    on_exit(at_exit, NULL);
    check_start();
    profile_start();
  }
  const bool possible = engine_start();
  const cudaError_t captured = capture_enter(call);
  engine_host_active();
  pthread_mutex_unlock(&cucc.lock);
  if (cucc.sticky) return cucc_fail(cucc_after_fault());
  if (!possible) return cucc_fail(cudaErrorMemoryAllocation);
  if (captured) return cucc_fail(captured);
  return fail_on_purpose(call);
}

#ifndef CUCC_STATE_STATE_H
#define CUCC_STATE_STATE_H

#include "base/base.h"
#include "base/clock.h"
#include "base/options.h"

struct CUevent_st;
struct op;
struct CUstream_st;

struct state {
  pthread_mutex_t lock;
  pthread_cond_t work, done; /* engine: something to do; hosts: something ended */
  bool started;
  int pid;
  cudaError_t sticky; /* of the kernel that faulted on this device: */
  int faulty_device;
  struct CUstream_st *streams; /* in order of creation */
  struct CUevent_st *events;
  struct clock host; /* what the host has waited for */
  /* of each device, the last work in its default stream: later work of blocking streams waits for it */
  struct clock legacy[DEVICES_MAX];
  struct clock wanted; /* what hosts are waiting for right now: run first */
  int waiters;
  bool kicked; /* the host polls: run all there is */
  uint64_t issued, pending;
  double last_call_ms, last_call_cpu_ms; /* wall clock, and the process's processor time */
  unsigned epoch;                        /* number of cucc_reset calls */
};
extern struct state cucc;
/* An operation on a device faulted (NULL: not known which). With cucc.lock held, or by the engine. */
void cucc_fault(cudaError_t error, int device, const struct op *op);
/* What each call on the chosen device gives since then; cudaSuccess: nothing has faulted. */
cudaError_t cucc_after_fault(void);
/* Records the calling thread's last error and returns it. */
cudaError_t cucc_fail(cudaError_t error);
/* The calling thread's last error; `forget`: from now on cudaSuccess. */
cudaError_t cucc_last_error(bool forget);
/* Makes it `error` again, after calls whose errors it does not record: those of the driver API. */
void cucc_set_last_error(cudaError_t error);
/* Where the function that runs now on this thread was given to a stream; 0: none runs. */
extern __thread uintptr_t cucc_callback;

#endif

/*
 * worker/worker.h: the parent's side of worker/protocol.h. A worker is a forked process that runs the
 * learner's code. The parent sends it one request at a time, never trusts it, and never waits longer than
 * the limit.
 */
#ifndef WB_WORKER_H
#define WB_WORKER_H

#include "base/text.h"
#include "worker/protocol.h"
#include <signal.h>
#include <sys/types.h>

#define WB_OUTPUT_BYTES (64 * 1024) /* kept of the output of each task */

typedef enum {
  WB_ANSWERED,
  WB_DIED,        /* it ended, by a signal or by itself */
  WB_TOO_SLOW,    /* over the time limit */
  WB_NONSENSE,    /* it sent something that is no answer, or closed the connection */
  WB_INTERRUPTED, /* this program was asked to end */
} wb_outcome;

typedef struct wb_worker {
  pid_t pid; /* 0: none */
  int socket, output;
  int compile;         /* a socket for texts to compile (wb_device_compile_serve); -1: none */
  int status;          /* as waitpid gives it, after WB_DIED */
  double limit_s;      /* for each request, without waiting for a processor or a compiler */
  wb_channel *channel; /* shared */
  wb_text printed;     /* the first WB_OUTPUT_BYTES of its output */
  bool printed_more;
  bool frozen;
  double asked_ms; /* when the last request was sent */
} wb_worker;

/* The signal that asks this program to end; 0: none yet. */
extern volatile sig_atomic_t wb_interrupted;

/* Lets SIGINT, SIGTERM and SIGHUP set wb_interrupted, and makes this process inherit orphans of workers. */
void wb_worker_setup(void);

/* Forks a worker for a task (NULL: only to open the device). Returns false, with errno, when the system
 * refuses. */
bool wb_worker_start(wb_worker *worker, const wb_task *task, wb_arena *arena, double limit_s);

/*
 * Sends a request (its number is set here) and waits for the reply. *seen_ms, if not NULL: how long that took
 * by this process's clock. After anything but WB_ANSWERED the worker and all that it started are dead.
 */
wb_outcome wb_worker_ask(wb_worker *worker, wb_request *request, wb_reply *reply, double *seen_ms);

/* The same in two steps, so that several workers do what they are asked at the same time. wb_worker_send returns
 * WB_ANSWERED where the request is sent. */
wb_outcome wb_worker_send(wb_worker *worker, wb_request *request);
wb_outcome wb_worker_receive(wb_worker *worker, const wb_request *request, wb_reply *reply, double *seen_ms);

/* Stops all its threads until the next request, so that an answer stays unchanged while it is checked, and
 * the worker uses no processor while something else is timed. */
void wb_worker_freeze(wb_worker *worker);

/* Asks it to quit, kills its remaining processes, reads the rest of its output. Returns WB_NONSENSE when
 * it sent more than its answers. */
wb_outcome wb_worker_stop(wb_worker *worker);

/* Frees what the struct owns; the worker must have been stopped. */
void wb_worker_free(wb_worker *worker);

/* Seconds that a request may take: WB_TIME_LIMIT, else the backend's own limit. */
double wb_worker_limit(void);

#endif

/*
 * device/device.h: the device behind a program. Two implementations, one of which is linked: device/device_cuda.c (an
 * NVIDIA GPU, or common/cpu when compiled with -DWB_CPU_BACKEND) and device/device_host.c (plain C lessons).
 *
 * The parent may only ask the first group. Everything else runs in a worker (or, with --once, in the only
 * process there is), because it opens the device.
 */
#ifndef WB_DEVICE_H
#define WB_DEVICE_H

#include "wb.h"
#include "model/timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- For the parent: nothing here touches the device ---- */

/* "cuda", "cpu" or "host". */
const char *wb_device_backend(void);

/* Why this backend measures no time, NULL where it does. */
const char *wb_device_no_timing(void);

/* Seconds that a call may take unless WB_TIME_LIMIT says otherwise. */
int wb_device_time_limit(void);

/* Seconds that the timing of one task may take unless WB_TIME_BUDGET says otherwise: a GPU is lent to one
 * program at a time; on a processor a learner waits, and a lesson's tasks should all be timed within ten
 * seconds. */
double wb_device_time_budget(void);

/* ---- For the worker ---- */

typedef struct wb_device_info {
  char name[128], kind[32];     /* kind: "gpu", "cpu backend", "cpu" */
  char compute_capability[16];  /* "9.0"; "" without one */
  char driver[64], runtime[32]; /* "580.95.05|13.0", "13.0"; "" without them */
  char cpu_name[128];
  int cpu_cores, sm_count, copy_engines;
  uint64_t memory_bytes, free_bytes,
      l2_bytes; /* of the device; on the host backend its memory and last cache */
} wb_device_info;

/* Why a device can't be used; reasons as --probe prints them. */
typedef struct wb_refusal {
  char reason[24];   /* no_gpu, no_driver, driver_too_old, busy, exclusive, prohibited, no_memory, other */
  char message[400]; /* one or two sentences with the way out */
} wb_refusal;

/* Opens the device and describes it. Returns false with a refusal when it can't be used. */
bool wb_device_open(wb_device_info *info, wb_refusal *refusal);

/* Device memory for WB_DEVICE arrays. All return 0 or an error code of the backend. `bytes` may be 0. */
int wb_device_allocate(void **pointer, size_t bytes);
int wb_device_free(void *pointer);
int wb_device_copy_in(void *device, const void *host, size_t bytes);
int wb_device_copy_out(void *host, const void *device, size_t bytes);
int wb_device_poison(void *device, size_t bytes); /* bytes 0xFF */

/* Page-locks host memory, and undoes it. `bytes` > 0. */
int wb_device_pin(void *host, size_t bytes);
int wb_device_unpin(void *host);

/* Waits until the device is idle. Returns 0 or the error that its work ended with. */
int wb_device_wait(void);

/* Overwrites a buffer as large as the device's last cache, so that the next call finds it cold; waits for
 * that. */
int wb_device_flush(void);

/* An error code's name ("cudaErrorInvalidValue", "cudaSuccess", "0") and text; borrowed. */
const char *wb_device_error_name(int error);
const char *wb_device_error_text(int error);

/* What one call did. */
typedef struct wb_call_figures {
  int status;      /* what it returned */
  int left_behind; /* an error that was neither returned nor asked for, 0: none */
  int wait_error;  /* what waiting for the device returned afterwards */
  double wall_ms;  /* call and wait, by the wall clock */
  double event_ms; /* between two events around the call; -1 where there are none */
  double cpu_ms;   /* time of all cores in it */
} wb_call_figures;

/* Calls, waits, times. */
void wb_device_call(int (*call)(const wb_case *c), const wb_case *c, wb_call_figures *figures);

/* Bytes of device memory in use by this process, as exactly as the backend knows them; 0 when it doesn't. */
uint64_t wb_device_used_bytes(void);
/* Whether that is exact to the byte (common/cpu) or comes in pages (a GPU's driver). */
bool wb_device_used_is_exact(void);

/* A ceiling: what the device reaches at its best, measured now. */
typedef struct wb_ceiling {
  char name[16], what[96], unit[12];
  double value;
} wb_ceiling;

#define WB_MAX_CEILINGS 16

/* What the lesson's tasks need of the ceilings. */
enum { WB_NEED_MEMORY = 1, WB_NEED_FLOPS = 2, WB_NEED_LINK = 4, WB_NEED_FLOPS64 = 8 };

/* Measures ceilings into list[WB_MAX_CEILINGS]; returns how many. Tens of milliseconds each. */
int wb_device_ceilings(int needs, wb_ceiling *list);

/* ---- What the backend saw of the learner's code; strings are JSON ---- */

/* Starts recording counters and activities; findings go on being collected. */
void wb_device_trace_begin(void);

/*
 * Ends it. Writes a JSON object of counters ("{}" where there are none), up to `capacity` activities, their
 * number, the source of the times and, without a timeline, the reason.
 */
void wb_device_trace_end(char *counters, size_t counters_size, wb_activity *list, size_t capacity,
                         size_t *count, wb_source *source, char *reason, size_t reason_size);

/* The findings of this process so far, as a JSON array; "[]" where the backend checks nothing. */
void wb_device_findings(char *findings, size_t size);

/* Looks for what the learner's code allocated and never freed; adds findings. All of the harness's own memory
 * must be free. */
void wb_device_check_leaks(void);

/* Description of the host's processor, for wb_device_info (device/host_info.c). */
void wb_host_info(char *cpu_name, size_t size, int *cores);

/* Takes an array in host memory out of the caches of all cores (device/host_flush.c). */
void wb_host_flush(const void *array, size_t bytes);

/* Bytes of this processor's last cache. */
size_t wb_host_cache_bytes(void);

/* Bytes of memory that this process can still get, by the system and by the control group's limit
 * (device/host_info.c). */
uint64_t wb_host_free_bytes(void);

#ifdef __cplusplus
}
#endif
#endif

/* device/device_cuda.c: an NVIDIA GPU, through the CUDA runtime. With -DWB_CPU_BACKEND the same calls
 * reach common/cpu, which measures no time but records what the learner's code does. See device/device.h. */
#include "base/clock.h"
#include "base/cpu_time.h"
#include "base/heap.h"
#include "device/device.h"
#include "device/trace.h"
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WB_CPU_BACKEND
#include <cucc.h>
#define CPU_BACKEND true
#else
#define CPU_BACKEND false
#endif

const char *wb_device_backend(void) { return CPU_BACKEND ? "cpu" : "cuda"; }

const char *wb_device_no_timing(void) {
  return CPU_BACKEND
             ? "this is the CPU backend, which runs and checks kernels on the processor; a GPU's speed is "
               "measured on a GPU"
             : NULL;
}

int wb_device_time_limit(void) { return 20; }

double wb_device_time_budget(void) { return 5; }

void wb_device_steady(void) { setenv("CUCC_WORKERS", "1", 1); }

static int virtual_devices;

void wb_device_virtual(int devices) {
  char text[16];
  virtual_devices = devices;
  snprintf(text, sizeof text, "%d", devices);
  if (CPU_BACKEND && devices > 1) setenv("CUCC_DEVICES", text, 0);
}

/* ---- Compiling, and ranks that are processes ---- */

#ifdef WB_CPU_BACKEND
#define SECONDS_TO_COMPILE 10
#define MOST_TEXTS         1000

/* Only in programs that use NVRTC. */
#pragma weak cucc_compile_serve
#pragma weak cucc_compile_through
#pragma weak cucc_compiled_text

bool wb_device_compiles(void) { return cucc_compile_serve != NULL; }

/* grader/check names the program that looks at the texts as it looks at a learner's file. */
int wb_device_compile_serve(int socket) {
  const char *look = getenv("WB_LOOK");
  const cucc_compile_limits limits = {SECONDS_TO_COMPILE, MOST_TEXTS, look && *look ? look : NULL};
  return cucc_compile_serve(socket, &limits);
}

void wb_device_compile_through(int socket) { cucc_compile_through(socket); }
const char *wb_device_compiled_text(void) { return cucc_compiled_text ? cucc_compiled_text() : NULL; }

/* Only in programs that use NCCL. */
#pragma weak cucc_nccl_hub
#pragma weak cucc_nccl_link

bool wb_device_has_ranks(void) { return cucc_nccl_hub != NULL; }
int wb_device_serve_ranks(const int *sockets, int count, void *id) {
  return cucc_nccl_hub(sockets, count, id);
}
void wb_device_is_rank(int socket) { cucc_nccl_link(socket); }
#else
bool wb_device_compiles(void) { return false; }
int wb_device_compile_serve(int socket) { return socket < 0 ? 0 : -1; }
void wb_device_compile_through(int socket) { (void)socket; }
const char *wb_device_compiled_text(void) { return NULL; }
bool wb_device_has_ranks(void) { return false; }
int wb_device_serve_ranks(const int *sockets, int count, void *id) {
  return (void)sockets, (void)count, (void)id, -1;
}
void wb_device_is_rank(int socket) { (void)socket; }
#endif

/* ---- Memory ---- */

/* An empty array gets one byte, so that it has an address and common/cpu reports every access to it. */
int wb_device_allocate(void **pointer, size_t bytes) { return (int)cudaMalloc(pointer, bytes ? bytes : 1); }

int wb_device_free(void *pointer) { return (int)cudaFree(pointer); }

int wb_device_copy_in(void *device, const void *host, size_t bytes) {
  return bytes ? (int)cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice) : 0;
}

int wb_device_repeat(void *device, size_t period, size_t bytes) {
  cudaError_t error = cudaSuccess;
  for (size_t done = period; !error && done < bytes; done *= 2)
    error = cudaMemcpy((char *)device + done, device, bytes - done < done ? bytes - done : done,
                       cudaMemcpyDeviceToDevice);
  return (int)error;
}

#ifdef WB_CPU_BACKEND
/* The device's memory is the host's, too. Not through the runtime, which would take the poison for content: so
 * it finds who reads an output that was never set. */
int wb_device_poison(void *device, size_t bytes) { return memset(device, 0xFF, bytes), 0; }

int wb_device_copy_out(void *host, const void *device, size_t bytes) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (!error) memcpy(host, device, bytes);
  return (int)error;
}
#else
int wb_device_poison(void *device, size_t bytes) { return bytes ? (int)cudaMemset(device, 0xFF, bytes) : 0; }

int wb_device_copy_out(void *host, const void *device, size_t bytes) {
  return bytes ? (int)cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost) : 0;
}
#endif

int wb_device_pin(void *host, size_t bytes) {
  return (int)cudaHostRegister(host, bytes, cudaHostRegisterDefault);
}

int wb_device_unpin(void *host) { return (int)cudaHostUnregister(host); }

int wb_device_wait(void) { return (int)cudaDeviceSynchronize(); }

int wb_device_flush(void) {
  static void *buffer;
  static size_t bytes;
  if (!buffer) {
    int l2_bytes = 0;
    cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0);
    bytes = 2 * (size_t)(l2_bytes > 0 ? l2_bytes : 32 << 20); /* a cache need not evict the oldest first */
    const cudaError_t error = cudaMalloc(&buffer, bytes);
    if (error) return (int)error;
  }
#ifndef WB_CPU_BACKEND
  /* A part of the cache that a learner's function has reserved for its data would not be overwritten. */
  cudaCtxResetPersistingL2Cache();
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
  cudaGetLastError();
#endif
  static int value;
  const cudaError_t error = cudaMemset(buffer, ++value & 0x7F, bytes);
  return error ? (int)error : (int)cudaDeviceSynchronize();
}

uint64_t wb_device_used_bytes(void) {
  size_t free_bytes = 0, total_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return total_bytes - free_bytes;
}

bool wb_device_used_is_exact(void) { return CPU_BACKEND; }

const char *wb_device_error_name(int error) { return cudaGetErrorName((cudaError_t)error); }
const char *wb_device_error_text(int error) { return cudaGetErrorString((cudaError_t)error); }

/* ---- The call ---- */

static bool tracing;

static void note_alive(void);
static void forget_failures(void);
static void note_launches(wb_launched *launched);
static void note_left(wb_call_figures *figures);
static void note_counters(void);
static void note_profile(void);

static void timed_call(int (*call)(const wb_case *c), const wb_case *c, void (*returned)(void),
                       wb_call_figures *figures) {
  static cudaEvent_t before, after;
  if (!CPU_BACKEND && !before && (cudaEventCreate(&before) || cudaEventCreate(&after))) before = NULL;
  cudaGetLastError(); /* an earlier error of the harness is not the learner's */
  const double start = wb_now_ms();
  int device = 0, left_device = 0;
  wb_own_calls(1);
  cudaGetDevice(&device);
  if (before) cudaEventRecord(before, 0);
  wb_own_calls(0);
  figures->status = call(c);
  wb_own_calls(1); /* until wb_device_fail */
  if (cudaGetDevice(&left_device) == cudaSuccess && left_device != device) {
    figures->device = left_device;
    cudaSetDevice(device);
  }
  if (before) cudaEventRecord(after, 0);
  if (tracing) note_counters(); /* before the harness's own wait is counted */
  const cudaError_t left = cudaGetLastError();
  if (CPU_BACKEND && returned) returned();
  const cudaError_t waited = cudaDeviceSynchronize();
  figures->wall_ms = wb_now_ms() - start;
  if (tracing) note_profile(); /* of the kernels that have run */
  cudaGetLastError();
  figures->wait_error = (int)waited;
  /* "Not ready" is the result of a query, not an error. */
  figures->pending_error = left == cudaErrorNotReady ? 0 : (int)left;
  float event_ms;
  if (before && !waited && cudaEventElapsedTime(&event_ms, before, after) == cudaSuccess)
    figures->event_ms = event_ms;
}

void wb_device_call(int (*call)(const wb_case *c), const wb_case *c, void (*returned)(void),
                    wb_call_figures *figures) {
  *figures = (wb_call_figures){.event_ms = -1, .device = -1};
  note_alive();
  forget_failures();
  const int64_t heap = wb_heap_bytes();
  const wb_cpu_time before = wb_cpu_time_now();
  timed_call(call, c, returned, figures);
  note_launches(&figures->launched);
  const wb_cpu_time after = wb_cpu_time_now();
  figures->cpu_ms = wb_cpu_ms_between(before, after);
  figures->threads = wb_busy_threads(&before, &after);
  figures->heap = wb_heap_bytes() - heap;
  note_left(figures);
}

/* ---- Findings and counters: common/cpu ---- */

#ifdef WB_CPU_BACKEND

void wb_device_given(const void *array, size_t bytes, const char *name) { cucc_array(array, bytes, name); }
void wb_device_no_arrays(void) { cucc_no_arrays(); }
void wb_device_fail(int number, bool and_later) {
  cucc_fail_call(number);
  if (and_later) cucc_fail_later();
}
static size_t allocations_before, copies_before;
static size_t allocations(void) {
  return cucc_counted("device_allocations") + cucc_counted("pinned_allocations");
}
static void forget_failures(void) {
  cucc_forget_failures();
  cucc_forget_launches();
  allocations_before = allocations();
  copies_before = cucc_counted("copies_back");
}
static void note_launches(wb_launched *launched) {
  cucc_shape shapes[CUCC_MOST_SHAPES];
  *launched = (wb_launched){.known = 1,
                            .allocations = allocations() - allocations_before,
                            .copies_back = cucc_counted("copies_back") - copies_before};
  launched->launches = cucc_launches(shapes, &launched->shapes, &launched->given_calls);
  if (launched->shapes > WB_MOST_SHAPES) launched->shapes = WB_MOST_SHAPES;
  for (size_t i = 0; i < launched->shapes; i++) {
    launched->shape[i].given_calls = shapes[i].given_calls;
    for (int d = 0; d < 3; d++) {
      launched->shape[i].grid[d] = shapes[i].grid[d];
      launched->shape[i].block[d] = shapes[i].block[d];
    }
  }
}
void wb_device_failed_with(int error, wb_origin *origin) {
  cucc_origin found = {.place = ""};
  *origin = (wb_origin){.known = cucc_failed_with(error, &found) != 0};
  snprintf(origin->call, sizeof origin->call, "%s", found.call);
  snprintf(origin->place, sizeof origin->place, "%s", found.place);
  snprintf(origin->reason, sizeof origin->reason, "%s", found.reason);
}

static int idle_parts; /* those of wb_device_without */

void wb_device_without(int parts) {
  if (parts & WB_BESIDE_COPIES) cucc_call_time(0); /* as where a timeline of several devices is recorded */
  cucc_without(idle_parts = parts);
}

void wb_device_zeros(const wb_window *zeros) { cucc_zeros(zeros->low, zeros->high); }

void wb_own_calls(int are_own) {
  cucc_fail_none(are_own);
  cucc_without(idle_parts & ~(are_own ? CUCC_HOST_ACCESS : 0));
}

void wb_pretend_capability(int device, int tenths) { cucc_set_capability(device, tenths); }
void wb_device_capability(int tenths) { cucc_set_capability(0, tenths); }
void wb_reuse_handles(void) { cucc_reuse_handles(); }
int wb_pretend_multiprocessors(int number) { return cucc_set_multiprocessors(number), 1; }
void wb_pretend_no_peers(int none) { cucc_without_peers(none); }
int wb_fail_groups(int fail) { return cucc_fail_groups(fail); }
size_t wb_bytes_of(const void *object) { return cucc_bytes_of(object); }
const char *wb_device_failing_call(int number) { return cucc_call_that_may_fail(number); }

bool wb_device_past(const void *address, char *words, size_t size) { return cucc_past(address, words, size); }

size_t wb_device_undone(wb_done done) {
  return cucc_undone(done == WB_COMPLETE            ? CUCC_NO_WAIT
                     : done == WB_IN_DEFAULT_STREAM ? CUCC_WAIT_DEFAULT
                                                    : CUCC_WAIT_BLOCKING);
}

static cucc_alive alive_before;

static void note_alive(void) { alive_before = cucc_alive_now(); }

/* What the call did not release, and how its calls that may fail went. */
static void note_left(wb_call_figures *figures) {
  const cucc_failure failure = cucc_failed_call();
  figures->may_fail = failure.calls;
  figures->injected = failure.error;
  figures->final = failure.final;
  const cucc_alive now = cucc_alive_now(), *old = &alive_before;
  const struct {
    const char *what;
    size_t before, after;
  } rooms[] = {{"device memory", old->device_bytes, now.device_bytes},
               {"pinned memory", old->pinned_bytes, now.pinned_bytes},
               {"managed memory", old->managed_bytes, now.managed_bytes},
               {"registered memory", old->registered_bytes, now.registered_bytes}};
  for (size_t r = 0; r < WB_COUNT(rooms); r++)
    if (rooms[r].after > rooms[r].before && !figures->left[0])
      snprintf(figures->left, sizeof figures->left, "%zu bytes of %s", rooms[r].after - rooms[r].before,
               rooms[r].what);
  if (now.streams > old->streams && !figures->left[0])
    snprintf(figures->left, sizeof figures->left, "%d stream(s)", now.streams - old->streams);
  if (now.events > old->events && !figures->left[0])
    snprintf(figures->left, sizeof figures->left, "%d event(s)", now.events - old->events);
  if (now.graphs > old->graphs && !figures->left[0])
    snprintf(figures->left, sizeof figures->left, "%d graph(s)", now.graphs - old->graphs);
  if (now.loaded > old->loaded && !figures->left[0])
    snprintf(figures->left, sizeof figures->left, "%s", now.newest);
}

static char *counters_of_call;
static char *earlier_findings; /* from before the last cucc_reset */

static char *json_of(size_t (*get)(char *buffer, size_t size)) {
  const size_t size = get(NULL, 0);
  char *text = malloc(size);
  if (text) get(text, size);
  return text;
}

static void note_counters(void) {
  free(counters_of_call);
  counters_of_call = json_of(cucc_counters_json);
}

/* Replaces the end of the noted counters, `"profile":[...]}`, by the present one. */
static void note_profile(void) {
  static const char end[] = "\"profile\":";
  char *now = json_of(cucc_counters_json), *new_end = now ? strstr(now, end) : NULL;
  char *old_end = counters_of_call ? strstr(counters_of_call, end) : NULL;
  if (new_end && old_end) {
    const size_t kept = (size_t)(old_end - counters_of_call);
    char *both = malloc(kept + strlen(new_end) + 1);
    if (both) {
      memcpy(both, counters_of_call, kept);
      strcpy(both + kept, new_end);
      free(counters_of_call);
      counters_of_call = both;
    }
  }
  free(now);
}

void wb_device_findings(char *findings, size_t size) {
  char *now = earlier_findings && strcmp(earlier_findings, "[]") != 0 ? strdup(earlier_findings)
                                                                      : json_of(cucc_findings_json);
  /* Too long for the channel: the text is cut off and no valid JSON, which the parent reports. */
  snprintf(findings, size, "%s", now ? now : "out of memory");
  free(now);
}

/* After a kernel's fault nothing can be freed, so memory that is left is no leak. */
void wb_device_check_leaks(void) {
  if (cudaDeviceSynchronize() == cudaSuccess) cucc_check_leaks();
  cudaGetLastError();
}

void wb_device_reverse(bool reverse) { cucc_reverse(reverse); }

void wb_device_reach_begin(const char *words, uint64_t calls) {
  cucc_sample(words);
  cucc_sample_calls(calls);
}
size_t wb_device_reached(const void *array, const char *name, size_t count, size_t bytes) {
  return cucc_sample_reached(array, name, count, bytes);
}
void wb_device_reach_end(void) {
  cucc_sample_calls(0);
  cucc_sample(NULL);
}

/* Findings of before a first trace are not lost by a second one. */
void wb_device_trace_begin(void) {
  if (!earlier_findings || strcmp(earlier_findings, "[]") == 0) {
    free(earlier_findings);
    earlier_findings = json_of(cucc_findings_json);
  }
  cucc_reset();
  cucc_call_time(virtual_devices > 1 ? 0 : -1); /* with several devices: what they could do side by side */
  cucc_profile(1);                              /* counts accesses too: sectors, bank conflicts, atomics */
  tracing = true;
}

void wb_device_trace_end(char *counters, size_t counters_size, wb_activity *list, size_t capacity,
                         size_t *count, wb_source *source, char *reason, size_t reason_size) {
  tracing = false;
  cucc_profile(0);
  *source = WB_MODELLED;
  snprintf(reason, reason_size, "%s", "");
  snprintf(counters, counters_size, "%s",
           counters_of_call && strlen(counters_of_call) < counters_size ? counters_of_call : "{}");
  *count = cucc_timeline(NULL, 0);
  cucc_activity *activities = malloc((*count + 1) * sizeof *activities);
  if (!activities) *count = 0;
  if (activities) cucc_timeline(activities, *count);
  for (size_t i = 0; i < *count && i < capacity; i++) {
    const cucc_activity *a = &activities[i];
    list[i] = (wb_activity){.kind = (wb_kind)a->kind,
                            .device = a->device,
                            .to_device = a->to_device,
                            .stream = a->stream,
                            .start_us = a->start_us,
                            .end_us = a->end_us,
                            .bytes = a->bytes,
                            .pinned = a->pinned != 0,
                            .line = a->line};
    snprintf(list[i].name, sizeof list[i].name, "%s", a->name);
    snprintf(list[i].file, sizeof list[i].file, "%s", a->file);
  }
  free(activities);
}

#else /* ---- a GPU ---- */

void wb_device_given(const void *array, size_t bytes, const char *name) {
  (void)array, (void)bytes, (void)name;
}
void wb_device_no_arrays(void) {}
void wb_device_fail(int number, bool and_later) { (void)number, (void)and_later; }
static void forget_failures(void) {}
static void note_launches(wb_launched *launched) { (void)launched; }
void wb_device_failed_with(int error, wb_origin *origin) {
  (void)error, *origin = (wb_origin){.known = false};
}
const char *wb_device_failing_call(int number) { return (void)number, ""; }
size_t wb_device_undone(wb_done done) { return (void)done, (size_t)0; }
bool wb_device_past(const void *address, char *words, size_t size) {
  return (void)address, (void)words, (void)size, false;
}
static void note_alive(void) {}
static void note_left(wb_call_figures *figures) { (void)figures; }
void wb_own_calls(int are_own) { (void)are_own; }
void wb_pretend_capability(int device, int tenths) { (void)device, (void)tenths; }
void wb_reuse_handles(void) {}
int wb_pretend_multiprocessors(int number) { return (void)number, 0; }
void wb_pretend_no_peers(int none) { (void)none; }
int wb_fail_groups(int fail) { return (void)fail, 0; }
size_t wb_bytes_of(const void *object) { return (void)object, (size_t)0; }
static void note_counters(void) {}
static void note_profile(void) {}
void wb_device_findings(char *findings, size_t size) { snprintf(findings, size, "[]"); }
void wb_device_reach_begin(const char *words, uint64_t calls) { (void)words, (void)calls; }
size_t wb_device_reached(const void *array, const char *name, size_t count, size_t bytes) {
  (void)array, (void)name, (void)bytes;
  return count;
}
void wb_device_reach_end(void) {}
void wb_device_check_leaks(void) {}

void wb_device_reverse(bool reverse) { (void)reverse; }
void wb_device_without(int parts) { (void)parts; }
void wb_device_zeros(const wb_window *zeros) { (void)zeros; }
void wb_device_capability(int tenths) { (void)tenths; }

static char why_not[160];

void wb_device_trace_begin(void) { tracing = wb_cupti_begin(why_not, sizeof why_not); }

void wb_device_trace_end(char *counters, size_t counters_size, wb_activity *list, size_t capacity,
                         size_t *count, wb_source *source, char *reason, size_t reason_size) {
  snprintf(counters, counters_size, "{}");
  snprintf(reason, reason_size, "%s", tracing ? "" : why_not);
  *count = tracing ? wb_cupti_end(list, capacity, counters, counters_size) : 0;
  *source = tracing ? WB_MEASURED : WB_NO_TIMELINE;
  tracing = false;
}

#endif

/* device/device_host.c: the device of plain C lessons is this machine's processor; see device/device.h. */
#include "base/clock.h"
#include "base/cpu_time.h"
#include "base/heap.h"
#include "device/device.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Not NULL if the program has a sanitizer. */
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

const char *wb_device_backend(void) { return "host"; }

const char *wb_device_no_timing(void) {
  if (__asan_init) return "built with the address sanitizer, which slows it down several times";
  if (__tsan_init) return "built with the thread sanitizer, which slows it down many times";
  return NULL;
}

int wb_device_time_limit(void) { return 20; }

bool wb_device_compiles(void) { return false; }
int wb_device_compile_serve(int socket) { return socket < 0 ? 0 : -1; }
void wb_device_compile_through(int socket) { (void)socket; }
const char *wb_device_compiled_text(void) { return NULL; }
bool wb_device_has_ranks(void) { return false; }
int wb_device_serve_ranks(const int *sockets, int count, void *id) {
  return (void)sockets, (void)count, (void)id, -1;
}
void wb_device_is_rank(int socket) { (void)socket; }
double wb_device_time_budget(void) { return 0.8; }

void wb_device_steady(void) { omp_set_num_threads(3); }
void wb_device_virtual(int devices) { (void)devices; }

/* There is only host memory: WB_DEVICE arrays are plain memory here. */
int wb_device_allocate(void **pointer, size_t bytes) {
  return (*pointer = malloc(bytes ? bytes : 1)) ? 0 : 1;
}
int wb_device_free(void *pointer) { return free(pointer), 0; }
int wb_device_copy_in(void *device, const void *host, size_t bytes) { return memcpy(device, host, bytes), 0; }
int wb_device_repeat(void *device, size_t period, size_t bytes) {
  for (size_t done = period; done < bytes; done *= 2)
    memcpy((char *)device + done, device, bytes - done < done ? bytes - done : done);
  return 0;
}
int wb_device_copy_out(void *host, const void *device, size_t bytes) {
  return memcpy(host, device, bytes), 0;
}
int wb_device_poison(void *device, size_t bytes) { return memset(device, 0xFF, bytes), 0; }
int wb_device_pin(void *host, size_t bytes) { return (void)host, (void)bytes, 0; }
int wb_device_unpin(void *host) { return (void)host, 0; }
int wb_device_wait(void) { return 0; }

/* Only arrays in host memory are cached here, and wb_host_flush takes care of those. */
int wb_device_flush(void) { return 0; }

const char *wb_device_error_name(int error) {
  static char name[16];
  snprintf(name, sizeof name, "%d", error);
  return name;
}

const char *wb_device_error_text(int error) { return error ? "not 0" : ""; }

void wb_device_given(const void *array, size_t bytes, const char *name) {
  (void)array, (void)bytes, (void)name;
}
void wb_device_no_arrays(void) {}
void wb_device_fail(int number, bool and_later) { (void)number, (void)and_later; }
const char *wb_device_failing_call(int number) { return (void)number, ""; }
void wb_device_failed_with(int error, wb_origin *origin) {
  (void)error, *origin = (wb_origin){.known = false};
}
size_t wb_device_undone(wb_done done) { return (void)done, 0; }
bool wb_device_past(const void *address, char *words, size_t size) {
  return (void)address, (void)words, (void)size, false;
}

void wb_device_call(int (*call)(const wb_case *c), const wb_case *c, void (*returned)(void),
                    wb_call_figures *figures) {
  *figures = (wb_call_figures){.event_ms = -1};
  const int64_t heap = wb_heap_bytes();
  const wb_cpu_time before = wb_cpu_time_now();
  const double start = wb_now_ms();
  figures->status = call(c);
  figures->wall_ms = wb_now_ms() - start;
  const wb_cpu_time after = wb_cpu_time_now();
  figures->cpu_ms = wb_cpu_ms_between(before, after);
  figures->threads = wb_busy_threads(&before, &after);
  figures->heap = wb_heap_bytes() - heap;
  if (returned) returned();
}

uint64_t wb_device_used_bytes(void) { return 0; }
bool wb_device_used_is_exact(void) { return false; }

void wb_device_reverse(bool reverse) { (void)reverse; }
void wb_device_without(int parts) { (void)parts; }
void wb_device_zeros(const wb_window *zeros) { (void)zeros; }
void wb_device_capability(int tenths) { (void)tenths; }

void wb_device_trace_begin(void) {}

void wb_device_trace_end(char *counters, size_t counters_size, wb_activity *list, size_t capacity,
                         size_t *count, wb_source *source, char *reason, size_t reason_size) {
  (void)list, (void)capacity;
  snprintf(counters, counters_size, "{}");
  *count = 0;
  *source = WB_NO_TIMELINE;
  snprintf(reason, reason_size, "a plain C lesson has no device");
}

void wb_device_findings(char *findings, size_t size) { snprintf(findings, size, "[]"); }
void wb_device_reach_begin(const char *words, uint64_t calls) { (void)words, (void)calls; }
size_t wb_device_reached(const void *array, const char *name, size_t count, size_t bytes) {
  (void)array, (void)name, (void)bytes;
  return count;
}
void wb_device_reach_end(void) {}
void wb_device_check_leaks(void) {}

/*
 * The host's side: it must not touch device memory, nor pinned memory that a stream is still reading or
 * writing.
 *
 * A copy is on its way from the call until the host has waited for it (or for something after it), whether or
 * not the engine has run it by then: so a forgotten synchronise is found every time.
 */
#include "checker/host.h"
#if CUCC_CHECKED
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/needed.h"
#include "base/options.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "memory/arena.h"
#include "checker/awaited.h"
#include "checker/describe.h"
#include "checker/findings.h"
#include "checker/early_access.h"
#include "checker/host_stamps.h"
#include "checker/past.h"
#include "checker/thread_state.h"
#include "checker/variables.h"

struct in_flight {
  uintptr_t start;
  size_t size; /* from the first row to the last */
  size_t width, pitch, slice;
  bool device_writes;
  uint32_t slot;
  uint64_t seq, issue;
  struct clock clock; /* what comes before the copy */
  uintptr_t site;
  const char *call;
  int stream;
};
static struct in_flight *flights;
static size_t flight_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void check_queued(const struct op *op) {
  host_stamps_queued();
  if (op->kind != OP_COPY || !op->pinned) return;
  const bool back = op->direction == cudaMemcpyDeviceToHost;
  const size_t width = op->rows.height ? op->rows.width : op->bytes;
  const size_t pitch = back ? op->rows.dst_pitch : op->rows.src_pitch;
  const size_t slice = back ? op->rows.dst_slice : op->rows.src_slice;
  pthread_mutex_lock(&lock);
  flights = needed(realloc(flights, (flight_count + 1) * sizeof *flights));
  flights[flight_count] = (struct in_flight){.start = (uintptr_t)(back ? op->dst : op->src),
                                             .width = width,
                                             .pitch = pitch,
                                             .slice = slice,
                                             .size = rows_span(&op->rows, width, pitch, slice),
                                             .device_writes = back,
                                             .slot = op->stream->slot,
                                             .seq = op->seq,
                                             .issue = op->issue,
                                             .site = op->site,
                                             .call = op->call,
                                             .stream = op->stream->id};
  clock_join(&flights[flight_count].clock, &op->clock);
  __atomic_store_n(&flight_count, flight_count + 1, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
}

void check_host_waited(void) {
  past_prune();
  pthread_mutex_lock(&lock);
  size_t kept = 0;
  for (size_t i = 0; i < flight_count; i++)
    if (clock_get(&cucc.host, flights[i].slot) < flights[i].seq)
      flights[kept++] = flights[i];
    else
      clock_free(&flights[i].clock);
  __atomic_store_n(&flight_count, kept, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
}

/* A function of cudaLaunchHostFunc runs on the engine's thread: what its stream did before comes before it,
 * and what comes later in its stream waits for it. */
void check_callback(const struct op *op) { thread_state.callback = op; }

static bool in_order_with_callback(const struct in_flight *f) {
  const struct op *callback = thread_state.callback;
  return callback && (clock_get(&callback->clock, f->slot) >= f->seq ||
                      clock_get(&f->clock, callback->stream->slot) >= callback->seq);
}

static void report_flight(const struct in_flight *f, uintptr_t address, size_t size, bool writes,
                          uintptr_t pc) {
  if (!checking(TOOL_RACE) || finding_repeats(TOOL_RACE, false, pc, NULL)) return;
  struct finding r = {.tool = TOOL_RACE, .site = pc, .other_site = f->site};
  snprintf(r.sentence, sizeof r.sentence, "the host %s %s memory that a copy in stream %d may still be %s",
           writes ? "writes" : "reads", is_managed(address) ? "managed" : "pinned", f->stream,
           f->device_writes ? "writing" : "reading");
  snprintf(r.other, sizeof r.other, "%s of %zu bytes, not waited for", f->call, f->size);
  describe_address(&r, address, size);
  const struct awaited work = {f->stream, f->seq, f->issue};
  r.cause = awaited_cause(WAITS_HOST, &work, UINT64_MAX,
                          "a missing cudaStreamSynchronize, cudaEventSynchronize or cudaDeviceSynchronize "
                          "between the copy and the access");
  finding_add(&r);
}

static void report_device_pointer(uintptr_t address, size_t size, bool writes, uintptr_t pc) {
  if (!checking(TOOL_MEM) || finding_repeats(TOOL_MEM, false, pc, NULL)) return;
  struct finding r = {.tool = TOOL_MEM, .site = pc};
  snprintf(r.sentence, sizeof r.sentence,
           "the host %s %zu bytes of device memory: a device pointer used on the host",
           writes ? "writes" : "reads", size);
  describe_address(&r, address, size);
  r.cause = "a pointer from cudaMalloc used outside a kernel; copy with cudaMemcpy first (on a GPU the "
            "program crashes here)";
  finding_add(&r);
}

/* An access meets a row of the copy: what lies between the rows is not copied. */
static bool meets(const struct in_flight *f, uintptr_t address, size_t size) {
  if (f->start >= address + size || address >= f->start + f->size) return false;
  if (address < f->start || !f->pitch) return true;
  const size_t offset = (f->slice ? (address - f->start) % f->slice : address - f->start) % f->pitch;
  return offset < f->width || offset + size > f->pitch;
}

/* Reports an access to memory that a copy is reading or writing; false when there is no such copy. */
static bool judge_flights(uintptr_t address, size_t size, bool writes, uintptr_t pc) {
  struct in_flight found = {0};
  if (!__atomic_load_n(&flight_count, __ATOMIC_RELAXED)) return false;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < flight_count; i++) {
    const struct in_flight *f = &flights[i];
    if (meets(f, address, size) && (writes || f->device_writes) && !in_order_with_callback(f)) {
      found = *f;
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  if (found.size) report_flight(&found, address, size, writes, pc);
  return found.size != 0;
}

void host_access(uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  const bool writes = access & WRITE;
  if (is_device(address))
    report_device_pointer(address, size, writes, pc);
  else if (!variable_host_access(address, size, writes, pc) && !judge_flights(address, size, writes, pc) &&
           in_arena(address))
    early_access(address, size, access, pc);
}

#endif

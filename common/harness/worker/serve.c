/* worker/serve.c: see worker/serve.h. It runs in the same process as the learner's code. */
#include "worker/serve.h"
#include "device/ceilings.h"
#include "device/host_flush.h"
#include "device/open.h"
#include "base/text.h"
#include "model/large.h"
#include "model/random.h"
#include "model/sizes.h"
#include "worker/sandbox.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void note_error(wb_reply *reply, int error) {
  snprintf(reply->name, sizeof reply->name, "%s", wb_device_error_name(error));
  snprintf(reply->text, sizeof reply->text, "%s", wb_device_error_text(error));
}

static int release(wb_server *server) {
  int error = 0;
  for (int a = 0; server->held && a < server->layout.arrays; a++) {
    const wb_memory memory = server->task->arrays[a].memory;
    int e = 0;
    if (memory == WB_DEVICE) e = wb_device_free(server->array[a]);
    if (memory == WB_PINNED && server->layout.bytes[a]) e = wb_device_unpin(server->array[a]);
    if (!error) error = e;
  }
  if (server->held) wb_arena_forbid_guards(server->arena, &server->layout, false);
  wb_device_no_arrays();
  server->held = false;
  return error;
}

/* Allocates or pins the arrays as wb_memory says. */
static int hold(wb_server *server, const wb_size *size) {
  if (server->held && memcmp(&server->size, size, sizeof *size) == 0) return 0;
  int error = release(server);
  if (!wb_arena_layout(server->task, size, &server->layout) || server->layout.end > server->arena->bytes)
    return -1;
  server->size = *size;
  for (int a = 0; !error && a < server->layout.arrays; a++) {
    server->array[a] = server->arena->shared + server->layout.offset[a];
    const wb_memory memory = server->task->arrays[a].memory;
    /* Of an array on the device both ends of its copies: an array in host memory may be next to the other. */
    wb_device_given(server->array[a], server->layout.bytes[a], server->task->arrays[a].name);
    if (memory == WB_DEVICE) {
      error = wb_device_allocate(&server->array[a], server->layout.bytes[a]);
      wb_device_given(server->array[a], server->layout.bytes[a], server->task->arrays[a].name);
    }
    if (memory == WB_PINNED && server->layout.bytes[a])
      error = wb_device_pin(server->array[a], server->layout.bytes[a]);
  }
  server->held = true;
  wb_arena_forbid_guards(server->arena, &server->layout, true);
  return error;
}

/* The content of array a, from the arena to the device. */
static int copy_in(const wb_server *server, int a) {
  const char *host = server->arena->shared + server->layout.offset[a];
  char *device = server->array[a];
  wb_span span[2];
  const int spans = wb_large_spans(&server->layout, a, span);
  int error = 0;
  for (int s = 0; !error && s < spans; s++) {
    error = wb_device_copy_in(device + span[s].first, host + span[s].first, span[s].last - span[s].first);
    if (!error && s == 0 && spans > 1)
      error = wb_device_repeat(device, span[0].last, server->layout.bytes[a]);
  }
  return error;
}

/* What is checked of array a, from the device to the arena. */
static int copy_out(const wb_server *server, int a, uint64_t key) {
  char *host = server->arena->shared + server->layout.offset[a];
  const char *device = server->array[a];
  if (!server->layout.head[a]) return wb_device_copy_out(host, device, server->layout.bytes[a]);
  const size_t element = wb_type_bytes(server->task->arrays[a].type);
  size_t start[WB_WINDOWS];
  const int windows = wb_large_windows(server->task, &server->layout, a, key, start);
  int error = 0;
  for (int w = 0; !error && w < windows; w++)
    error = wb_device_copy_out(host + start[w] * element, device + start[w] * element, WB_WINDOW * element);
  return error;
}

static int prepare(wb_server *server, const wb_request *request) {
  int error = hold(server, &request->size);
  for (int a = 0; !error && a < server->layout.arrays; a++) {
    const wb_array *array = &server->task->arrays[a];
    if (array->memory != WB_DEVICE) continue; /* the parent wrote them in place */
    if (array->role == WB_OUT && !(request->flags & WB_GIVEN_OUTPUTS))
      error = wb_device_poison(server->array[a], server->layout.bytes[a]);
    else if (array->role != WB_IN || request->flags & WB_FILL)
      error = copy_in(server, a);
  }
  for (int a = 0; request->flags & WB_FLUSH_HOST && a < server->layout.arrays; a++)
    if (server->task->arrays[a].memory != WB_DEVICE) wb_host_flush(server->array[a], server->layout.bytes[a]);
  if (!error) error = wb_device_wait();
  if (!error && request->flags & WB_FLUSH) error = wb_device_flush();
  return error;
}

static int finish(wb_server *server, const wb_request *request) {
  int error = 0;
  for (int a = 0; !error && server->held && !(request->flags & WB_NO_COPY) && a < server->layout.arrays;
       a++) {
    const wb_array *array = &server->task->arrays[a];
    if (array->memory == WB_DEVICE && array->role != WB_IN) error = copy_out(server, a, request->key);
  }
  const int freed = request->flags & WB_RELEASE ? release(server) : 0;
  return error ? error : freed;
}

/* ---- A call ---- */

/* The outputs as they were when the function had returned, if work was left undone. */
static struct {
  wb_server *server;
  size_t undone;
  size_t bytes; /* of the heap, that the copies take */
  int without;  /* parts of the device that do nothing (wb_without) */
  void *copy[WB_MAX_ARRAYS];
} returned;

static bool is_output(const wb_server *server, int a) { return server->task->arrays[a].role != WB_IN; }

/* On the CPU backend the host can read the device's memory, too. */
static void keep_outputs(void) {
  wb_server *server = returned.server;
  wb_device_without(returned.without & ~WB_HOST_ACCESS);
  returned.undone = wb_device_undone(server->task->done);
  returned.bytes = 0;
  for (int a = 0; returned.undone && a < server->layout.arrays; a++) {
    const size_t bytes = server->layout.bytes[a];
    if (!is_output(server, a) || !(returned.copy[a] = malloc(bytes + 1))) continue;
    memcpy(returned.copy[a], server->array[a], bytes);
    returned.bytes += malloc_usable_size(returned.copy[a]) + sizeof(size_t); /* with the size before it */
  }
}

/* Notes an output that changed afterwards. */
static void compare_outputs(wb_reply *reply) {
  for (int a = 0; a < returned.server->layout.arrays; a++) {
    if (!returned.copy[a]) continue;
    if (memcmp(returned.copy[a], returned.server->array[a], returned.server->layout.bytes[a]) != 0 &&
        !reply->late)
      reply->late = a + 1;
    free(returned.copy[a]);
    returned.copy[a] = NULL;
  }
  reply->undone = returned.undone;
  reply->figures.heap -= (int64_t)returned.bytes; /* these were the harness's own */
}

static char complaint[sizeof((wb_reply *)NULL)->complaint]; /* in the call that runs */

void wb_complain(const char *words) { snprintf(complaint, sizeof complaint, "%s", words); }

static char not_as_asked[sizeof((wb_reply *)NULL)->not_as_asked]; /* likewise */

void wb_not_as_asked(const char *words) { snprintf(not_as_asked, sizeof not_as_asked, "%s", words); }

static wb_channel *now; /* of the call that runs */

void wb_if_it_dies(const char *words) {
  if (now) snprintf(now->dying, sizeof now->dying, "%s", words ? words : "");
}

static void note_complaints(wb_reply *reply) {
  memcpy(reply->complaint, complaint, sizeof complaint);
  memcpy(reply->not_as_asked, not_as_asked, sizeof not_as_asked);
}

static void note_failing(wb_channel *channel, int count) {
  for (int i = 0; i < count && i < WB_MOST_FAILING; i++)
    snprintf(channel->failing[i], sizeof channel->failing[i], "%s", wb_device_failing_call(i + 1));
}

static void call(wb_server *server, const wb_request *request, wb_reply *reply) {
  wb_channel *channel = now = server->channel;
  wb_case c = {.size = request->size, .zeros = request->zeros};
  memcpy(c.param, request->param, sizeof c.param);
  memcpy(c.array, server->array, sizeof c.array);
  const bool own = request->callee < 0;
  if (request->flags & WB_TRACE) wb_device_trace_begin();
  wb_device_reverse(request->flags & WB_REVERSE);
  returned.without = request->flags / WB_WITHOUT;
  wb_device_without(returned.without);
  wb_device_zeros(&request->zeros);
  returned.server = server;
  complaint[0] = not_as_asked[0] = '\0';
  wb_if_it_dies(NULL);
  if (request->capability) wb_device_capability(request->capability);
  wb_device_fail(own ? request->fail : 0, request->fail_later);
  wb_device_call(own ? server->task->call : server->task->baselines[request->callee].call, &c,
                 own ? keep_outputs : NULL, &reply->figures);
  wb_device_without(0);
  wb_device_zeros(&(wb_window){0});
  if (own) compare_outputs(reply);
  note_complaints(reply);
  if (own && !request->fail) note_failing(channel, reply->figures.may_fail);
  if (request->flags & WB_TRACE)
    wb_device_trace_end(channel->counters, sizeof channel->counters, channel->activities, WB_MAX_ACTIVITIES,
                        &channel->activity_count, &channel->source, channel->reason, sizeof channel->reason);
  /* Sends the findings after every call: the next call may not return. */
  if (own) wb_device_findings(channel->findings, sizeof channel->findings);
  const wb_call_figures *f = &reply->figures;
  const int error = f->status ? f->status : f->wait_error ? f->wait_error : f->pending_error;
  note_error(reply, error);
  /* A place takes some ten milliseconds to find: not for calls that failed on purpose and were dealt with. */
  const bool dealt_with = f->injected && f->status == f->injected && !f->wait_error && !f->left[0];
  if ((error || f->injected) && !dealt_with)
    wb_device_failed_with(f->injected ? f->injected : error, &reply->origin);
  if (error && !f->injected && !reply->origin.known) wb_device_failed_with(0, &reply->other);
  if (own && !error && server->task->must_fail && server->task->must_fail(&c))
    wb_device_failed_with(0, &reply->origin); /* an error that it lost */
}

/* The arrays are allocated and never touched, so that they may be larger than the machine's memory. */
static void reach(wb_server *server, const wb_request *request, wb_reply *reply) {
  wb_layout layout;
  wb_case c = {.size = request->size};
  memcpy(c.param, request->param, sizeof c.param);
  reply->error = release(server);
  if (reply->error || !wb_arena_layout(server->task, &request->size, &layout)) return;
  char words[120];
  snprintf(words, sizeof words, "with %s = %s, which the contract allows", server->task->dims,
           wb_text_size(request->size.n, wb_dims(server->task)));
  /* Only numbers that do not fit in 32 bits can show a number that was cut to 32 bits. */
  const uint64_t calls = server->task->given_calls ? server->task->given_calls(&c) : 0;
  wb_device_reach_begin(words, calls >> 33 ? calls : 0);
  for (int a = 0; !reply->error && a < layout.arrays; a++)
    if (server->task->arrays[a].memory == WB_DEVICE)
      reply->error = wb_device_allocate(&c.array[a], layout.bytes[a]);
    else if (!(c.array[a] = calloc(1, layout.bytes[a] + 1)))
      reply->error = -1;
    else if (server->task->arrays[a].memory == WB_PINNED)
      reply->error = wb_device_pin(c.array[a], layout.bytes[a] + 1);
  complaint[0] = not_as_asked[0] = '\0';
  wb_device_fail(request->fail, false);
  if (!reply->error) wb_device_call(server->task->call, &c, NULL, &reply->figures);
  note_complaints(reply);
  if (!request->fail) note_failing(server->channel, reply->figures.may_fail);
  const int failed = reply->figures.injected ? reply->figures.injected : reply->figures.status;
  if (failed) {
    note_error(reply, failed);
    wb_device_failed_with(failed, &reply->origin);
  }
  /* Of several devices each has its part, and copies of gigabytes between them do nothing. */
  const bool whole = !reply->error && !reply->figures.status && !reply->figures.wait_error;
  reply->reached = 0;
  for (int a = 0; whole && !request->fail && !server->task->devices && a < layout.arrays; a++) {
    const wb_array *array = &server->task->arrays[a];
    const size_t count = layout.count[a];
    if (array->memory != WB_DEVICE) continue;
    const size_t reached = wb_device_reached(c.array[a], array->name, count, wb_type_bytes(array->type));
    for (int d = 0; d < wb_dims(server->task) && reached < count; d++)
      if (count == request->size.n[d]) reply->reached = reached, reply->reached_of = count;
  }
  wb_device_reach_end();
  wb_device_findings(server->channel->findings, sizeof server->channel->findings);
  for (int a = 0; a < layout.arrays; a++)
    if (server->task->arrays[a].memory == WB_DEVICE)
      wb_device_free(c.array[a]);
    else {
      if (c.array[a] && server->task->arrays[a].memory == WB_PINNED) wb_device_unpin(c.array[a]);
      free(c.array[a]);
    }
}

void wb_serve(wb_server *server, const wb_request *request, wb_reply *reply) {
  *reply = (wb_reply){.number = request->number};
  wb_channel *channel = server->channel;
  switch (request->verb) {
  case WB_DO_OPEN:
    if (request->flags & WB_STEADY) wb_device_steady();
    channel->opened = wb_device_open(&channel->info, &channel->refusal);
    if (channel->opened && server->sandboxed) channel->sandboxed = wb_sandbox_enter();
    break;
  case WB_DO_CEILINGS:
    channel->ceiling_count = wb_device_ceilings(request->needs, channel->ceilings);
    break;
  case WB_DO_PREPARE:
    reply->error = prepare(server, request);
    reply->used_bytes = wb_device_used_bytes();
    break;
  case WB_DO_CALL:
    call(server, request, reply);
    break;
  case WB_DO_FINISH:
    reply->used_bytes = wb_device_used_bytes();
    reply->error = finish(server, request);
    break;
  case WB_DO_FINDINGS:
    reply->error = release(server);
    wb_device_check_leaks();
    wb_device_findings(channel->findings, sizeof channel->findings);
    break;
  case WB_DO_REACH:
    reach(server, request, reply);
    break;
  default:
    break;
  }
  if (reply->error) note_error(reply, reply->error);
}

void wb_serve_loop(wb_server *server, int socket) {
  const pid_t me = getpid();
  wb_request request;
  while (recv(socket, &request, sizeof request, 0) == (ssize_t)sizeof request) {
    wb_reply reply;
    if (request.verb != WB_DO_QUIT) wb_serve(server, &request, &reply);
    if (getpid() != me) break; /* the learner's function forked, and this is the child */
    fflush(NULL);
    if (request.verb == WB_DO_QUIT) reply = (wb_reply){.number = request.number};
    if (send(socket, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply) break;
    if (request.verb == WB_DO_QUIT) break;
  }
  _exit(0);
}

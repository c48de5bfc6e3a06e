/*
 * Compiling in another process: a worker of the harness may neither write files nor run programs, so it sends
 * its request over a stream socket, and the process that has started it compiles.
 *
 *     worker                          the other process, when the socket is readable
 *     length, request      ─────▶     cucc_compile_serve: reads, within a second, looks, compiles or remembers
 *     length, reply        ◀─────     result, architecture, is virtual, path of the module, log
 *
 * The worker may be hostile: what it sends is only a text to compile. Modules and what is remembered of them
 * are the other process's, and the worker can't write there.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "nvrtc_inner.h"
#include "base/needed.h"
#include "cucc.h"

/* Waits at most `ms` for more; -1: for ever. */
static bool wait_for(int descriptor, short events, int ms) {
  struct pollfd file = {descriptor, events, 0};
  int ready;
  do ready = poll(&file, 1, ms);
  while (ready < 0 && errno == EINTR && ms < 0);
  return ready > 0;
}

static bool receive(int descriptor, void *bytes, size_t size, int ms) {
  char *at = bytes;
  while (size) {
    if (!wait_for(descriptor, POLLIN, ms)) return false;
    const ssize_t got = recv(descriptor, at, size, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (got > 0) {
      at += got;
      size -= (size_t)got;
    }
  }
  return true;
}

static bool deliver(int descriptor, const void *bytes, size_t size, int ms) {
  const char *at = bytes;
  while (size) {
    if (!wait_for(descriptor, POLLOUT, ms)) return false;
    const ssize_t put = send(descriptor, at, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (put < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (put > 0) {
      at += put;
      size -= (size_t)put;
    }
  }
  return true;
}

struct reply {
  int32_t result, architecture, is_virtual;
  uint32_t log;
  char module[512];
};

/* ------------------------------------------------------------------------------------ the one that may not */

static int through = -1;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void cucc_compile_through(int descriptor) { through = descriptor; }

static bool ask(struct request request, struct answer *answer) {
  const uint64_t length = request.bytes;
  struct reply reply;
  if (!deliver(through, &length, sizeof length, -1) || !deliver(through, request.data, length, -1) ||
      !receive(through, &reply, sizeof reply, -1) || reply.log > 2 * LOG_MOST)
    return false;
  char *log = needed(malloc(reply.log + 1));
  const bool good = receive(through, log, reply.log, -1);
  *answer = (struct answer){.result = (nvrtcResult)reply.result,
                            .architecture = reply.architecture,
                            .is_virtual = reply.is_virtual};
  snprintf(answer->module, sizeof answer->module, "%s", reply.module);
  wb_text_add_bytes(&answer->log, log, good ? reply.log : 0);
  free(log);
  return good;
}

bool compile_elsewhere(struct request request, struct answer *answer) {
  if (through < 0) return false;
  pthread_mutex_lock(&turn);
  if (!ask(request, answer)) {
    *answer = (struct answer){.result = NVRTC_ERROR_INTERNAL_ERROR};
    wb_text_add(&answer->log, "nvrtc: error: the process that compiles has closed the connection\n");
  }
  pthread_mutex_unlock(&turn);
  return true;
}

/* ---------------------------------------------------------------------------------------- the one that may */

struct kept {
  char *request;
  size_t bytes;
  struct answer answer;
  struct kept *next;
};

static struct kept *kept;
static int compilations;

static const struct answer *find(struct request request) {
  const struct kept *k = kept;
  while (k && (k->bytes != request.bytes || memcmp(k->request, request.data, k->bytes))) k = k->next;
  return k ? &k->answer : NULL;
}

static const struct answer *keep(struct request request, const struct answer *answer) {
  struct kept *k = needed(malloc(sizeof *k));
  *k = (struct kept){needed(malloc(request.bytes + 1)), request.bytes, *answer, kept};
  memcpy(k->request, request.data, request.bytes);
  kept = k;
  return &k->answer;
}

static const struct answer *compile_new(struct request request, const struct cucc_compile_limits *limits) {
  struct answer fresh;
  compilations++;
  compile_here(request, limits, &fresh);
  return keep(request, &fresh);
}

/* What comes after the limit is not kept: it would take memory without an end. */
static const struct answer *refusal(int most) {
  static struct answer refused = {.result = NVRTC_ERROR_COMPILATION};
  if (!refused.log.size)
    wb_text_add(&refused.log, "nvrtc: error: more than %d texts were compiled; no more are\n", most);
  return &refused;
}

static const char *given; /* the text of the modules given out since it was asked for; `kept` owns it */
static bool several;      /* different ones */

static void note_text(const struct answer *answer) {
  const char *text = wb_text_get(&answer->text);
  if (answer->result != NVRTC_SUCCESS) return;
  several |= given && strcmp(given, text) != 0;
  given = text;
}

const char *cucc_compiled_text(void) {
  const char *text = several ? NULL : given;
  given = NULL, several = false;
  return text;
}

static bool give(int descriptor, const struct answer *answer) {
  struct reply reply = {.result = answer->result,
                        .architecture = answer->architecture,
                        .is_virtual = answer->is_virtual,
                        .log = (uint32_t)answer->log.size};
  snprintf(reply.module, sizeof reply.module, "%s", answer->module);
  return deliver(descriptor, &reply, sizeof reply, 1000) &&
         deliver(descriptor, wb_text_get(&answer->log), reply.log, 1000);
}

int cucc_compile_serve(int descriptor, const struct cucc_compile_limits *limits) {
  uint64_t length;
  if (!receive(descriptor, &length, sizeof length, 1000) || length > REQUEST_MOST) return -1;
  char *bytes = needed(malloc(length + 1));
  const struct request request = {length, bytes};
  int result = -1;
  if (receive(descriptor, bytes, length, 1000)) {
    const struct answer *answer = find(request);
    if (!answer)
      answer = compilations < limits->count ? compile_new(request, limits) : refusal(limits->count);
    note_text(answer);
    result = give(descriptor, answer) ? 0 : -1;
  }
  free(bytes);
  return result;
}

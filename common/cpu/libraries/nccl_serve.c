/* The hub's thread: takes connections, and moves messages without waiting for any of them. */
#define _GNU_SOURCE /* accept4 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/threads.h"
#include "cucc.h"
#include "nccl_hub.h"

#define PEERS_MAX 256
#define TICK_MS   20
#define LAST_MS   2000 /* to tell others of an error */

static struct peer *peers;
static int listener = -1, owner, connected, untold;
static uint32_t port;
static double last_message_ms;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of connected, untold and last_message_ms */
static pthread_cond_t fewer = PTHREAD_COND_INITIALIZER;

/* ---------------------------------------------------------------------------------------------- sending */

static void flush(struct peer *p) {
  while (p->out_sent < p->out_bytes) {
    const ssize_t n =
        send(p->fd, p->out + p->out_sent, p->out_bytes - p->out_sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n <= 0) return; /* later; or the end, which reading shows */
    p->out_sent += (size_t)n;
  }
  free(p->out);
  p->out = NULL;
  p->out_bytes = p->out_sent = 0;
}

void hub_send(struct peer *p, enum message message, uint32_t party, const void *body, size_t bytes) {
  const struct header h = {message, party, bytes};
  if (p->gone) return;
  p->out = needed(realloc(p->out, p->out_bytes + sizeof h + bytes));
  memcpy(p->out + p->out_bytes, &h, sizeof h);
  if (bytes) memcpy(p->out + p->out_bytes + sizeof h, body, bytes);
  p->out_bytes += sizeof h + bytes;
  p->sent++;
  flush(p);
}

/* ---------------------------------------------------------------------------------------------- receiving */

/* Before it is read: a message that this peer may send now, of a size that it may have. */
static bool allowed(const struct peer *p) {
  const struct header *h = &p->head;
  const struct offer *o;
  switch (h->message) {
  case HELLO:
    return !p->greeted && h->bytes <= 4096;
  case CALL:
    return p->hall && h->bytes <= TASKS_MAX * sizeof(struct call);
  case GIVE:
    o = hub_offer(p, h->party);
    return o && hub_gives(o) == h->bytes;
  default:
    return p->greeted && h->bytes <= sizeof(struct stuck);
  }
}

static bool handle(struct peer *p) {
  const struct header *h = &p->head;
  p->heard_ms = now_ms();
  pthread_mutex_lock(&lock);
  last_message_ms = p->heard_ms;
  pthread_mutex_unlock(&lock);
  if (h->message != STUCK && h->message != ALIVE) p->stuck = false;
  switch (h->message) {
  case HELLO:
    p->greeted = true;
    return hub_hello(p, h, p->body);
  case CALL:
    return hub_call(p, h, p->body);
  case GIVE:
    return hub_give(p, h, &p->body);
  case STUCK:
    if (h->bytes != sizeof(struct stuck)) return false;
    p->stuck = true;
    p->stuck_ms = p->heard_ms;
    p->stuck_heard = ((const struct stuck *)p->body)->heard;
    p->others = ((const struct stuck *)p->body)->others;
    return true;
  case BYE:
    p->left = true;
    return true;
  default:
    return h->message == ALIVE;
  }
}

/* Reads what there is. False: the connection ends. */
static bool take(struct peer *p) {
  for (;;) {
    const bool in_head = p->got < sizeof p->head;
    const size_t whole = in_head ? sizeof p->head : sizeof p->head + p->head.bytes;
    char *at = in_head ? (char *)&p->head + p->got : p->body + (p->got - sizeof p->head);
    if (p->got < whole) {
      const ssize_t n = recv(p->fd, at, whole - p->got, MSG_DONTWAIT);
      if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
      if (n <= 0) return false;
      p->got += (size_t)n;
      if (p->got < whole) continue;
      if (in_head) {
        if (!allowed(p) || !(p->body = malloc(p->head.bytes + 1))) return false;
        continue;
      }
    }
    const bool good = handle(p);
    free(p->body);
    p->body = NULL;
    p->got = 0;
    if (!good) return false;
  }
}

/* ---------------------------------------------------------------------------------------- connections */

static void add_peer(int fd) {
  struct peer *p = needed(calloc(1, sizeof *p));
  *p = (struct peer){.fd = fd, .heard_ms = now_ms(), .next = peers};
  peers = p;
  pthread_mutex_lock(&lock);
  connected++;
  pthread_mutex_unlock(&lock);
}

static void welcome(void) {
  const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), one = 1;
  if (fd < 0) return;
  if (connected >= PEERS_MAX) {
    close(fd);
    return;
  }
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  add_peer(fd);
}

static void farewell(struct peer *p) {
  struct hall *h = p->hall;
  close(p->fd);
  free(p->body);
  free(p->out);
  p->body = p->out = NULL;
  p->out_bytes = p->out_sent = 0;
  p->gone = true;
  p->gone_ms = now_ms();
  pthread_mutex_lock(&lock);
  connected--;
  pthread_cond_broadcast(&fewer);
  pthread_mutex_unlock(&lock);
  if (h) {
    h->here--;
    hub_ended(p);
  }
}

/* Takes away what has no more use: connections without a hall, and halls where all have gone. A hall that
 * refused stays, to refuse those that still come. */
static void sweep(void) {
  for (struct hall **link = &hub_halls, *h; (h = *link);) {
    if (h->here || !h->open) {
      link = &h->next;
      continue;
    }
    for (struct peer *p = peers; p; p = p->next)
      if (p->hall == h) p->hall = NULL;
    hub_forget(h);
    *link = h->next;
    free(h);
  }
  for (struct peer **link = &peers, *p; (p = *link);) {
    if (p->gone && !p->hall) {
      *link = p->next;
      free(p);
    } else
      link = &p->next;
  }
}

static void *serve(void *unused) {
  (void)unused;
  struct pollfd fd[PEERS_MAX + 1];
  struct peer *of[PEERS_MAX + 1];
  for (;;) {
    nfds_t n = 1;
    fd[0] = (struct pollfd){.fd = listener, .events = POLLIN};
    for (struct peer *p = peers; p; p = p->next) {
      if (p->gone) continue;
      of[n] = p;
      fd[n++] = (struct pollfd){.fd = p->fd, .events = (short)(POLLIN | (p->out_bytes ? POLLOUT : 0))};
    }
    if (poll(fd, n, hub_halls ? TICK_MS : -1) < 0 && errno != EINTR) return NULL;
    for (nfds_t i = 1; i < n; i++) {
      if (fd[i].revents & POLLOUT) flush(of[i]);
      if (fd[i].revents & ~POLLOUT && !take(of[i])) farewell(of[i]);
    }
    if (fd[0].revents) welcome();
    for (struct hall *h = hub_halls; h; h = h->next) hub_check(h);
    sweep();
    pthread_mutex_lock(&lock);
    untold = hub_untold();
    pthread_mutex_unlock(&lock);
  }
}

/* ---------------------------------------------------------------------------------------- start, end */

static bool all_given; /* the ranks' connections: none listens */

int cucc_nccl_hub(const int *sockets, int count, void *id) {
  all_given = true;
  for (int i = 0; i < count; i++) add_peer(sockets[i]);
  return ncclGetUniqueId(id) == ncclSuccess ? 0 : -1;
}

int hub_start(void) {
  static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&starting);
  if (owner != getpid()) { /* not yet, or in the parent */
    owner = getpid();
    port = all_given;
    if (!all_given) listener = socket_listen(&port);
    if (port && !thread_start(0, serve, NULL)) port = 0;
  }
  pthread_mutex_unlock(&starting);
  return (int)port;
}

/* Ranks of other processes may still exchange what does not concern this one. After an error they get a
 * moment, to learn of it. */
void hub_end(int status) {
  const double began = now_ms();
  if (owner != getpid()) return;
  pthread_mutex_lock(&lock);
  for (;;) {
    const double quiet = now_ms() - last_message_ms;
    struct timespec t;
    const bool failed = status || cucc.sticky || untold;
    if ((!connected && !untold) || quiet > nccl_limit_ms() || (failed && now_ms() - began > LAST_MS)) break;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += 50000000;
    if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&fewer, &lock, &t);
  }
  pthread_mutex_unlock(&lock);
}

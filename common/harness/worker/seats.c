/* worker/seats.c: see worker/seats.h. */
#include "worker/seats.h"
#include "device/device.h"
#include "worker/sandbox.h"
#include "wb.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static wb_seats taken; /* by the worker that starts next; 0 ranks: none */
static int taken_rank;

void wb_seats_take(const wb_seats *seats, int rank) {
  taken = seats ? *seats : (wb_seats){.ranks = 0};
  taken_rank = rank;
}

int wb_seats_keep(int number) {
  const int kept = taken.ranks ? fcntl(taken.socket[taken_rank], F_DUPFD_CLOEXEC, number) : -1;
  if (kept >= 0) wb_device_is_rank(kept);
  return kept;
}

int wb_own_rank(int *rank, int *ranks, void *id) {
  if (!taken.ranks) return 0;
  *rank = taken_rank;
  *ranks = taken.ranks;
  memcpy(id, taken.id, sizeof taken.id);
  return 1;
}

/* The hub sends the id to `out`, and serves until it is killed. Like its parent, no rank can read it. */
static void hub(const int *sockets, int ranks, int out, pid_t parent) {
  char id[sizeof((wb_seats *)NULL)->id];
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  if (wb_device_serve_ranks(sockets, ranks, id) != 0) _exit(1);
  wb_sandbox_enter();
  if (write(out, id, sizeof id) != (ssize_t)sizeof id) _exit(1);
  for (;;) pause();
}

bool wb_seats_open(wb_seats *seats, int ranks) {
  int ends[WB_MOST_RANKS], out[2], pair[2];
  *seats = (wb_seats){.ranks = 0};
  if (ranks > WB_MOST_RANKS || pipe2(out, O_CLOEXEC) != 0) return false;
  bool made = true;
  while (made && seats->ranks < ranks) {
    made = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
    if (!made) break;
    ends[seats->ranks] = pair[0];
    seats->socket[seats->ranks++] = pair[1];
  }
  fflush(NULL);
  const pid_t parent = getpid();
  if (made) seats->hub = fork();
  if (made && seats->hub == 0) {
    for (int i = 0; i < ranks; i++) close(seats->socket[i]); /* or it would never see their end */
    hub(ends, ranks, out[1], parent);
  }
  close(out[1]);
  made = made && seats->hub > 0 && read(out[0], seats->id, sizeof seats->id) == (ssize_t)sizeof seats->id;
  close(out[0]);
  for (int i = 0; i < seats->ranks; i++) close(ends[i]);
  if (!made) wb_seats_close(seats);
  return made;
}

void wb_seats_close(wb_seats *seats) {
  for (int i = 0; i < seats->ranks; i++) close(seats->socket[i]);
  seats->ranks = 0;
}

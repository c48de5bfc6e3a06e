/*
 * worker/seats.h: the ranks of a call, each a worker of its own. A worker may open no sockets, so its only way to
 * the others is made before it starts: a socket to the hub, one more process, which runs none of the learner's
 * code. There NCCL's ranks meet.
 */
#ifndef WB_SEATS_H
#define WB_SEATS_H

#include <stdbool.h>
#include <sys/types.h>

#define WB_MOST_RANKS 8

typedef struct wb_seats {
  int ranks;
  int socket[WB_MOST_RANKS]; /* of the ranks */
  pid_t hub;                 /* ended with any worker (base/process_tree.h) */
  char id[128];              /* an ncclUniqueId, for one communicator */
} wb_seats;

/* Starts the hub. Returns false when the system refuses. */
bool wb_seats_open(wb_seats *seats, int ranks);
void wb_seats_close(wb_seats *seats);

/* The workers that start from now on are this rank; NULL: no rank. */
void wb_seats_take(const wb_seats *seats, int rank);

/* In the worker, while it closes the descriptors that it inherited: moves its socket to `number` and returns
 * that; -1: it is no rank. */
int wb_seats_keep(int number);

#endif

/* What ranks of several processes and the hub of their id send each other: a header, and `bytes` more. */
#ifndef CUCC_NCCL_MESSAGE_H
#define CUCC_NCCL_MESSAGE_H

#include "nccl_inner.h"

#define NCCL_PROTOCOL 1

/* What stands in an ncclUniqueId. */
struct unique {
  char name[8]; /* "cuccNCCL" */
  uint32_t version, port;
  uint64_t id, secret; /* random; id is not 0 */
  uint32_t address[4]; /* of the node, as the network has them; 0: no more */
  int32_t pid;
  char node[60];
};
_Static_assert(sizeof(struct unique) <= NCCL_UNIQUE_ID_BYTES, "it fits into an ncclUniqueId");

enum message {
  HELLO = 1, /* struct hello */
  CALL,      /* a party: struct call, one for each of its tasks */
  GIVE,      /* what its tasks give, one after the other */
  STUCK,     /* struct stuck: the host waits, and nothing can run */
  ALIVE,     /* the process does something */
  BYE,       /* the communicator is destroyed */
  WELCOME,   /* all ranks are there */
  REFUSED,   /* struct refusal */
  WANTED,    /* another rank waits for what the party gives */
  RESULT,    /* what its tasks receive, one after the other */
  NOTE,      /* text: the last call of a rank in the maker's process */
  VERDICT,   /* text: the party never runs */
};

struct header {
  uint32_t message, party;
  uint64_t bytes;
};

struct hello {
  uint64_t id, secret;
  uint32_t version;
  int32_t ranks, rank, pid;
  char node[64], gpu[96];
};

struct call {
  int32_t kind, type, op, peer;
  uint64_t count, number;
  char name[24], place[168];
};

struct stuck {
  uint64_t heard;  /* messages from the hub that it knew */
  uint32_t others; /* it may wait for something else */
};

struct refusal {
  int32_t result;
  char text[NCCL_WORDS_MAX];
};

/* nccl_socket.c */
const char *node_name(void);
/* Listens at a free port on all addresses; -1: there are no sockets. */
int socket_listen(uint32_t *port);
/* Fills the addresses of this node. */
void socket_addresses(uint32_t address[4]);
/* A connection to the id's hub, or -1. */
int socket_connect(const struct unique *u, double limit_ms);
bool socket_send(int fd, const struct header *h, const void *body);
/* All bytes, or false. */
bool socket_receive(int fd, void *into, size_t bytes);
/* CUCC_NCCL_WAIT in milliseconds; without a limit, a week. */
double nccl_limit_ms(void);

#endif

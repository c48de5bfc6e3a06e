/* The hub: its rooms in nccl_hub.c, its connections in nccl_serve.c. Only the hub's thread calls these. */
#ifndef CUCC_NCCL_HUB_H
#define CUCC_NCCL_HUB_H

#include "nccl_message.h"

#define PATIENCE_MS 5000.0 /* where ranks may wait for something that this hub does not see */

/* A connection: a rank, once it has greeted. It stays, gone, until its hall is empty. */
struct peer {
  int fd;
  struct hall *hall;
  struct hello hello;
  bool greeted, gone, left; /* left: it said farewell */
  bool stuck, others;
  uint64_t sent, stuck_heard;
  double heard_ms, stuck_ms, gone_ms;
  char last[240]; /* its last call */
  struct header head;
  size_t got; /* of the header, then of the body */
  char *body;
  char *out;
  size_t out_bytes, out_sent;
  struct peer *next;
};

/* The ranks of an id. */
struct hall {
  uint64_t id;
  struct clique clique; /* only its number of ranks */
  struct peer *peer[RANKS_MAX];
  int came, here; /* ever; still connected */
  int untold;     /* after a refusal: ranks that may still come and are to hear of it */
  bool open;      /* all came */
  double since;
  struct refusal refusal; /* result 0: none */
  struct party *parties;  /* offers, oldest first */
  struct hall *next;
};

/* A rank's party, its memory here. */
struct offer {
  struct party party;
  struct peer *peer;
  uint32_t number;
  bool given, wanted, judged;
  char *in, *out;
  struct call *calls;
};

static inline struct offer *offer_of(struct party *p) { return (struct offer *)p; }

/* nccl_hub.c */
extern struct hall *hub_halls;
const char *hub_names(const struct peer *p);
/* Messages. False: it is none of ours, and the connection is to be closed. */
bool hub_hello(struct peer *p, const struct header *head, const char *body);
bool hub_call(struct peer *from, const struct header *head, const char *body);
bool hub_give(struct peer *from, const struct header *head, char **body); /* takes the body */
struct offer *hub_offer(const struct peer *from, uint32_t number);
/* Bytes of what it gives. */
size_t hub_gives(const struct offer *o);
/* Whether ranks wait for ever. */
void hub_check(struct hall *h);
/* The connection of a rank that had come has ended. */
void hub_ended(struct peer *p);
/* Ranks that are still to come and hear why theirs is refused. */
int hub_untold(void);
/* Drops the parties. */
void hub_forget(struct hall *h);

/* nccl_serve.c. Keeps a message until the peer takes it. */
void hub_send(struct peer *p, enum message message, uint32_t party, const void *body, size_t bytes);

#endif

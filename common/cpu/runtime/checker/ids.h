#ifndef CUCC_CHECKER_IDS_H
#define CUCC_CHECKER_IDS_H

#include "base/base.h"

struct worker;

/* The identifiers of this launch. The host and copies use them between launches, the workers within one. */
struct ids {
  uint32_t next, launch_first, launch_safe;
  uint32_t grid_first; /* of the last synchronisation of the grid */
  unsigned round;      /* how often ids ran out within this launch */
  unsigned generation; /* of ids */
  unsigned launches;
  int workers; /* the largest index of a worker in this launch, plus one */
  bool released_any;
  pthread_mutex_t lock;
};

#define PORTION      16u
#define ROUND_UP(id) (((id) + PORTION - 1) / PORTION * PORTION)
extern struct ids ids;
/* Notes which block of the worker begins with an id; forgets that, of all workers or of one. */
void ids_note_block(const struct worker *w, uint32_t id);
void ids_forget_blocks(void);
void ids_forget_blocks_of(const struct worker *w);
/* The block, by its linear index, that a record of this launch is of. */
uint64_t block_of(uint32_t record);
void ids_take_portion(const struct worker *w);
uint32_t ids_take(const struct worker *w);
uint32_t ids_larger(uint32_t a, uint32_t b);
int ids_owner(uint32_t record);

#endif

/*
 * What CUCC_PROFILE counts, as profile.c collects it and profile_report.c prints it.
 */
#ifndef CUCC_CHECKER_PROFILE_H
#define CUCC_CHECKER_PROFILE_H

#include "base/base.h"
#include "base/text.h"
#include "memory/shadow.h"

struct op;
struct worker;

enum profile_kind {
  GLOBAL_LOAD,
  GLOBAL_STORE,
  GLOBAL_ATOMIC,
  SHARED_LOAD,
  SHARED_STORE,
  SHARED_ATOMIC,
  CONSTANT_LOAD,
  BARRIER,
  PROFILE_KINDS
};

static inline bool profile_is_global(enum profile_kind kind) { return kind <= GLOBAL_ATOMIC; }
/* Counted in sectors, not in wavefronts. */
static inline bool profile_has_sectors(enum profile_kind kind) {
  return profile_is_global(kind) || kind == CONSTANT_LOAD;
}

/* Sums over requests. A request is one instruction executed once by a warp. */
struct figures {
  uint64_t requests;
  uint64_t lanes;                        /* that took part */
  uint64_t sectors, ideal_sectors;       /* global: distinct pieces of 32 bytes; the fewest for these bytes */
  uint64_t bytes;                        /* global: that these hold */
  uint64_t wavefronts, ideal_wavefronts; /* shared: passes over the 32 banks; the rest are conflicts */
  uint64_t mapped_sectors;               /* global: of those, in the host's memory */
  uint64_t managed_sectors;              /* of these, in managed memory that was allocated */
  uint64_t peer_sectors;                 /* global: of those, in the memory of another device */
  uint64_t broadcasts;                   /* requests of several lanes that want one and the same word */
  uint64_t broadcast_lanes;              /* that took part in those */
  uint64_t few_lanes;                    /* that took part in requests of fewer than four lanes */
};

/* An instruction, by its return address. */
struct profile_site {
  uintptr_t pc;
  enum profile_kind kind;
  struct figures sum;
};

struct profile_kernel {
  char *name, *file;
  int line;
  uint3 grid, block;
  bool of_graph; /* launched by graphs */
  uint64_t launches;
  struct profile_site *sites;
  size_t site_count;
  /* the most atomic operations on one address: in one launch; in one block */
  uint64_t most_global_atomics, most_shared_atomics;
  uint64_t stored, most_stored; /* sectors of global memory: in the last launch; the most in one launch */
  uint64_t writing_threads, writing_blocks; /* that wrote to global memory */
  bool estimated;      /* more requests than have places: their addresses are extrapolated */
  bool crowded;        /* more instructions than have places: each access of these is a request */
  bool more_addresses; /* more addresses of atomics than are counted one by one */
};

/* The kernels launched while profiling was on, in the order of their first launch; *count of them. Taken with
 * profile_lock held. */
const struct profile_kernel *profile_kernels(size_t *count);
extern pthread_mutex_t profile_lock;

#if CUCC_CHECKED
struct region;
/* An access of the running thread, from judge(). */
void profile_access(const struct region *r, uintptr_t address, size_t size, unsigned access, uintptr_t pc);
/* Called as a launch, a worker, a block and a thread go on. profile_worker_begin returns whether this launch
 * is profiled. */
void profile_launch_begin(const struct op *op);
bool profile_worker_begin(void);
void profile_worker_end(void);
void profile_block_begins(struct worker *w);
void profile_thread_ends(struct worker *w);
void profile_barrier(struct worker *w);
void profile_warp_met(struct worker *w, int warp, uint32_t group);
#endif

/* For all builds; in the fast one nothing is counted, and profile_start says so. */
void profile_start(void);
void profile_reset(void);
/* Adds `,"profile":[…]`, when profiling is on or was. */
void profile_json(wb_text *t);
/* At the end of the process: writes what CUCC_PROFILE asks for. */
void profile_report(void);

#endif

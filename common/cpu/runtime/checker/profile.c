/*
 * Counts what a GPU's memory system would be asked to do: requests, sectors, wavefronts, bank conflicts,
 * atomics, by instruction.
 *
 * A GPU runs 32 lanes of a warp in step; here they run one after another. So each lane's accesses are put
 * down by instruction (its return address) and occurrence: the k-th execution of an instruction by one lane
 * belongs with the k-th of the other lanes. When all lanes of a warp have come to the same point (a barrier,
 * a synchronisation of the whole warp, its end) the requests are complete: they are summed up and their
 * places used again. That is exact as long as lanes part only in branches and in loops around one loop; where
 * an inner loop's length differs between lanes, k-th with k-th is a guess.
 *
 * Where places run out nothing is left out. How many requests an instruction made, and of how many lanes, is
 * known anyway; their addresses are extrapolated from those that have places, and the kernel's figures are
 * marked as estimated. Of instructions beyond SITES_MAX each access counts as a request of its own: `crowded`.
 *
 *     instruction ──▶ site ──▶ per warp: segment ──▶ request k: the address of each lane
 *
 * While profiling is on, all accesses take the slow way (hooks/hooks.c), and judge() calls profile_access.
 */
#include "checker/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "base/occupancy.h"
#include "base/options.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "checker/profile_request.h"
#include "checker/thread_state.h"
#include "checker/variables.h"
#include "cucc.h"

pthread_mutex_t profile_lock = PTHREAD_MUTEX_INITIALIZER;

#if CUCC_CHECKED

#define REQUESTS_MAX ((size_t)1 << 17) /* open ones of a worker: 35 MB */
#define SITES_MAX    4096u
#define INDEX_SIZE   16384u
#define TALLY_SIZE   65536u /* addresses of global atomics that are counted one by one, of a worker */

/* The requests of an instruction and a warp since all its lanes were last at the same point. */
struct segment {
  uint32_t done[32];   /* executions by each lane */
  uint32_t used, room; /* requests put down, and places for them */
  bool full;           /* there was no place for one */
  struct asked *requests;
};

struct site {
  struct profile_site sum;
  int piece; /* of a structure that is copied in several pieces */
  struct segment *segments[MAX_WARPS];
};

/* What one worker has collected of the running launch. */
struct book {
  struct site *sites;
  size_t site_count;
  uint16_t index[INDEX_SIZE];          /* by hash of the address: number of the site plus one */
  size_t open;                         /* places for requests in all segments */
  struct figures crowd[PROFILE_KINDS]; /* of the instructions that have no site */
  bool estimated, crowded, more_addresses;
  struct {
    uintptr_t address;
    uint64_t count;
  } tally[TALLY_SIZE]; /* atomic operations by address */
  size_t tallied;
  uint32_t *shared_tally; /* the same for each word of shared memory, of the running block */
  bool shared_tallied;
  uint32_t most_shared;
  struct {
    uintptr_t address, pc;
  } updating[MAX_THREADS]; /* what each thread last read by an atomic operation, and who then writes it */
  bool wrote[MAX_THREADS]; /* whether each thread of the running block wrote to global memory */
  bool block_wrote;
  uint64_t writing_threads, writing_blocks;
};

static __thread struct book *book;
static struct profile_kernel *kernels;
static size_t kernel_count;
static bool on, active; /* for launches to come; for the running one */
static size_t current;  /* the kernel that runs */
/* Global atomics of the running launch by address, of all workers. */
static struct {
  uintptr_t address;
  uint64_t count;
} * launch_tally;
static size_t launch_tallied;

/* ---------------------------------------------------------------------------------------- summing up */

static void add_request(struct figures *f, enum profile_kind kind, const struct asked *r) {
  if (profile_has_sectors(kind))
    profile_sum_global(f, r, cucc_worker->launch->device);
  else
    profile_sum_shared(f, r);
}

/* An access that cannot be put together with those of other lanes: a request of its own. */
static void add_single(struct figures *f, enum profile_kind kind, uintptr_t address, size_t size) {
  struct asked r = {.lanes = 1, .size = (uint32_t)size};
  r.at[0] = address;
  book->crowded = true;
  add_request(f, kind, &r);
}

/* Of the requests without a place: how many lanes took part, which follows from how often each lane came. */
static struct figures lanes_beyond(const struct segment *st) {
  struct figures f = {0};
  uint32_t came[33] = {0}; /* most often first, then 0; at least as often as there are places */
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t at = i;
    for (; at && came[at - 1] < st->done[i]; at--) came[at] = came[at - 1];
    came[at] = st->done[i];
  }
  for (int i = 0; i <= 32; i++)
    if (came[i] < st->used) came[i] = st->used;
  for (uint32_t lanes = 1; lanes <= 32; lanes++) {
    const uint64_t of_these = (uint64_t)lanes * (came[lanes - 1] - came[lanes]);
    f.lanes += of_these;
    if (lanes < 4) f.few_lanes += of_these;
  }
  return f;
}

/* All lanes of the warp have passed: sums up what they did at this instruction. */
static void fold(struct site *s, struct segment *st) {
  uint32_t executions = 0;
  for (int i = 0; i < 32; i++)
    if (st->done[i] > executions) executions = st->done[i];
  if (!executions) return;
  struct figures f = {0};
  for (uint32_t k = 0; k < st->used; k++) {
    add_request(&f, s->sum.kind, &st->requests[k]);
    st->requests[k].lanes = 0;
  }
  struct figures known = st->full ? lanes_beyond(st) : (struct figures){0};
  known.lanes += f.lanes;
  known.few_lanes += f.few_lanes;
  f.lanes = f.few_lanes = 0;
  if (st->used) profile_add_figures(&s->sum.sum, &f, (double)executions / st->used);
  if (!st->used) known.requests = known.sectors = known.wavefronts = executions; /* at least */
  profile_add_figures(&s->sum.sum, &known, 1);
  book->estimated |= st->full;
  if (st->room > 64) { /* others may need the places */
    book->open -= st->room;
    free(st->requests);
    st->requests = NULL;
    st->room = 0;
  }
  st->used = 0;
  st->full = false;
  memset(st->done, 0, sizeof st->done);
}

static void fold_warp(int warp) {
  for (size_t i = 0; i < book->site_count; i++)
    if (book->sites[i].segments[warp]) fold(&book->sites[i], book->sites[i].segments[warp]);
}

/* ---------------------------------------------------------------------------------------- putting down */

static struct site *site_for(uintptr_t pc, enum profile_kind kind, int piece) {
  struct book *b = book;
  size_t i = (pc * 0x9e3779b97f4a7c15u >> 40 ^ (unsigned)kind * 37u ^ (unsigned)piece * 101u) % INDEX_SIZE;
  for (; b->index[i]; i = (i + 1) % INDEX_SIZE) {
    struct site *s = &b->sites[b->index[i] - 1];
    if (s->sum.pc == pc && s->sum.kind == kind && s->piece == piece) return s;
  }
  if (b->site_count == SITES_MAX) return NULL;
  struct site *s = &b->sites[b->site_count++];
  *s = (struct site){.sum = {.pc = pc, .kind = kind}, .piece = piece};
  b->index[i] = (uint16_t)b->site_count;
  return s;
}

/* The place of request k, or NULL when too many are open. */
static struct asked *request_for(struct segment *st, uint32_t k) {
  if (k < st->room) return &st->requests[k];
  const uint32_t room = st->room ? 2 * st->room : 16;
  if (st->full || book->open + room - st->room > REQUESTS_MAX) {
    st->full = true;
    return NULL;
  }
  struct asked *more = needed(realloc(st->requests, room * sizeof *more));
  memset(more + st->room, 0, (room - st->room) * sizeof *more);
  book->open += room - st->room;
  st->requests = more;
  st->room = room;
  return &more[k];
}

static void put(enum profile_kind kind, uintptr_t address, size_t size, uintptr_t pc, int piece) {
  struct worker *w = cucc_worker;
  const int warp = w->current / 32, lane_index = w->current % 32;
  struct site *s = site_for(pc, kind, piece);
  if (!s) {
    add_single(&book->crowd[kind], kind, address, size);
    return;
  }
  struct segment *st = s->segments[warp];
  if (!st) st = s->segments[warp] = needed(calloc(1, sizeof *st));
  const uint32_t k = st->done[lane_index]++;
  struct asked *r = request_for(st, k);
  if (!r) { /* `done` knows of it */
    if (!profile_is_global(kind)) return;
    profile_sum_mapped(&s->sum.sum, address);
    if (profile_is_of_peer(address, w->launch->device)) s->sum.sum.peer_sectors++;
    return;
  }
  if (k >= st->used) st->used = k + 1;
  r->lanes |= 1u << lane_index;
  r->size = (uint32_t)size;
  r->at[lane_index] = address;
}

static void tally_global(uintptr_t address) {
  struct book *b = book;
  size_t i = (address * 0x9e3779b97f4a7c15u >> 40) % TALLY_SIZE;
  while (b->tally[i].count && b->tally[i].address != address) i = (i + 1) % TALLY_SIZE;
  if (!b->tally[i].count) {
    b->more_addresses |= b->tallied > TALLY_SIZE / 4 * 3;
    if (b->more_addresses) return; /* so many different ones: none stands out */
    b->tallied++;
    b->tally[i].address = address;
  }
  b->tally[i].count++;
}

static void tally_shared(uintptr_t offset) {
  struct book *b = book;
  if (!b->shared_tally)
    b->shared_tally = needed(calloc(thread_state.shared.size / 4 + 1, sizeof *b->shared_tally));
  b->shared_tallied = true;
  if (++b->shared_tally[offset / 4] > b->most_shared) b->most_shared = b->shared_tally[offset / 4];
}

/* An atomic update that the hardware has and we make of a read and a compare-and-swap (atomicMax, float
 * additions) counts once, however often it had to be tried. */
static bool is_retry(uintptr_t address, unsigned access, uintptr_t pc) {
  const size_t t = (size_t)cucc_worker->current;
  if ((access & SWAP) && book->updating[t].address == address &&
      (!book->updating[t].pc || book->updating[t].pc == pc)) {
    book->updating[t].pc = pc;
    return true;
  }
  book->updating[t].address = (access & (ATOMIC | WRITE | VOLATILE)) == ATOMIC ? address : 0;
  book->updating[t].pc = 0;
  return false;
}

static void tally_writer(void) {
  bool *wrote = &book->wrote[cucc_worker->current];
  book->writing_threads += !*wrote;
  book->writing_blocks += !book->block_wrote;
  *wrote = book->block_wrote = true;
}

void profile_access(const struct region *r, uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  const bool shared = r == &thread_state.shared, atomic = (access & ATOMIC) && !(access & VOLATILE);
  if (!book || is_retry(address, access, pc)) return;
  const uintptr_t at = shared ? address - r->base : address;
  enum profile_kind kind = atomic ? GLOBAL_ATOMIC : access & WRITE ? GLOBAL_STORE : GLOBAL_LOAD;
  if (shared)
    kind += SHARED_LOAD - GLOBAL_LOAD;
  else if (variable_is_constant(address))
    kind = CONSTANT_LOAD; /* another cache and another path */
  if (kind == GLOBAL_STORE || kind == GLOBAL_ATOMIC) tally_writer();
  if (kind == GLOBAL_ATOMIC) tally_global(address);
  if (kind == SHARED_ATOMIC) tally_shared(at);
  /* a structure is copied in words, unless it is one of those that a thread can move at once */
  const bool whole = size <= 8 || (size == 16 && address % 16 == 0);
  const size_t each = whole ? size : 4;
  for (size_t done = 0; done < size; done += each)
    put(kind, at + done, each < size - done ? each : size - done, pc, (int)(done / each));
}

void profile_barrier(struct worker *w) {
  if (!book) return;
  struct site *s = site_for(w->threads[w->arrived[0]].site, BARRIER, 0);
  struct figures *f = s ? &s->sum.sum : &book->crowd[BARRIER];
  f->requests++;
  f->lanes += (uint64_t)w->arrived_count;
  for (int i = 0; i * 32 < w->count; i++) fold_warp(i);
}

void profile_warp_met(struct worker *w, int warp, uint32_t group) {
  if (book && group == w->warps[warp].lanes) fold_warp(warp);
}

void profile_thread_ends(struct worker *w) {
  const int warp = w->current / 32;
  if (book && w->warps[warp].lanes == 1u << w->current % 32) fold_warp(warp);
}

void profile_block_begins(struct worker *w) {
  if (!book) return;
  warps_begin(w);
  for (int i = 0; i * 32 < w->count; i++) fold_warp(i); /* of a block that was given up */
  if (book->shared_tallied)
    memset(book->shared_tally, 0, (thread_state.shared.size / 4 + 1) * sizeof(uint32_t));
  book->shared_tallied = false;
  memset(book->wrote, 0, sizeof book->wrote);
  book->block_wrote = false;
}

/* ---------------------------------------------------------------------------------------- launches */

static bool same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void profile_launch_begin(const struct op *op) {
  active = on;
  if (!active) return;
  const struct launch *l = op->launch;
  pthread_mutex_lock(&profile_lock);
  for (current = 0; current < kernel_count; current++) {
    const struct profile_kernel *k = &kernels[current];
    if (k->of_graph == op->of_graph && k->line == l->line && same(k->grid, l->grid) &&
        same(k->block, l->block) && !strcmp(k->name, l->name) && !strcmp(k->file, l->file))
      break;
  }
  if (current == kernel_count) {
    kernels = needed(realloc(kernels, (kernel_count + 1) * sizeof *kernels));
    kernels[kernel_count++] = (struct profile_kernel){.name = needed(strdup(l->name)),
                                                      .file = needed(strdup(l->file)),
                                                      .line = l->line,
                                                      .grid = l->grid,
                                                      .block = l->block,
                                                      .of_graph = op->of_graph};
  }
  kernels[current].launches++;
  kernels[current].stored = 0;
  if (launch_tally) memset(launch_tally, 0, 2 * TALLY_SIZE * sizeof *launch_tally);
  launch_tallied = 0;
  pthread_mutex_unlock(&profile_lock);
}

bool profile_worker_begin(void) {
  if (!active) return false;
  if (!book) {
    book = needed(calloc(1, sizeof *book));
    book->sites = needed(calloc(SITES_MAX, sizeof *book->sites));
  }
  return true;
}

static void add_to_kernel(struct profile_kernel *k, const struct profile_site *s) {
  if (s->kind == GLOBAL_STORE) k->stored += s->sum.sectors;
  if (k->stored > k->most_stored) k->most_stored = k->stored;
  for (size_t i = 0; i < k->site_count; i++)
    if (k->sites[i].pc == s->pc && k->sites[i].kind == s->kind) {
      profile_add_figures(&k->sites[i].sum, &s->sum, 1);
      return;
    }
  k->sites = needed(realloc(k->sites, (k->site_count + 1) * sizeof *k->sites));
  k->sites[k->site_count++] = *s;
}

static void add_tally(struct profile_kernel *k, uintptr_t address, uint64_t count) {
  const size_t size = 2 * TALLY_SIZE;
  if (!launch_tally) launch_tally = calloc(size, sizeof *launch_tally);
  k->more_addresses |= !launch_tally || launch_tallied > size / 4 * 3;
  if (k->more_addresses) return;
  size_t i = (address * 0x9e3779b97f4a7c15u >> 40) % size;
  while (launch_tally[i].count && launch_tally[i].address != address) i = (i + 1) % size;
  if (!launch_tally[i].count) launch_tallied++;
  launch_tally[i].address = address;
  launch_tally[i].count += count;
  if (launch_tally[i].count > k->most_global_atomics) k->most_global_atomics = launch_tally[i].count;
}

void profile_worker_end(void) {
  struct book *b = book;
  if (!b) return;
  for (int i = 0; i < MAX_WARPS; i++) fold_warp(i);
  pthread_mutex_lock(&profile_lock);
  if (current < kernel_count) {
    struct profile_kernel *k = &kernels[current];
    for (size_t i = 0; i < b->site_count; i++)
      if (b->sites[i].sum.sum.requests) add_to_kernel(k, &b->sites[i].sum);
    for (int kind = 0; kind < PROFILE_KINDS; kind++)
      if (b->crowd[kind].requests)
        add_to_kernel(k, &(struct profile_site){.kind = (enum profile_kind)kind, .sum = b->crowd[kind]});
    for (size_t i = 0; b->tallied && i < TALLY_SIZE; i++)
      if (b->tally[i].count) add_tally(k, b->tally[i].address, b->tally[i].count);
    k->writing_threads += b->writing_threads;
    k->writing_blocks += b->writing_blocks;
    if (b->most_shared > k->most_shared_atomics) k->most_shared_atomics = b->most_shared;
    k->estimated |= b->estimated;
    k->crowded |= b->crowded;
    k->more_addresses |= b->more_addresses;
  }
  pthread_mutex_unlock(&profile_lock);
  for (size_t i = 0; i < b->site_count; i++)
    for (int warp = 0; warp < MAX_WARPS; warp++)
      if (b->sites[i].segments[warp]) {
        free(b->sites[i].segments[warp]->requests);
        free(b->sites[i].segments[warp]);
      }
  free(b->shared_tally);
  free(b->sites);
  free(b);
  book = NULL;
}

const struct profile_kernel *profile_kernels(size_t *count) {
  *count = kernel_count;
  return kernels;
}

void profile_reset(void) {
  pthread_mutex_lock(&profile_lock);
  for (size_t i = 0; i < kernel_count; i++) {
    free(kernels[i].name);
    free(kernels[i].file);
    free(kernels[i].sites);
  }
  kernel_count = current = 0;
  pthread_mutex_unlock(&profile_lock);
}

int cucc_profile(int wanted) {
  on = wanted != 0;
  return 0;
}

#else

const struct profile_kernel *profile_kernels(size_t *count) {
  *count = 0;
  return NULL;
}
void profile_reset(void) {}
int cucc_profile(int wanted) { return wanted ? -1 : 0; }

#endif

void profile_start(void) {
  if (options()->profile != PROFILE_OFF && cucc_profile(1))
    fputs("cucc: CUCC_PROFILE counts accesses, and a program compiled with --fast does not see them: compile "
          "it without --fast\n",
          stderr);
}

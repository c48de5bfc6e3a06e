/*
 * The sentences of reports on memory: what happened, where, in which allocation, and what usually causes it.
 */
#include "checker.h"
#if CUCC_CHECKED
#include <stdio.h>
#include <string.h>

static const char *verb(unsigned access) {
  return access & ATOMIC  ? (access & WRITE ? "atomically updates" : "atomically reads")
         : access & WRITE ? "writes"
                          : "reads";
}

static const char *plural(size_t n) { return n == 1 ? "" : "s"; }

void thread_text(char *out, size_t size, const struct finding *f) {
  snprintf(out, size, "thread (%u,%u,%u) of block (%u,%u,%u)", f->thread.x, f->thread.y, f->thread.z,
           f->block.x, f->block.y, f->block.z);
}

/* "add.cu:41", or how it came about where there is no line. */
static void place_text(char *out, size_t size, uintptr_t site) {
  const struct place p = site ? place_of(site) : (struct place){{0}, 0};
  if (p.line)
    snprintf(out, size, " at %.200s:%d", p.file, p.line);
  else
    *out = 0;
}

/* What the array was made of, as far as an access of `size` bytes tells: a structure, too, when it fits. */
static size_t element_of(size_t size, size_t length) {
  return size && (size <= 16 || length % size == 0) ? size : 1;
}

/* offset: from the start of an array of `length` bytes, perhaps negative */
static void index_text(struct finding *f, int64_t offset, size_t length, size_t element) {
  const int64_t size = (int64_t)element, index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  const size_t n = length / element;
  char last[48] = "";
  if (offset >= (int64_t)length && n) snprintf(last, sizeof last, ", the last is %zu", n - 1);
  snprintf(f->index, sizeof f->index, "element %lld of %zu (of %zu byte%s)%s", (long long)index, n, element,
           plural(element), last);
}

static void describe_shared(struct finding *f, uintptr_t address, size_t size) {
  const size_t offset = address - lane.shared.base, dynamic = shared_dynamic_offset();
  const struct variable *v = shared_variable_near(offset);
  if (!v) return;
  if (v->offset == dynamic) {
    const size_t bytes = cucc_worker->launch->shared_bytes;
    if (bytes)
      snprintf(f->allocation, sizeof f->allocation,
               "%zu bytes of dynamic shared memory, asked for by the launch", bytes);
    else
      snprintf(f->allocation, sizeof f->allocation,
               "dynamic shared memory, but the launch asked for none (third argument of <<< >>>)");
    index_text(f, (int64_t)(offset - dynamic), bytes, size);
    return;
  }
  snprintf(f->allocation, sizeof f->allocation, "%zu bytes of shared memory, `%s`", v->size, v->name);
  index_text(f, (int64_t)(offset - v->offset), v->size, size);
}

static void describe_allocation(struct finding *f, const struct allocation *a, uintptr_t address,
                                size_t size) {
  char made[256], freed[256];
  place_text(made, sizeof made, a->site);
  place_text(freed, sizeof freed, a->freed_site);
  snprintf(f->allocation, sizeof f->allocation, "%zu byte%s of %s, %s%.90s%s%.90s", a->size, plural(a->size),
           memory_name(a->space), a->call, made, a->freed_site ? ", freed" : "", a->freed_site ? freed : "");
  index_text(f, (int64_t)(address - a->start), a->size, element_of(size, a->size));
}

void describe_address(struct finding *f, uintptr_t address, size_t size) {
  struct allocation a;
  if (cucc_worker && address - lane.shared.base < lane.shared.size) {
    describe_shared(f, address, size);
    return;
  }
  if (variable_describe(f, address, size)) return;
  if (address - data.base < data.size) {
    snprintf(f->allocation, sizeof f->allocation, "a variable of the program");
    return;
  }
  if (memory_find(address, &a)) describe_allocation(f, &a, address, size);
}

/* ---------------------------------------------------------------------------------------------- memcheck */

/* The thread that would make a forbidden access ends here, and so does the launch, with the error a GPU
 * gives. */
static void stop_thread(cudaError_t error) {
  launch_stop(cucc_worker->launch, error);
  block_abandon(cucc_worker);
}

/* Where arithmetic on a pointer to device memory may lead: the arena and its surroundings. */
static bool near_arena(uintptr_t address) {
  const size_t margin = (size_t)64 << 30;
  return address - (ARENA_BASE - margin) < ARENA_SIZE + 2 * margin;
}

static const char early_cause[] =
    "memory of cudaMallocAsync is there for later work of that stream; another one must wait for an event "
    "recorded after it";

/* A kernel is ahead of the allocation of its memory. */
static bool memory_early(const struct allocation *a) {
  return !a->freed && !a->free_issue && !memory_made_before(a, &cucc_worker->launch->op->clock);
}

/* The rows of such an array lie apart. */
static bool is_pitched(const struct allocation *a) {
  return !strcmp(a->call, "cudaMallocPitch") || !strcmp(a->call, "cudaMalloc3D");
}

/* Why an index of elements of `size` bytes runs behind the end; astray: far behind. */
static const char *behind_cause(const struct allocation *a, size_t offset, size_t size, bool astray) {
  const size_t index = offset / size, wrapped = UINT32_MAX - index;
  if (astray && index <= UINT32_MAX && wrapped < 1 << 20)
    return "an unsigned index that went below 0: 0u - 1 is 4294967295; check for the first element";
  if (astray)
    return "a pointer or index that was never set, a product that overflowed, or bytes counted as elements";
  if (is_pitched(a))
    return "the pitch counts bytes, not elements: row y starts at (float *)((char *)p + y * pitch); or no "
           "guard like `if (y < height)`";
  return "no guard like `if (i < n)`: the last block has more threads than elements are left; or <= for <, "
         "i + 1 at the last element, or an array made too small: cudaMalloc(n) for n * sizeof";
}

static void explain_arena(struct finding *f, const char *who, uintptr_t address, size_t size,
                          unsigned access) {
  struct allocation a;
  const size_t far = (size_t)1 << 24;
  const uintptr_t inside = address < ARENA_BASE                ? ARENA_BASE
                           : address < ARENA_BASE + ARENA_SIZE ? address
                                                               : ARENA_BASE + ARENA_SIZE - 1;
  if (!memory_find(inside, &a)) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s where nothing was ever allocated", who,
             verb(access), size, plural(size));
    f->cause = "a pointer that was never set, or arithmetic that went far astray";
    return;
  }
  describe_allocation(f, &a, address, size);
  const int64_t offset = (int64_t)address - (int64_t)a.start;
  const size_t past = offset >= (int64_t)a.size ? (size_t)offset - a.size : 0,
               before = offset < 0 ? (size_t)-offset : 0;
  const bool astray = past > far || before > far;
  const char *const array = astray ? "the nearest array" : "its array";
  const bool within = offset >= 0 && (size_t)offset < a.size;
  if (within && !a.freed && a.space == SPACE_DEVICE &&
      !device_peer_allowed(cucc_worker->launch->device, a.device)) {
    snprintf(f->sentence, sizeof f->sentence,
             "%s %s %zu byte%s of memory of device %d, from a kernel on device %d", who, verb(access), size,
             plural(size), a.device, cucc_worker->launch->device);
    f->cause =
        "a missing cudaDeviceEnablePeerAccess; or a missing cudaSetDevice before cudaMalloc or the launch";
  } else if (within && memory_early(&a)) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s of memory before its %s in another stream",
             who, verb(access), size, plural(size), a.call);
    f->cause = early_cause;
  } else if (within && (a.freed || a.free_issue)) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s of memory that was freed", who, verb(access),
             size, plural(size));
    f->cause = a.made_seq ? "cudaFreeAsync too early in the stream, or a pointer kept after it"
                          : "cudaFree too early, or a pointer kept after it";
  } else if (within) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s that reach beyond the end of %s", who,
             verb(access), size, plural(size), array);
    f->cause = "a wider type (float4) at the last element, or an array whose size is no multiple of it";
  } else if (offset < 0) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s, %zu byte%s before the start of %s", who,
             verb(access), size, plural(size), before, plural(before), array);
    f->cause =
        astray ? "an index that overflowed: int * int beyond 2147483647 turns negative; compute it in size_t"
               : "an index like i - 1 without a check for the first element; or the % of a negative number, "
                 "which is negative";
  } else {
    char distance[48] = "right";
    if (past) snprintf(distance, sizeof distance, "%zu byte%s", past, plural(past));
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s, %s behind the end of %s", who, verb(access),
             size, plural(size), distance, array);
    f->cause = behind_cause(&a, (size_t)offset, size, astray);
  }
}

void report_bad_address(uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  const struct launch *launch = cucc_worker->launch;
  if (checking(TOOL_MEM) && !finding_repeats(TOOL_MEM, false, pc, launch)) {
    struct finding f = finding_here(TOOL_MEM, pc);
    char who[96];
    thread_text(who, sizeof who, &f);
    if (near_arena(address))
      explain_arena(&f, who, address, size, access);
    else if (address - lane.shared.base < lane.shared.size) {
      describe_address(&f, address, size);
      snprintf(f.sentence, sizeof f.sentence, "%s %s %zu byte%s outside of shared memory", who, verb(access),
               size, plural(size));
      f.cause = "a tile smaller than the block, or a launch that asks for too little dynamic shared memory "
                "(bytes, not elements)";
    } else if (variable_explain(&f, who, verb(access), address, size, access & WRITE)) {
    } else if (address < 65536) {
      snprintf(f.sentence, sizeof f.sentence, "%s %s through a null pointer (address %zu)", who, verb(access),
               (size_t)address);
      f.cause = "an allocation that failed or never happened (check what cudaMalloc returns), or one in a "
                "function that has only a copy of the pointer: give it &p";
    } else {
      snprintf(f.sentence, sizeof f.sentence, "%s %s %zu byte%s of host memory: a host pointer in a kernel",
               who, verb(access), size, plural(size));
      f.cause =
          "the launch was given an array from malloc (or the h_ pointer), a structure that holds one, or "
          "a pointer that was never set; pass the one from cudaMalloc";
    }
    finding_add(&f);
  }
  stop_thread(cudaErrorIllegalAddress);
  __builtin_unreachable();
}

void report_misaligned(uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  const struct launch *launch = cucc_worker->launch;
  if (checking(TOOL_MEM) && !finding_repeats(TOOL_MEM, false, pc, launch)) {
    struct finding f = finding_here(TOOL_MEM, pc);
    char who[96];
    thread_text(who, sizeof who, &f);
    describe_address(&f, address, 1);
    snprintf(f.sentence, sizeof f.sentence, "%s %s %zu bytes at an address that is not a multiple of %zu",
             who, verb(access), size, size);
    f.cause = "a pointer cast to a wider type (float * to float4 *) whose start or offset does not fit";
    finding_add(&f);
  }
  stop_thread(cudaErrorMisalignedAddress);
  __builtin_unreachable();
}

/* ---------------------------------------------------------------------------------------------- initcheck */

void report_uninitialised(const struct region *r, uintptr_t address, size_t size, uintptr_t pc, uint3 block,
                          uint3 thread, bool arriving) {
  const struct launch *launch = cucc_worker->launch;
  /* A thread that was stopped for a fault left things unwritten: that is no fault of others. */
  if (launch->error || finding_repeats(TOOL_INIT, false, pc, launch)) return;
  struct finding f = finding_here(TOOL_INIT, pc);
  f.block = block;
  f.thread = thread;
  char who[96];
  thread_text(who, sizeof who, &f);
  const bool shared = r == &lane.shared;
  describe_address(&f, address, size);
  snprintf(f.sentence, sizeof f.sentence, "%s reads %zu byte%s of %s memory %s", who, size, plural(size),
           shared ? "shared" : "device",
           arriving ? "before the copy to there has arrived" : "that nobody has written");
  struct allocation a;
  f.cause =
      arriving
          ? "no __pipeline_wait_prior (cg::wait) between the copy and what reads it, one that leaves a batch "
            "too many under way, or no __pipeline_commit behind the copy; then a barrier, for the other "
            "threads"
      : shared ? "a tile that not every thread fills, or that is read before it is filled; shared memory "
                 "starts as garbage in each block"
      : memory_find(address, &a) && is_pitched(&a)
          ? "rows that lie pitch bytes apart, not width * sizeof: row y starts at (float *)((char *)p + "
            "y * pitch); or a missing cudaMemcpy2D or cudaMemset2D"
          : "a missing cudaMemcpy or cudaMemset before the launch, or one of too few bytes; cudaMalloc does "
            "not clear memory";
  finding_add(&f);
}

void report_empty_copy(const struct op *op) {
  if (finding_repeats(TOOL_INIT, false, op->site, NULL)) return;
  struct finding f = {.tool = TOOL_INIT, .site = op->site};
  snprintf(f.sentence, sizeof f.sentence, "%s copies %zu bytes back to the host that nobody has written",
           op->call, op->bytes);
  describe_address(&f, (uintptr_t)op->src, 4);
  *f.index = 0;
  f.cause = "a kernel that was not launched (is its error checked?), that writes nothing or another array, "
            "or that runs in another stream and was not waited for";
  finding_add(&f);
}

/* ---------------------------------------------------------------------------------------------- racecheck */

static const char *race_cause(enum relation relation, const struct region *r, bool both_write, bool atomic) {
  const bool shared = r == &lane.shared;
  if (relation == THE_HOST) return BESIDE_CAUSE;
  if (relation == OTHER_OPERATION) return "a missing cudaStreamWaitEvent or synchronise between two streams";
  if (atomic)
    return "a plain access beside atomic ones: every update must be atomic, and a plain read wait for a "
           "barrier or the next launch";
  if (shared && cucc_worker->count > 32)
    return "a missing __syncthreads between filling shared memory and using it, or before it is filled "
           "again; "
           "or a sum or maximum that needs an atomic function";
  if (shared) return "lanes of a warp do not run in step: __syncwarp or __syncthreads must lie between";
  if (both_write)
    return "several threads write one element: an index without blockIdx or threadIdx, or with x for y or "
           "the height for the width; or an update that needs an atomic function";
  return relation == OTHER_BLOCK ? "several blocks use one element, in any order: sums need an atomic "
                                   "function, stencils a second array, else a second launch"
                                 : "several threads use one element: sums need an atomic function, stencils "
                                   "a second array, or __syncthreads is missing";
}

/* Another operation: a kernel or copy in a stream. */
static void party_text(char *out, size_t size, const struct past *p) {
  if (p)
    snprintf(out, size, "%.60s in stream %d", p->name, p->stream);
  else
    snprintf(out, size, "other work");
}

/* A record of a read may stand for atomic updates by several threads. */
static bool other_atomic(uint32_t other, bool other_writes) {
  return other_writes ? other & FLAG : BY_ATOMICS(other);
}

static const char *other_did(uint32_t other, bool other_writes) {
  return other_atomic(other, other_writes) ? "atomically updates" : other_writes ? "writes" : "reads";
}

/* Who did the other access, as far as the record tells. */
static void other_text(struct finding *f, uint32_t other, bool other_writes, enum relation relation) {
  const struct worker *w = cucc_worker;
  const char *did = other_did(other, other_writes);
  const bool several = !other_writes && (other & FLAG);
  const uint3 t = w->index_of[WHO(other) % (unsigned)w->count];
  if (relation == OTHER_OPERATION) {
    const struct past *p = past_of(other);
    if (p && p->line)
      snprintf(f->other, sizeof f->other, "where %.40s in stream %d %s it (launched at %.60s:%d)", p->name,
               p->stream, did, p->file, p->line);
    else if (p) {
      snprintf(f->other, sizeof f->other, "where %.40s in stream %d %s it", p->name, p->stream, did);
      f->other_site = p->site;
    }
  } else if (relation == THE_HOST)
    snprintf(f->other, sizeof f->other, "where the host %s it, without having waited", did);
  else if (several && (WHO(other) & ~2u) == WHO(MANY_BLOCKS))
    snprintf(f->other, sizeof f->other, "where several blocks %s it", BY_ATOMICS(other) ? "update" : "read");
  else if (several)
    snprintf(f->other, sizeof f->other, "where several threads of the block %s it",
             BY_ATOMICS(other) ? "update" : "read");
  else if (relation == OTHER_BLOCK) {
    const uint64_t b = block_of(other);
    const uint3 g = w->launch->grid;
    snprintf(f->other, sizeof f->other, "where thread (%u,%u,%u) of block (%llu,%llu,%llu) %s it", t.x, t.y,
             t.z, (unsigned long long)(b % g.x), (unsigned long long)(b / g.x % g.y),
             (unsigned long long)(b / g.x / g.y), did);
  } else
    snprintf(f->other, sizeof f->other, "where thread (%u,%u,%u) of the same block %s it", t.x, t.y, t.z,
             did);
}

void report_race(const struct region *r, uintptr_t address, size_t size, unsigned access, uintptr_t pc,
                 uint32_t other, bool other_writes, uintptr_t other_pc, bool same_value) {
  struct worker *w = cucc_worker;
  if (w->launch->error || finding_repeats(TOOL_RACE, same_value, pc, w->launch)) return;
  static const char *const between[] = {"",
                                        "another lane of its warp",
                                        "another thread of its block",
                                        "a thread of another block",
                                        "other work",
                                        "the host"};
  const enum relation relation = relation_of(&lane, other, !other_writes);
  struct finding f = finding_here(TOOL_RACE, pc);
  char who[96];
  thread_text(who, sizeof who, &f);
  f.warning = same_value;
  f.other_site = other_pc;
  const struct past *p = relation == OTHER_OPERATION ? past_of(other) : NULL;
  char party[96];
  party_text(party, sizeof party, p);
  snprintf(f.sentence, sizeof f.sentence, "%s %s %s memory that %s %s%s, and nothing orders the two", who,
           verb(access),
           r == &lane.shared                    ? "shared"
           : r == &arena && is_managed(address) ? "managed"
           : r == &arena && !is_device(address) ? "pinned host"
                                                : "global",
           p ? party : between[relation], other_did(other, other_writes),
           same_value ? " (with the same value)" : "");
  describe_address(&f, address, size);
  other_text(&f, other, other_writes, relation);
  f.cause = race_cause(relation, r, other_writes && (access & WRITE),
                       (access & ATOMIC) || other_atomic(other, other_writes));
  finding_add(&f);
}

void report_copy_race(const struct op *op, uintptr_t address, bool writes, uint32_t other,
                      bool other_writes) {
  if (finding_repeats(TOOL_RACE, false, op->site, NULL)) return;
  const struct past *p = past_of(other);
  struct finding f = {.tool = TOOL_RACE, .site = op->site};
  char party[96];
  party_text(party, sizeof party, p);
  snprintf(f.sentence, sizeof f.sentence,
           "%s in stream %d %s %s memory that %s %s, and nothing orders the two", op->call, op->stream->id,
           op->kind == OP_FREE ? "frees"
           : writes            ? "writes"
                               : "reads",
           is_device(address)    ? "device"
           : is_managed(address) ? "managed"
                                 : "pinned",
           party, other_writes ? "writes" : "reads");
  if (p && p->line)
    snprintf(f.other, sizeof f.other, "%.60s, launched at %.60s:%d", p->name, p->file, p->line);
  else if (p) {
    f.other_site = p->site;
    snprintf(f.other, sizeof f.other, "%.60s", p->name);
  }
  describe_address(&f, address, 4);
  f.cause =
      !strncmp(op->call, "cublas", 6)
          ? "cublasSetStream forgotten (the handle works in the default stream until then), or a missing "
            "cudaStreamWaitEvent or synchronise between two streams"
          : "a missing cudaStreamWaitEvent or synchronise between two streams; the same buffer used for two "
            "chunks";
  finding_add(&f);
}

void report_early_copy(const struct op *op, const struct allocation *a) {
  if (finding_repeats(TOOL_MEM, false, op->site, NULL)) return;
  struct finding f = {.tool = TOOL_MEM, .site = op->site};
  snprintf(f.sentence, sizeof f.sentence, "%s in stream %d of memory before its %s in another stream",
           op->call, op->stream->id, a->call);
  describe_address(&f, a->start, 1);
  *f.index = 0;
  f.cause = early_cause;
  finding_add(&f);
}

/* ---------------------------------------------------------------------------------------------- host calls
 */

void check_bad_free(const char *call, uintptr_t address, enum space space, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct allocation a;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  const bool known = in_arena(address) && memory_find(address, &a) && address - a.start <= a.size;
  if (!known) {
    snprintf(f.sentence, sizeof f.sentence, "%s of a pointer that no CUDA call gave", call);
    f.cause =
        "a host pointer, or a pointer that was never set; malloc goes with free, cudaMalloc with cudaFree";
  } else if (a.space != space) {
    snprintf(f.sentence, sizeof f.sentence, "%s of %s", call, memory_name(a.space));
    f.cause = "cudaMalloc goes with cudaFree, cudaMallocHost and cudaHostAlloc with cudaFreeHost";
  } else if (a.start != address) {
    snprintf(f.sentence, sizeof f.sentence, "%s of a pointer into the middle of an allocation", call);
    f.cause = "the pointer was moved (p += …) since cudaMalloc; free the one that it gave";
  } else {
    snprintf(f.sentence, sizeof f.sentence, "%s of memory that is freed already", call);
    f.cause = "two cudaFree for one cudaMalloc";
  }
  if (known) describe_address(&f, address, 1);
  *f.index = 0;
  finding_add(&f);
}

void check_unmanaged(const char *call, const void *pointer, size_t bytes, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  snprintf(f.sentence, sizeof f.sentence, "%s of %zu bytes that are no managed memory, or not all of them",
           call, bytes);
  describe_address(&f, (uintptr_t)pointer, 1);
  *f.index = 0;
  f.cause = "only memory of cudaMallocManaged and __managed__ variables moves between host and device; or a "
            "size that is too large";
  finding_add(&f);
}

/* Which side of a refused copy is wrong, and how. */
static void explain_copy(struct finding *f, const char *call, const void *p, const char *side, size_t bytes) {
  struct allocation a;
  const uintptr_t address = (uintptr_t)p;
  if (!memory_find(address, &a) || address - a.start > a.size) {
    snprintf(f->sentence, sizeof f->sentence, "%s of %zu bytes: the %s is no memory of the device", call,
             bytes, side);
    f->cause = "a pointer that was never set by cudaMalloc, or that went astray";
    return;
  }
  describe_address(f, address, 1);
  *f->index = 0;
  if (a.freed || a.free_issue) {
    snprintf(f->sentence, sizeof f->sentence, "%s of %zu bytes: the %s was freed", call, bytes, side);
    f->cause = "cudaFree too early";
    return;
  }
  snprintf(f->sentence, sizeof f->sentence, "%s of %zu bytes: the %s has only %zu bytes from there", call,
           bytes, side, a.size - (address - a.start));
  f->cause = "a size in elements where bytes are meant, or in bytes of another type; or an allocation "
             "without sizeof";
}

void check_null_copy(const char *call, const char *side, size_t bytes, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  snprintf(f.sentence, sizeof f.sentence, "%s of %zu bytes: the %s is a null pointer", call, bytes, side);
  f.cause = "an array that was never allocated, or whose malloc or cudaMalloc failed";
  finding_add(&f);
}

void check_bad_copy(const char *call, const void *dst, const void *src, size_t bytes, bool wrong_way,
                    uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  if (variable_explain_copy(&f, call, dst, "destination", bytes) ||
      variable_explain_copy(&f, call, src, "source", bytes)) {
  } else if (bytes > SIZE_MAX / 2) {
    snprintf(f.sentence, sizeof f.sentence, "%s of %lld bytes, which a size_t takes for %zu", call,
             (long long)bytes, bytes);
    f.cause = "a size computed from an int that is negative or overflowed: compute it in size_t";
  } else if (wrong_way && src) {
    snprintf(f.sentence, sizeof f.sentence,
             "%s of %zu bytes: the direction contradicts the pointers (from %s memory to %s memory)", call,
             bytes, is_device((uintptr_t)src) ? "device" : "host",
             is_device((uintptr_t)dst) ? "device" : "host");
    f.cause = "the destination comes first: cudaMemcpy(to, from, bytes, kind); or the wrong kind";
  } else if (wrong_way) {
    snprintf(f.sentence, sizeof f.sentence, "%s of %zu bytes of host memory", call, bytes);
    f.cause = "a host pointer where one from cudaMalloc is meant";
  } else {
    struct allocation a;
    const uintptr_t d = (uintptr_t)dst;
    const bool right = !in_arena(d) || (memory_contains(d, bytes, &a) && !a.free_issue);
    explain_copy(&f, call, right ? src : dst, right ? "source" : "destination", bytes);
  }
  finding_add(&f);
}

#endif

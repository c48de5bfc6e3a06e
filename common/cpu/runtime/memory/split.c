/*
 * Words that are accessed in parts, byte by byte or in halves, and whose bytes have different records.
 *
 * Shared memory and the program's variables have four whole cells more for such a word. The arena has only
 * four bytes more, so that the shadow stays four times as large as the memory: what is in the word's own cell
 * and in its codes stands for four cells,
 *
 *     cell.write  | 111 | id: 21 bits | group: 8 bits |   the newest write of the four, or SPLIT without it
 *     cell.read   |       id: 21 bits | group: 8 bits |   the newest read
 *     codes       | read: 4 bits | write: 4 bits |        of each byte
 *
 * where a group is four threads, and a code says which thread from the first of the group on it was, or that
 * there were several, or nothing, or only that the byte was written at some time. shadow.h says what gets
 * lost. Words whose four bytes have the same record are whole (again).
 */
#include "memory/split.h"
#if CUCC_CHECKED
#include <sched.h>
#include <string.h>

#include "memory/arena.h"
#include "memory/shadow.h"

#define GROUP_BITS 8
#define GROUP(b)   ((b) & ((1u << GROUP_BITS) - 1))

/* Codes of writes; from WRITTEN_BY on a plain one, from UPDATED_BY on an atomic one of a thread. */
enum { UNWRITTEN, WRITTEN, WRITTEN_BY, UPDATED_BY = 12, CODES = 16 };
/* Codes of reads: none, several of a warp, the four that stand for more (MANY_IN_BLOCK …), one thread. */
enum { UNREAD, READ_IN_WARP, READ_BY_MANY, READ_BY = 6 };

static inline __attribute__((always_inline)) uint32_t base_record(uint32_t base) {
  return RECORD((base >> GROUP_BITS) % RECORD_IDS);
}

static inline __attribute__((always_inline)) uint32_t write_of(unsigned code, uint32_t base) {
  if (code < WRITTEN_BY) return code == WRITTEN ? OLD : NOTHING;
  const uint32_t first = base_record(base) + 4 * GROUP(base);
  return code < UPDATED_BY ? first + code - WRITTEN_BY : (first + code - UPDATED_BY) | FLAG;
}

static inline __attribute__((always_inline)) uint32_t read_of(unsigned code, uint32_t base) {
  if (code == UNREAD) return 0;
  if (code == READ_IN_WARP) return base_record(base) | FLAG | GROUP(base) / 8;
  if (code < READ_BY) return (base_record(base) | MANY_IN_BLOCK) + code - READ_BY_MANY;
  return base_record(base) + 4 * GROUP(base) + code - READ_BY;
}

/* The code that means just this record, or, where there is none, the one that says less. */
static inline __attribute__((always_inline)) unsigned write_code(uint32_t record, uint32_t base) {
  if (record == NOTHING) return UNWRITTEN;
  const unsigned code = (record & FLAG ? UPDATED_BY : WRITTEN_BY) + WHO(record) - 4 * GROUP(base);
  return code < CODES && write_of(code, base) == record ? code : WRITTEN;
}

static inline __attribute__((always_inline)) unsigned read_code(uint32_t record, uint32_t base) {
  const unsigned code = !(record & FLAG)                   ? READ_BY + WHO(record) - 4 * GROUP(base)
                        : WHO(record) < WHO(MANY_IN_BLOCK) ? READ_IN_WARP
                                                           : READ_BY_MANY + WHO(record) - WHO(MANY_IN_BLOCK);
  return code < CODES && read_of(code, base) == record ? code : UNREAD;
}

/* The newest id of four records, and the first group of those that have it. */
static inline __attribute__((always_inline)) uint32_t base_of(const uint32_t record[4], bool reads) {
  uint32_t id = 0, single = UINT32_MAX, several = 0;
  for (int i = 0; i < 4; i++)
    if (ID(record[i]) > id) id = ID(record[i]);
  for (int i = 0; i < 4; i++) {
    if (ID(record[i]) != id) continue;
    if (reads && (record[i] & FLAG))
      several = WHO(record[i]) < WHO(MANY_IN_BLOCK) ? 8 * WHO(record[i]) : several;
    else if (WHO(record[i]) / 4 < single)
      single = WHO(record[i]) / 4;
  }
  return id << GROUP_BITS | (single == UINT32_MAX ? several : single);
}

static void pack(const struct cell four[4], struct cell *c, unsigned char *codes) {
  const uint32_t writes[4] = {four[0].write, four[1].write, four[2].write, four[3].write};
  const uint32_t reads[4] = {four[0].read, four[1].read, four[2].read, four[3].read};
  const uint32_t write = base_of(writes, false), read = base_of(reads, true);
  for (int i = 0; i < 4; i++)
    codes[i] = (unsigned char)(write_code(writes[i], write) | read_code(reads[i], read) * CODES);
  *c = (struct cell){SPLIT | write, read};
}

/* ---------------------------------------------------------------------------------------------- words */

/* Two blocks may come to bytes of one word at once. */
static unsigned char locks[1024];

static unsigned char *lock_word(const struct cell *c) {
  unsigned char *lock = &locks[((uintptr_t)c / sizeof *c * 0x9e3779b97f4a7c15u) >> 54];
  while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE)) sched_yield();
  return lock;
}

static void load(const struct region *r, size_t index, struct cell four[4], size_t first, size_t end) {
  const struct cell c = r->cells[index];
  for (size_t i = first; i < end; i++) {
    if (c.write < SPLIT)
      four[i] = c;
    else if (r->bytes)
      four[i] = r->bytes[4 * index + i];
    else {
      const unsigned char code = r->codes[4 * index + i];
      four[i] = (struct cell){write_of(code % CODES, c.write), read_of(code / CODES, c.read)};
    }
  }
}

static bool same(const struct cell *a, const struct cell *b) {
  return a->write == b->write && a->read == b->read;
}

static void store(const struct region *r, size_t index, const struct cell four[4]) {
  struct cell *c = &r->cells[index];
  if (same(&four[0], &four[1]) && same(&four[0], &four[2]) && same(&four[0], &four[3]))
    *c = four[0];
  else if (r->bytes) {
    memcpy(&r->bytes[4 * index], four, 4 * sizeof *four);
    c->write = SPLIT;
  } else
    pack(four, c, &r->codes[4 * index]);
}

void split_load(const struct region *r, size_t index, struct cell four[4], size_t first, size_t end) {
  unsigned char *lock = lock_word(&r->cells[index]);
  load(r, index, four, first, end);
  __atomic_clear(lock, __ATOMIC_RELEASE);
}

void split_store(const struct region *r, size_t index, const struct cell four[4], size_t first, size_t end) {
  struct cell now[4];
  unsigned char *lock = lock_word(&r->cells[index]);
  load(r, index, now, 0, 4);
  memcpy(&now[first], &four[first], (end - first) * sizeof *four);
  store(r, index, now);
  __atomic_clear(lock, __ATOMIC_RELEASE);
}

bool split_written(uintptr_t address) {
  const size_t offset = address - ARENA_BASE;
  const uint32_t write = ARENA_CELLS[offset / 4].write;
  return write < SPLIT ? write != NOTHING : ARENA_CODES[offset] % CODES != UNWRITTEN;
}

#endif

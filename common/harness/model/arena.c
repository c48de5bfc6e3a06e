/* model/arena.c: see model/arena.h. */
#include "model/arena.h"
#include "model/random.h"
#include "model/sizes.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE  WB_PAGE
#define ZONE  (16 * PAGE) /* forbidden pages on each side of an array */
#define GUARD 0xC9        /* a byte that occurs in no small number, no float near 1, and not in the poison */

#define LARGE_AT ((size_t)2 << 30) /* where large cases begin: after the arrays of all others */

/* Not NULL in a program with the address sanitizer. */
extern void __asan_poison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));

/* Bytes of the whole pages that hold an array: at least one, so that an empty array has an address. */
static size_t pages_of(size_t bytes) { return bytes ? (bytes + PAGE - 1) / PAGE * PAGE : PAGE; }

/* Whether the arrays of this size start their pages; those of most sizes end them. */
static bool at_start(const wb_size *size) {
  uint64_t mixed = 0;
  for (int d = 0; d < WB_MAX_DIMS; d++) mixed = wb_mix(mixed + size->n[d] + 1);
  return mixed % 4 == 0;
}

static bool is_large(const wb_task *task, const wb_size *size) {
  return wb_size_given(size) &&
         (memcmp(size, &task->large, sizeof *size) == 0 || memcmp(size, &task->huge, sizeof *size) == 0);
}

/* Bytes at the start of a large array that have memory of their own; 0: it has memory for all of them. A
 * function may read back what it wrote to an inout array in host memory. */
static size_t head_of(const wb_array *array, size_t bytes) {
  const bool host = array->memory != WB_DEVICE;
  if (bytes < 4 * WB_PERIOD || (host && array->role == WB_INOUT)) return 0;
  return host && array->role == WB_OUT ? 2 * WB_PERIOD : WB_PERIOD;
}

bool wb_arena_layout(const wb_task *task, const wb_size *size, wb_layout *layout) {
  *layout = (wb_layout){.large = is_large(task, size)};
  const wb_case c = {.size = *size};
  const bool first = layout->large || at_start(size);
  size_t at = layout->large ? LARGE_AT : ZONE;
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++) {
    const size_t count = task->arrays[a].count(&c), element = wb_type_bytes(task->arrays[a].type);
    if (count > (SIZE_MAX / 4 - at) / element) return false;
    layout->count[a] = count;
    layout->bytes[a] = count * element;
    layout->head[a] = layout->large ? head_of(&task->arrays[a], layout->bytes[a]) : 0;
    layout->memory += layout->head[a] ? layout->head[a] + 2 * WB_TAIL : pages_of(layout->bytes[a]);
    layout->pages[a] = at;
    at += pages_of(layout->bytes[a]);
    layout->offset[a] = first && count ? layout->pages[a] : at - layout->bytes[a];
    at += ZONE;
    layout->arrays = a + 1;
  }
  layout->end = at;
  return true;
}

const wb_task *wb_task_at_hand;

size_t wb_case_bytes(const wb_case *c) {
  wb_layout layout;
  size_t bytes = 0;
  if (!wb_task_at_hand || !wb_arena_layout(wb_task_at_hand, &c->size, &layout)) return 0;
  for (int a = 0; a < layout.arrays; a++) bytes += layout.bytes[a];
  return bytes;
}

static char *map(size_t bytes, int how) {
  void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

bool wb_arena_open(wb_arena *arena, size_t bytes) {
  *arena = (wb_arena){.bytes = bytes, .shared = map(bytes, MAP_SHARED), .own = map(bytes, MAP_PRIVATE)};
  if (!arena->shared || !arena->own) {
    wb_arena_close(arena);
    return false;
  }
  madvise(arena->own, bytes, MADV_DONTFORK);
  madvise(arena->own, bytes, MADV_HUGEPAGE);
  madvise(arena->shared, bytes, MADV_HUGEPAGE);
  return true;
}

void wb_arena_close(wb_arena *arena) {
  if (arena->shared) munmap(arena->shared, arena->bytes);
  if (arena->own) munmap(arena->own, arena->bytes);
  *arena = (wb_arena){0};
}

/* ---- Guard bytes: the rest of an array's own pages ---- */

/* The bytes before (side 0) and after (side 1) array a in its pages. */
static void rest_of_pages(const wb_layout *layout, int a, int side, size_t *from, size_t *to) {
  *from = side == 0 ? layout->pages[a] : layout->offset[a] + layout->bytes[a];
  *to = side == 0 ? layout->offset[a] : layout->pages[a] + pages_of(layout->bytes[a]);
}

void wb_arena_guard(const wb_arena *arena, const wb_layout *layout) {
  for (int g = 0; g < 2 * layout->arrays; g++) {
    size_t from, to;
    rest_of_pages(layout, g / 2, g % 2, &from, &to);
    memset(arena->shared + from, GUARD, to - from);
  }
}

bool wb_arena_guards_whole(const wb_arena *arena, const wb_layout *layout, wb_overrun *overrun) {
  for (int g = 0; g < 2 * layout->arrays; g++) {
    size_t from, to;
    rest_of_pages(layout, g / 2, g % 2, &from, &to);
    for (size_t i = from; i < to; i++) {
      if ((unsigned char)arena->shared[i] == GUARD) continue;
      size_t nearest = i;
      for (size_t j = i; g % 2 == 0 && j < to; j++)
        if ((unsigned char)arena->shared[j] != GUARD) nearest = j;
      wb_arena_overrun(layout, nearest, overrun);
      overrun->writes = true;
      return false;
    }
  }
  return true;
}

/* ---- Forbidden pages ---- */

bool wb_arena_overrun(const wb_layout *layout, size_t offset, wb_overrun *overrun) {
  size_t least = SIZE_MAX;
  for (int a = 0; a < layout->arrays; a++) {
    const size_t from = layout->offset[a], to = from + layout->bytes[a];
    if (offset >= from && offset < to) return false;
    const size_t distance = offset < from ? from - offset : offset - to + 1;
    if (distance >= least) continue;
    least = distance;
    *overrun = (wb_overrun){.array = a, .before = offset < from, .distance = distance};
  }
  return least <= ZONE + PAGE;
}

void wb_arena_add_overrun(const wb_task *task, const wb_layout *layout, const wb_overrun *overrun,
                          wb_text *text) {
  const wb_array *array = &task->arrays[overrun->array];
  const size_t element = wb_type_bytes(array->type), count = layout->count[overrun->array];
  wb_text_add(text, "%s %s of %s: ", overrun->writes ? "wrote" : "read",
              overrun->before ? "before the start" : "past the end", array->name);
  if (overrun->before)
    wb_text_add(text, "%zu bytes before its first element", overrun->distance);
  else
    wb_text_add(text, "%s[%zu], but it has %zu element%s", array->name,
                count + (overrun->distance - 1) / element, count, count == 1 ? "" : "s");
}

static void forbid(char *from, char *to, bool yes) {
  void (*const mark)(const volatile void *, size_t) =
      yes ? __asan_poison_memory_region : __asan_unpoison_memory_region;
  if (mark) mark(from, (size_t)(to - from));
}

void wb_arena_forbid_guards(const wb_arena *arena, const wb_layout *layout, bool yes) {
  char *const start = arena->shared;
  mprotect(start, layout->end, yes ? PROT_NONE : PROT_READ | PROT_WRITE);
  for (int a = 0; a < layout->arrays; a++) {
    const size_t pages = layout->pages[a], offset = layout->offset[a], end = offset + layout->bytes[a];
    if (yes) mprotect(start + pages, pages_of(layout->bytes[a]), PROT_READ | PROT_WRITE);
    forbid(start + pages - ZONE, start + offset, yes);
    forbid(start + end, start + pages + pages_of(layout->bytes[a]) + ZONE, yes);
  }
}

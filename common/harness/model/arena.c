/* model/arena.c: see model/arena.h. */
#include "model/arena.h"
#include "model/random.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE  4096u
#define GUARD 0xC9 /* a byte that occurs in no small number, no float near 1, and not in the poison */

/* Not NULL in a program with the address sanitizer. */
extern void __asan_poison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));

bool wb_arena_layout(const wb_task *task, const wb_size *size, wb_layout *layout) {
  *layout = (wb_layout){0};
  const wb_case c = {.size = *size};
  size_t at = PAGE;
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++) {
    const size_t count = task->arrays[a].count(&c), element = wb_type_bytes(task->arrays[a].type);
    if (count > (SIZE_MAX / 4 - at) / element) return false;
    layout->count[a] = count;
    layout->bytes[a] = count * element;
    layout->offset[a] = at;
    /* The array, the rest of its last page, and one more page. */
    at += (layout->bytes[a] + PAGE - 1) / PAGE * PAGE + PAGE;
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

void wb_arena_empty(wb_arena *arena) {
  if (arena->shared) madvise(arena->shared, arena->bytes, MADV_REMOVE);
  if (arena->own) madvise(arena->own, arena->bytes, MADV_DONTNEED);
}

/* Guard number g is before array g; the last one is after the last array. */
static void guard_range(const wb_layout *layout, int g, size_t *from, size_t *to) {
  *from = g == 0 ? 0 : layout->offset[g - 1] + layout->bytes[g - 1];
  *to = g == layout->arrays ? layout->end : layout->offset[g];
}

void wb_arena_guard(const wb_arena *arena, const wb_layout *layout) {
  for (int g = 0; g <= layout->arrays; g++) {
    size_t from, to;
    guard_range(layout, g, &from, &to);
    memset(arena->shared + from, GUARD, to - from);
  }
}

bool wb_arena_guards_whole(const wb_arena *arena, const wb_layout *layout, int *array, bool *before,
                           size_t *distance) {
  for (int g = 0; g <= layout->arrays; g++) {
    size_t from, to;
    guard_range(layout, g, &from, &to);
    for (size_t i = from; i < to; i++) {
      if ((unsigned char)arena->shared[i] == GUARD) continue;
      size_t last = to - 1; /* the write may have come from either side: the nearer array is named */
      while ((unsigned char)arena->shared[last] == GUARD) last--;
      *before = g == 0 || (g < layout->arrays && to - last < i - from + 1);
      *array = *before ? g : g - 1;
      *distance = *before ? to - last : i - from + 1;
      return false;
    }
  }
  return true;
}

void wb_arena_forbid_guards(const wb_arena *arena, const wb_layout *layout, bool forbid) {
  if (!__asan_poison_memory_region || !__asan_unpoison_memory_region) return;
  for (int g = 0; g <= layout->arrays; g++) {
    size_t from, to;
    guard_range(layout, g, &from, &to);
    if (forbid)
      __asan_poison_memory_region(arena->shared + from, to - from);
    else
      __asan_unpoison_memory_region(arena->shared + from, to - from);
  }
}

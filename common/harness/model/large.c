/* model/large.c: see model/large.h. */
#include "model/large.h"
#include "model/random.h"
#include <sys/mman.h>
#include <unistd.h>

/* Where the tail begins, in bytes: at a page, since a repeated array starts its pages. */
static size_t tail_of(const wb_layout *layout, int a) {
  return (layout->bytes[a] - WB_TAIL) / WB_PAGE * WB_PAGE;
}

static bool map_part(char *to, size_t bytes, int file, size_t offset) {
  return mmap(to, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) != MAP_FAILED;
}

static bool map_array(char *to, const wb_layout *layout, int a, bool for_child) {
  const size_t head = layout->head[a], tail = tail_of(layout, a);
  const size_t rest = (layout->bytes[a] - tail + WB_PAGE - 1) / WB_PAGE * WB_PAGE;
  const int file = memfd_create("arrays", MFD_CLOEXEC);
  bool done = file >= 0 && ftruncate(file, (off_t)(head + rest)) == 0 && map_part(to, head, file, 0);
  for (size_t at = head; done && at < tail; at += WB_PERIOD)
    done = map_part(to + at, tail - at < WB_PERIOD ? tail - at : WB_PERIOD, file, head - WB_PERIOD);
  done = done && map_part(to + tail, rest, file, head);
  if (done && !for_child) madvise(to, tail + rest, MADV_DONTFORK);
  if (file >= 0) close(file);
  return done;
}

bool wb_large_map(const wb_arena *arena, const wb_task *task, const wb_layout *layout) {
  for (int a = 0; a < layout->arrays; a++) {
    if (!layout->head[a]) continue;
    const wb_array *array = &task->arrays[a];
    if (array->memory != WB_DEVICE && !map_array(arena->shared + layout->offset[a], layout, a, true))
      return false;
    if (array->role != WB_OUT && !map_array(arena->own + layout->offset[a], layout, a, false)) return false;
  }
  return true;
}

int wb_large_spans(const wb_layout *layout, int a, wb_span span[2]) {
  const size_t head = layout->head[a];
  span[0] = (wb_span){0, head ? head : layout->bytes[a]};
  if (head) span[1] = (wb_span){tail_of(layout, a), layout->bytes[a]};
  return head ? 2 : 1;
}

/* Whether all elements of a window can be told apart from those of other periods: always on the device. */
static bool has_own_pages(const wb_layout *layout, int a, size_t first_byte, size_t last_byte) {
  return last_byte <= layout->head[a] - WB_PERIOD || first_byte >= tail_of(layout, a);
}

int wb_large_windows(const wb_task *task, const wb_layout *layout, int a, uint64_t key,
                     size_t start[WB_WINDOWS]) {
  const wb_array *array = &task->arrays[a];
  const size_t element = wb_type_bytes(array->type), count = layout->count[a], half = WB_WINDOW / 2;
  const size_t fixed[] = {0, count - WB_WINDOW, ((size_t)1 << 31) - half, ((size_t)1 << 31) / element - half,
                          ((size_t)1 << 32) / element - half};
  const size_t fixed_count = sizeof fixed / sizeof *fixed;
  int windows = 0;
  for (size_t w = 0; w < WB_WINDOWS; w++) {
    size_t first = w < fixed_count ? fixed[w] : wb_random(key, w) % (count - WB_WINDOW);
    if (array->memory != WB_DEVICE && w >= fixed_count) /* in its own pages, at the start */
      first = wb_random(key, w) % ((layout->head[a] - WB_PERIOD) / element - WB_WINDOW);
    if (first > count - WB_WINDOW) continue;
    if (array->memory == WB_DEVICE ||
        has_own_pages(layout, a, first * element, (first + WB_WINDOW) * element))
      start[windows++] = first;
  }
  return windows;
}

int wb_parts(const wb_case *c, int array, wb_part part[WB_MAX_PARTS]) {
  wb_layout layout;
  if (!wb_task_at_hand || !wb_arena_layout(wb_task_at_hand, &c->size, &layout) || !layout.head[array]) {
    part[0] = (wb_part){0, wb_task_at_hand->arrays[array].count(c), 1};
    return 1;
  }
  const size_t element = wb_type_bytes(wb_task_at_hand->arrays[array].type), period = WB_PERIOD / element;
  const size_t tail = tail_of(&layout, array) / element;
  part[0] = (wb_part){0, tail % period, (double)(tail / period) + 1};
  part[1] = (wb_part){tail % period, period, (double)(tail / period)};
  part[2] = (wb_part){tail, layout.count[array], 1};
  return 3;
}

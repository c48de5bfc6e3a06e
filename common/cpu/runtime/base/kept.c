/* Records that last to the end of the program. */
#include "base/kept.h"

#include <string.h>
#include <sys/mman.h>

#include "base/needed.h"
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#define PIECE     ((size_t)256 << 10)
#define ALIGNMENT _Alignof(max_align_t)

void *kept(size_t size) {
  static char *piece;
  static size_t left;
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (size > left) {
    left = size > PIECE ? size : PIECE;
    piece = mmap(NULL, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) piece = NULL;
#ifdef __SANITIZE_ADDRESS__
    if (piece) __lsan_register_root_region(piece, left); /* what only these records point to is no leak */
#endif
  }
  char *taken = needed(piece);
  piece += size;
  left -= size;
  return taken;
}

const char *kept_text(const char *text) {
  struct text {
    struct text *next;
    char bytes[];
  };
  static struct text *texts;
  for (const struct text *t = texts; t; t = t->next)
    if (!strcmp(t->bytes, text)) return t->bytes;
  const size_t size = strlen(text) + 1;
  struct text *t = kept(sizeof *t + size);
  t->next = texts;
  texts = t;
  return memcpy(t->bytes, text, size);
}

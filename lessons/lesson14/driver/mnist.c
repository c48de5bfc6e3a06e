/*
 * mnist.c: digits_read. MNIST's files are of the kind idx: four bytes 0 0 8 n, where 8 stands for bytes and n is
 * the number of dimensions, then each dimension as four bytes, the highest first, then the bytes themselves.
 */
#include "digits.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_IMAGES 1000000

typedef struct idx {
  char path[4096];
  size_t count, each; /* elements of the first dimension, bytes of one */
  unsigned char *bytes;
} idx;

typedef struct complaint {
  char *message;
  size_t size;
} complaint;

__attribute__((format(printf, 3, 4))) static bool bad(const complaint *c, const idx *f, const char *format,
                                                      ...) {
  va_list arguments;
  const int begun = snprintf(c->message, c->size, "%s: ", f->path);
  va_start(arguments, format);
  if (begun > 0 && (size_t)begun < c->size)
    vsnprintf(c->message + begun, c->size - (size_t)begun, format, arguments);
  va_end(arguments);
  return false;
}

static size_t number(const unsigned char *b) {
  return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

/* The head, of which `dimensions` are asked for. */
static bool read_head(FILE *file, idx *f, size_t dimensions, const complaint *c) {
  unsigned char head[16] = {0};
  const size_t got = fread(head, 1, 4 + 4 * dimensions, file);
  if (got >= 2 && head[0] == 0x1f && head[1] == 0x8b) return bad(c, f, "it is compressed: gunzip it first");
  if (got < 4 || head[0] || head[1] || head[2] != 8 || head[3] != dimensions)
    return bad(c, f, "not an idx file of %zu dimension%s of bytes", dimensions, dimensions == 1 ? "" : "s");
  if (got < 4 + 4 * dimensions) return bad(c, f, "cut short: its head has %zu bytes", got);
  f->count = number(head + 4);
  f->each = dimensions == 1 ? 1 : number(head + 8) * number(head + 12);
  if (dimensions == 3 && (number(head + 8) != DIGIT_SIDE || number(head + 12) != DIGIT_SIDE))
    return bad(c, f, "its images have %zu x %zu pixels, and not %d x %d", number(head + 8), number(head + 12),
               DIGIT_SIDE, DIGIT_SIDE);
  if (f->count == 0 || f->count > MOST_IMAGES)
    return bad(c, f, "it says that it has %zu images; 1 to %d are possible", f->count, MOST_IMAGES);
  return true;
}

static bool read_all(FILE *file, idx *f, size_t dimensions, const complaint *c) {
  if (!read_head(file, f, dimensions, c)) return false;
  const size_t bytes = f->count * f->each;
  f->bytes = malloc(bytes + 1);
  if (!f->bytes) return bad(c, f, "not enough memory for %zu bytes", bytes);
  const size_t got = fread(f->bytes, 1, bytes + 1, file);
  if (ferror(file)) return bad(c, f, "%s", strerror(errno));
  if (got < bytes)
    return bad(c, f, "cut short: %zu bytes are missing of %zu", bytes - got, bytes + 4 + 4 * dimensions);
  return got == bytes || bad(c, f, "it is longer than its head says");
}

/* Keeps errno. */
static bool is_compressed(const char *path) {
  char name[4096 + 3];
  const int before = errno;
  snprintf(name, sizeof name, "%s.gz", path);
  const bool there = access(name, F_OK) == 0;
  errno = before;
  return there;
}

static bool read_idx(idx *f, const char *folder, bool unseen, const char *kind, size_t dimensions,
                     const complaint *c) {
  struct stat is;
  snprintf(f->path, sizeof f->path, "%s/%s-%s-ubyte", folder, unseen ? "t10k" : "train", kind);
  FILE *file = fopen(f->path, "rb");
  if (!file)
    return bad(c, f, "%s",
               is_compressed(f->path) ? "only its .gz is there: gunzip it first" : strerror(errno));
  bool good = fstat(fileno(file), &is) == 0 && !S_ISDIR(is.st_mode) ? true : bad(c, f, "it is a folder");
  good = good && read_all(file, f, dimensions, c);
  fclose(file);
  return good;
}

static bool convert(digits *d, const idx *images, const idx *labels, const complaint *c) {
  if (images->count != labels->count)
    return bad(c, labels, "it has %zu labels for %zu images", labels->count, images->count);
  d->count = images->count;
  d->pixels = malloc(d->count * DIGIT_PIXELS * sizeof *d->pixels);
  d->labels = malloc(d->count * sizeof *d->labels);
  if (!d->pixels || !d->labels) return bad(c, images, "not enough memory for %zu images", d->count);
  for (size_t i = 0; i < d->count * DIGIT_PIXELS; i++) d->pixels[i] = (float)images->bytes[i] / 255;
  for (size_t i = 0; i < d->count; i++) {
    if (labels->bytes[i] > 9) return bad(c, labels, "label %zu is %d, and not 0 to 9", i, labels->bytes[i]);
    d->labels[i] = labels->bytes[i];
  }
  return true;
}

bool digits_read(digits *d, const char *folder, bool unseen, char *message, size_t size) {
  const complaint c = {message, size};
  idx images = {.bytes = NULL}, labels = {.bytes = NULL};
  *d = (digits){0};
  const bool good = read_idx(&images, folder, unseen, "images-idx3", 3, &c) &&
                    read_idx(&labels, folder, unseen, "labels-idx1", 1, &c) &&
                    convert(d, &images, &labels, &c);
  free(images.bytes);
  free(labels.bytes);
  if (!good) digits_free(d);
  return good;
}

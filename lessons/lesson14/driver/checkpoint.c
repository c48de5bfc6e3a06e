/* checkpoint.c: see checkpoint.h. A file is the head, then the floats. */
#include "checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct head {
  char kind[16];
  checkpoint_of of;
  int32_t step, reserved;
  uint64_t count, sum;
} head;

static const char kind[16] = "wb-training/1\n";

/* FNV-1a over the floats' bytes. */
static uint64_t sum_of(const float *state, size_t count) {
  const unsigned char *byte = (const unsigned char *)state;
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count * sizeof *state; i++) sum = (sum ^ byte[i]) * 0x100000001b3u;
  return sum;
}

static bool write_all(FILE *file, const head *h, const float *state, size_t count) {
  return fwrite(h, sizeof *h, 1, file) == 1 && fwrite(state, sizeof *state, count, file) == count &&
         fflush(file) == 0 && fsync(fileno(file)) == 0;
}

bool checkpoint_write(const char *path, const checkpoint_of *of, int32_t step, const float *state,
                      size_t count) {
  char next[4096];
  head h = {.step = step, .count = count, .sum = sum_of(state, count)};
  memcpy(h.kind, kind, sizeof kind);
  memcpy(&h.of, of, sizeof *of);
  if (snprintf(next, sizeof next, "%s.new", path) >= (int)sizeof next) return errno = ENAMETOOLONG, false;
  FILE *file = fopen(next, "wb");
  if (!file) return false;
  const bool whole = write_all(file, &h, state, count);
  int why = errno;
  const bool closed = fclose(file) == 0;
  if (whole && !closed) why = errno;
  if (whole && closed && rename(next, path) == 0) return true;
  if (whole && closed) why = errno;
  remove(next);
  errno = why;
  return false;
}

static const char *read_all(FILE *file, const checkpoint_of *of, int32_t *step, float *state, size_t count) {
  head h;
  if (fread(&h, sizeof h, 1, file) != 1 || memcmp(h.kind, kind, sizeof kind) != 0)
    return "not a checkpoint of this lesson";
  if (memcmp(&h.of, of, sizeof *of) != 0 || h.count != count)
    return "a checkpoint of another network, batch or data set";
  float *read = malloc((count + 1) * sizeof *read);
  if (!read) return "not enough memory";
  const char *wrong = NULL;
  if (fread(read, sizeof *read, count, file) != count || fgetc(file) != EOF)
    wrong = "a checkpoint that is cut short, or too long";
  else if (sum_of(read, count) != h.sum)
    wrong = "a damaged checkpoint";
  if (!wrong) {
    memcpy(state, read, count * sizeof *state);
    *step = h.step;
  }
  free(read);
  return wrong;
}

const char *checkpoint_read(const char *path, const checkpoint_of *of, int32_t *step, float *state,
                            size_t count) {
  FILE *file = fopen(path, "rb");
  if (!file) return strerror(errno);
  const char *wrong = read_all(file, of, step, state, count);
  fclose(file);
  return wrong;
}

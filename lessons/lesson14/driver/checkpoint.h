/* checkpoint.h: the state of a training in a file, so that a training that was ended can go on. */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the parameters in the file are those of: a file of another training is refused. */
typedef struct checkpoint_of {
  int32_t inputs, hidden, outputs, batch;
  uint64_t data; /* a sum of the data set and its order */
} checkpoint_of;

/*
 * Writes `count` floats and the step. The file takes its name only when all of it is on the disk, so if the disk
 * is full, or the program is ended, the checkpoint from before stays as it is. Returns false with errno.
 */
bool checkpoint_write(const char *path, const checkpoint_of *of, int32_t step, const float *state,
                      size_t count);

/* Reads one. Returns NULL if all is well, or what is wrong. */
const char *checkpoint_read(const char *path, const checkpoint_of *of, int32_t *step, float *state,
                            size_t count);

#endif

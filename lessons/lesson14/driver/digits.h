/*
 * digits.h: pictures of digits, 28 x 28 numbers from 0 (paper) to 1 (ink), to train on. They are drawn here, by
 * strokes that are slanted, turned, stretched and moved at random, so nothing has to be downloaded; or they are
 * read from the files of MNIST.
 */
#ifndef DIGITS_H
#define DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGIT_SIDE   28
#define DIGIT_PIXELS (DIGIT_SIDE * DIGIT_SIDE)

typedef struct digits {
  size_t count;
  float *pixels;   /* count x DIGIT_PIXELS */
  int32_t *labels; /* 0 to 9 */
} digits;

/* Draws `count` digits; the same seed gives the same ones. Returns false if there is no memory for them. */
bool digits_draw(digits *d, size_t count, uint64_t seed);

/*
 * Reads MNIST's files train-images-idx3-ubyte and train-labels-idx1-ubyte, or those of t10k for `unseen`, from
 * a folder. Returns false, with a message, if one is missing, cut short, too long, compressed, of another kind,
 * or does not fit the other.
 */
bool digits_read(digits *d, const char *folder, bool unseen, char *message, size_t size);

void digits_free(digits *d);

#endif

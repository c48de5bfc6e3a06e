/* misread.c: see misread.h. */
#include "misread.h"
#include "image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACROSS 10  /* digits in a row of the picture */
#define MOST   100 /* in the whole picture */

int misread_as(const float *probs) {
  int best = 0;
  for (int j = 1; j < 10; j++)
    if (probs[j] > probs[best]) best = j;
  return best;
}

/* Black ink on white, ten in a row. */
static void put(unsigned char *rgb, int across, int place, const float *pixels) {
  const int x0 = place % ACROSS * DIGIT_SIDE, y0 = place / ACROSS * DIGIT_SIDE;
  for (int i = 0; i < DIGIT_PIXELS; i++) {
    unsigned char *pixel = rgb + 3 * ((y0 + i / DIGIT_SIDE) * across + x0 + i % DIGIT_SIDE);
    memset(pixel, (int)(255 * (1 - pixels[i])), 3);
  }
}

int misread_show(const char *path, const digits *d, const float *probs) {
  int wrong = 0;
  static unsigned char rgb[3 * MOST * DIGIT_PIXELS];
  memset(rgb, 255, sizeof rgb);
  for (size_t i = 0; i < d->count; i++) {
    const int as = misread_as(probs + i * 10);
    if (as == d->labels[i]) continue;
    if (wrong < MOST) put(rgb, ACROSS * DIGIT_SIDE, wrong, d->pixels + i * DIGIT_PIXELS);
    if (wrong < ACROSS) printf("%s %d read as %d", wrong ? "," : "\nmisread:", d->labels[i], as);
    wrong++;
  }
  if (wrong > ACROSS) printf(" ...");
  printf("\n%d of %zu unseen digits were misread.\n", wrong, d->count);
  if (!wrong) return 0;
  char written[4096];
  const int rows = ((wrong < MOST ? wrong : MOST) + ACROSS - 1) / ACROSS;
  if (!image_write(path, rgb, ACROSS * DIGIT_SIDE, rows * DIGIT_SIDE, written, sizeof written)) {
    fprintf(stderr, "%s: can't be written: %s\n", written, strerror(errno));
    return 3;
  }
  printf("%s: the %s\n", written, wrong > MOST ? "first 100 of them" : "misread ones");
  return 0;
}

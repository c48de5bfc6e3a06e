/* digits.c: digits_draw and digits_free. The files of MNIST: mnist.c. */
#include "digits.h"
#include "base/threads.h"
#include "model/random.h"

#include <math.h>
#include <stdlib.h>

/* A line from (x, y) to (x2, y2), or an arc: the part of an ellipse around (x, y), with the radii x2 and y2, that
 * begins at an angle and ends at another. In degrees; 0 is right, 90 is down. All in a square from 0 to 1. */
typedef struct stroke {
  double x, y, x2, y2, from, to; /* from == to: a line */
} stroke;

#define MOST_STROKES 4
static const stroke strokes[10][MOST_STROKES] = {
    {{.50, .50, .28, .42, -90, 270}},
    {{.34, .28, .54, .08, 0, 0}, {.54, .08, .54, .92, 0, 0}},
    {{.49, .32, .26, .24, -170, 35}, {.70, .46, .22, .92, 0, 0}, {.22, .92, .80, .92, 0, 0}},
    {{.46, .29, .24, .21, -150, 90}, {.46, .71, .27, .21, -90, 150}},
    {{.60, .08, .20, .62, 0, 0}, {.20, .62, .82, .62, 0, 0}, {.64, .34, .64, .94, 0, 0}},
    {{.76, .08, .33, .08, 0, 0}, {.33, .08, .29, .45, 0, 0}, {.46, .66, .28, .25, -125, 145}},
    {{.72, .50, .44, .42, -175, -100}, {.50, .68, .23, .23, -180, 180}},
    {{.22, .10, .80, .10, 0, 0}, {.80, .10, .42, .92, 0, 0}},
    {{.50, .29, .20, .20, -90, 270}, {.50, .71, .25, .21, -90, 270}},
    {{.50, .33, .23, .23, 0, 360}, {.73, .33, .66, .92, 0, 0}},
};

typedef struct point {
  double x, y;
} point;

/* How one digit is written. */
typedef struct hand {
  uint64_t key, drawn; /* its random numbers, and how many it took */
  double slant, turn, width, height, thick;
  point at;
} hand;

/* A number between two, all equally likely. */
static double between(hand *h, double low, double high) {
  return low + (high - low) * (double)(wb_random(h->key, h->drawn++) >> 11) * 0x1p-53;
}

/* From the square to pixels: stretched, slanted, turned, moved. */
static point place(const hand *h, point p) {
  const double x = (p.x - .5) * h->width, y = (p.y - .5) * h->height;
  const double leaning = x - h->slant * y;
  return (point){h->at.x + leaning * cos(h->turn) - y * sin(h->turn),
                 h->at.y + leaning * sin(h->turn) + y * cos(h->turn)};
}

static point on_arc(const stroke *s, double part) {
  const double angle = (s->from + part * (s->to - s->from)) * 3.14159265358979 / 180;
  return (point){s->x + s->x2 * cos(angle), s->y + s->y2 * sin(angle)};
}

static double distance(point p, point a, point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  double part = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
  part = fmax(0, fmin(1, part));
  return hypot(p.x - a.x - part * dx, p.y - a.y - part * dy);
}

/* Inks the pixels along a line; a pixel keeps its darkest ink. */
static void ink(const hand *h, point a, point b, float *pixels) {
  const double reach = h->thick + 1;
  const int x0 = (int)fmax(0, floor(fmin(a.x, b.x) - reach)),
            y0 = (int)fmax(0, floor(fmin(a.y, b.y) - reach));
  for (int y = y0; y < DIGIT_SIDE && y <= fmax(a.y, b.y) + reach; y++)
    for (int x = x0; x < DIGIT_SIDE && x <= fmax(a.x, b.x) + reach; x++) {
      const double dark = fmax(0, fmin(1, .5 + h->thick - distance((point){x, y}, a, b)));
      float *pixel = &pixels[y * DIGIT_SIDE + x];
      *pixel = fmaxf(*pixel, (float)dark);
    }
}

/* A stroke, each of whose ends is off by a little. */
static void draw_stroke(hand *h, stroke s, float *pixels) {
  double *ends[] = {&s.x, &s.y, &s.x2, &s.y2};
  for (int i = 0; i < 4; i++) *ends[i] += between(h, -.035, .035);
  if (s.from == s.to) {
    ink(h, place(h, (point){s.x, s.y}), place(h, (point){s.x2, s.y2}), pixels);
    return;
  }
  s.from += between(h, -15, 15);
  s.to += between(h, -15, 15);
  for (int i = 0; i < 16; i++)
    ink(h, place(h, on_arc(&s, i / 16.)), place(h, on_arc(&s, (i + 1) / 16.)), pixels);
}

static void draw_digit(uint64_t key, int label, float *pixels) {
  hand h = {.key = key};
  h.slant = between(&h, -.15, .4);
  h.turn = between(&h, -.18, .18);
  h.width = between(&h, 13, 22);
  h.height = between(&h, 17, 23);
  h.thick = between(&h, .5, 1.6);
  h.at = (point){13.5 + between(&h, -2, 2), 13.5 + between(&h, -2, 2)};
  for (int i = 0; i < DIGIT_PIXELS; i++) pixels[i] = 0;
  for (int i = 0; i < MOST_STROKES && strokes[label][i].x > 0; i++)
    draw_stroke(&h, strokes[label][i], pixels);
  for (int i = 0; i < DIGIT_PIXELS; i++)
    pixels[i] = (float)fmax(0, fmin(1, pixels[i] + between(&h, -.15, .15)));
}

typedef struct drawing {
  digits *d;
  uint64_t seed;
} drawing;

static void draw_some(void *argument, int part, size_t first, size_t last) {
  const drawing *a = argument;
  (void)part;
  for (size_t i = first; i < last; i++) {
    a->d->labels[i] = (int32_t)(wb_random(a->seed, i) % 10);
    draw_digit(wb_random_key(a->seed, i), a->d->labels[i], a->d->pixels + i * DIGIT_PIXELS);
  }
}

bool digits_draw(digits *d, size_t count, uint64_t seed) {
  *d = (digits){count, malloc((count * DIGIT_PIXELS + 1) * sizeof *d->pixels),
                malloc((count + 1) * sizeof *d->labels)};
  if (!d->pixels || !d->labels) return digits_free(d), false;
  wb_parallel(count, 64, draw_some, &(drawing){d, seed});
  return true;
}

void digits_free(digits *d) {
  free(d->pixels);
  free(d->labels);
  *d = (digits){0};
}

/* image.c: see image.h. */
#include "image.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined __has_include
#if __has_include(<png.h>)
#include <png.h>
#define HAVE_PNG_H
#endif
#endif

/* How hot, 0 to 1. The square root shows the slopes far from the source, too. */
static double heat(double value, double largest) {
  const double part = largest > 0 && value > 0 ? value / largest : 0;
  return sqrt(fmin(part, 1));
}

/* One channel of "hot": rises from 0 to 255 while the heat goes from `from` to `to`. */
static unsigned char channel(double heat, double from, double to) {
  return (unsigned char)(255 * fmax(0, fmin(1, (heat - from) / (to - from))) + 0.5);
}

/* The pixels, three bytes each; each cell is a square of `scale` pixels. Freed by the caller. */
static unsigned char *pixels(const double *p, int n, double largest, int scale) {
  const size_t side = (size_t)n * (size_t)scale;
  unsigned char *rgb = malloc(3 * side * side + 1), *at = rgb;
  for (size_t y = 0; rgb && y < side; y++)
    for (size_t x = 0; x < side; x++) {
      const double h = heat(p[y / (size_t)scale * (size_t)n + x / (size_t)scale], largest);
      *at++ = channel(h, 0, 0.4);
      *at++ = channel(h, 0.35, 0.8);
      *at++ = channel(h, 0.75, 1);
    }
  return rgb;
}

/* libpng is looked for when the program runs: a lesson links no library for a picture. */
static bool write_png(const char *path, const unsigned char *rgb, int side) {
#ifdef HAVE_PNG_H
  void *library = dlopen("libpng16.so.16", RTLD_NOW);
  if (!library) return false;
  int (*write_to_file)(png_image *, const char *, int, const void *, png_int_32, const void *);
  *(void **)&write_to_file = dlsym(library, "png_image_write_to_file");
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)side,
                     .height = (png_uint_32)side,
                     .format = PNG_FORMAT_RGB};
  const bool written = write_to_file && write_to_file(&image, path, 0, rgb, 0, NULL);
  dlclose(library);
  return written;
#else
  (void)path, (void)rgb, (void)side;
  return false;
#endif
}

static bool write_ppm(const char *path, const unsigned char *rgb, int side) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  const size_t bytes = 3 * (size_t)side * (size_t)side;
  fprintf(file, "P6\n%d %d\n255\n", side, side);
  const bool whole = fwrite(rgb, 1, bytes, file) == bytes;
  return fclose(file) == 0 && whole;
}

bool image_write(const char *path, const double *p, int n, double largest, char *written, unsigned size) {
  const int scale = n < 512 ? (511 + n) / n : 1;
  unsigned char *rgb = pixels(p, n, largest, scale);
  if (!rgb) return false;
  const char *end = strrchr(path, '.');
  const bool png = end && strcmp(end, ".png") == 0;
  snprintf(written, size, "%s", path);
  bool done = png && write_png(path, rgb, n * scale);
  if (!done) {
    if (png) snprintf(written, size, "%.*s.ppm", (int)(end - path), path);
    done = write_ppm(written, rgb, n * scale);
  }
  free(rgb);
  return done;
}

void image_print(const double *p, int n, double largest) {
  enum { LINES = 24 };
  static const char ramp[] = " .:-=+*#%@";
  /* Of the terminal's 256 colours: black, dark to light red, orange, yellow, white. */
  static const int colour[] = {16, 52, 88, 124, 160, 202, 208, 220, 228, 231};
  const bool colours = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
  const int lines = n < LINES ? n : LINES;
  for (int y = 0; y < lines; y++) {
    fputs("  ", stdout);
    for (int x = 0; x < 2 * lines; x++) {
      /* The cell in the middle of the character's part of the plate: the source is in one. */
      const int row = (2 * y + 1) * n / (2 * lines), col = (2 * x + 1) * n / (4 * lines);
      const int step = (int)(heat(p[(size_t)row * (size_t)n + (size_t)col], largest) * 9.999);
      if (colours)
        printf("\033[48;5;%dm ", colour[step]);
      else
        putchar(ramp[step]);
    }
    puts(colours ? "\033[0m" : "");
  }
}

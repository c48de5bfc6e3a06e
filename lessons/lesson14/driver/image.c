/* image.c: see image.h. */
#include "image.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#if defined __has_include
#if __has_include(<png.h>)
#include <png.h>
#define HAVE_PNG_H
#endif
#endif

/* libpng is looked for when the program runs: a lesson links no library for a picture. */
static bool write_png(const char *path, const unsigned char *rgb, int width, int height) {
#ifdef HAVE_PNG_H
  void *library = dlopen("libpng16.so.16", RTLD_NOW);
  if (!library) return false;
  int (*write_to_file)(png_image *, const char *, int, const void *, png_int_32, const void *);
  *(void **)&write_to_file = dlsym(library, "png_image_write_to_file");
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)width,
                     .height = (png_uint_32)height,
                     .format = PNG_FORMAT_RGB};
  const bool written = write_to_file && write_to_file(&image, path, 0, rgb, 0, NULL);
  dlclose(library);
  return written;
#else
  (void)path, (void)rgb, (void)width, (void)height;
  return false;
#endif
}

static bool write_ppm(const char *path, const unsigned char *rgb, int width, int height) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  const size_t bytes = 3 * (size_t)width * (size_t)height;
  fprintf(file, "P6\n%d %d\n255\n", width, height);
  const bool whole = fwrite(rgb, 1, bytes, file) == bytes;
  return fclose(file) == 0 && whole;
}

bool image_write(const char *path, const unsigned char *rgb, int width, int height, char *written,
                 unsigned size) {
  const char *end = strrchr(path, '.');
  const bool png = end && strcmp(end, ".png") == 0;
  snprintf(written, size, "%s", path);
  if (png && write_png(path, rgb, width, height)) return true;
  if (png) snprintf(written, size, "%.*s.ppm", (int)(end - path), path);
  return write_ppm(written, rgb, width, height);
}

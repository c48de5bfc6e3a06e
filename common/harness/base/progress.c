/* base/progress.c: see base/progress.h. */
#include "base/progress.h"
#include "base/clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static int shown;

void wb_progress(const char *format, ...) {
  static double start;
  if (start == 0) start = wb_now_ms();
  if (wb_now_ms() - start < 2000 || !isatty(STDERR_FILENO)) return;
  va_list arguments;
  va_start(arguments, format);
  fputs("\r\033[K", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fflush(stderr);
  shown = 1;
}

void wb_progress_clear(void) {
  if (shown) fputs("\r\033[K", stderr);
  shown = 0;
}

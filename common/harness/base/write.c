/* base/write.c: see base/write.h. */
#include "base/write.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool wb_write_whole(const char *path, const char *text) {
  wb_text name = {0};
  wb_text_add(&name, "%s.%d.part", path, (int)getpid());
  const int file = open(name.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool written = file >= 0;
  for (size_t at = 0, size = strlen(text); written && at < size;) {
    const ssize_t got = write(file, text + at, size - at);
    if (got < 0 && errno == EINTR) continue;
    written = got > 0;
    if (written) at += (size_t)got;
  }
  if (file >= 0 && close(file) != 0) written = false;
  if (written) written = rename(name.data, path) == 0;
  const int error = errno;
  if (!written && file >= 0) unlink(name.data);
  wb_text_free(&name);
  errno = error;
  return written;
}

bool wb_write_possible(const char *path) {
  wb_text name = {0};
  wb_text_add(&name, "%s.%d.part", path, (int)getpid());
  const int file = open(name.data, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  const int error = errno;
  if (file >= 0) {
    close(file);
    unlink(name.data);
  }
  wb_text_free(&name);
  errno = error;
  return file >= 0;
}

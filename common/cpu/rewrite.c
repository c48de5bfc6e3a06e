/* rewrite: the first step of cucc, from CUDA C to C++. What it does and why is told in rewrite.h. */
#include "rewrite.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: rewrite [--source-name NAME] [--headers DIR] [-I DIR]... INPUT.cu OUTPUT.cpp\n"
    "Rewrites what C++ has no words for in a .cu file: launches, dynamic shared memory and more "
    "(rewrite.h).\n"
    "  --source-name NAME  the file's name in messages (default: INPUT as typed)\n"
    "  --headers DIR       where included files that hold launches are written, rewritten;\n"
    "                      for each one a line `WRITTEN<tab>ORIGINAL` goes to standard output\n"
    "  -I DIR              where to look for included files, after the including file's own place\n"
    "exit status: 0 done, 1 cannot read or write a file, 2 usage\n";

typedef struct {
  char *path;    /* resolved path of the original */
  char *written; /* path of the rewritten copy, NULL when the file needs none */
} header;

typedef struct {
  const char *header_dir;
  const char **include_dirs;
  size_t include_count, include_capacity;
  header *headers;
  size_t header_count, header_capacity;
  name_table names;
} program;

typedef struct {
  program *all;
  const char *directory; /* of the file that includes */
  bool main_file;
  bool copied; /* an included file was replaced by its rewritten copy */
} include_context;

void *rewrite_grow(void *items, size_t *capacity, size_t needed, size_t item_size) {
  if (needed == 0) {
    free(items);
    *capacity = 0;
    return NULL;
  }
  if (needed <= *capacity) return items;
  size_t bigger = *capacity * 2 > needed ? *capacity * 2 : needed + 16;
  void *moved = realloc(items, bigger * item_size);
  if (!moved) {
    fputs("rewrite: out of memory\n", stderr);
    exit(1);
  }
  *capacity = bigger;
  return moved;
}

void text_add(text_buffer *buffer, const char *data, size_t length) {
  buffer->data = rewrite_grow(buffer->data, &buffer->capacity, buffer->length + length + 1, 1);
  memcpy(buffer->data + buffer->length, data, length);
  buffer->length += length;
  buffer->data[buffer->length] = '\0';
}

void text_add_string(text_buffer *buffer, const char *string) { text_add(buffer, string, strlen(string)); }

static char *copy_string(const char *string) {
  text_buffer copy = {0};
  text_add_string(&copy, string);
  return copy.data;
}

/* Reads a whole file; false with errno set when it can't. */
static bool read_file(const char *path, text_buffer *out) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  char block[65536];
  size_t got;
  text_add(out, "", 0);
  while ((got = fread(block, 1, sizeof block, file)) > 0) text_add(out, block, got);
  bool good = !ferror(file);
  int error = errno;
  fclose(file);
  errno = error;
  static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8, which some editors write in front */
  if (good && out->length >= 3 && memcmp(out->data, mark, 3) == 0) memset(out->data, ' ', 3);
  return good;
}

static bool write_file(const char *path, const text_buffer *text) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool good = fwrite(text->data, 1, text->length, file) == text->length;
  return fclose(file) == 0 && good;
}

static bool include_file(void *context, const char *directive, size_t length, text_buffer *out);

/* Reads the files that this one includes before the file itself, so that their names are known. */
static void read_included(rewrite_unit *unit) {
  text_buffer unused = {0};
  for (size_t i = 0; i < unit->tokens.count; i++) {
    const token *t = &unit->tokens.items[i];
    if (directive_is(unit, i, "include"))
      unit->include(unit->context, unit->text + t->begin, t->end - t->begin, &unused);
  }
  free(unused.data);
}

/* Rewrites one file's text into `out`; returns whether anything but #line was added. */
static bool rewrite_text(program *all, const text_buffer *text, const char *path, const char *name,
                         bool main_file, text_buffer *out) {
  char *path_copy = copy_string(path);
  include_context context = {all, dirname(path_copy), main_file, false};
  rewrite_unit unit = {
      .text = text->data, .length = text->length, .name = name, .first_line = 1, .names = &all->names};
  if (all->header_dir) {
    unit.include = include_file;
    unit.context = &context;
  }
  size_t line_capacity = 0;
  unit.lines = rewrite_grow(NULL, &line_capacity, 1, sizeof *unit.lines);
  unit.lines[unit.line_count++] = 0;
  for (size_t i = 0; i < text->length; i++) {
    if (text->data[i] != '\n') continue;
    unit.lines = rewrite_grow(unit.lines, &line_capacity, unit.line_count + 1, sizeof *unit.lines);
    unit.lines[unit.line_count++] = i + 1;
  }
  lex(unit.text, 0, unit.length, false, &unit.tokens);
  collect_macros(&unit);
  if (unit.include) read_included(&unit);
  find_edits(&unit);
  emit_line_directive(out, 1, name);
  emit_unit(&unit, out);
  free(unit.tokens.items);
  for (size_t i = 0; i < unit.edits.count; i++) free(unit.edits.items[i].error);
  free(unit.edits.items);
  free(unit.declarations.items);
  free(unit.lines);
  free(path_copy);
  return unit.changed || context.copied;
}

/* ---- #include
 * -------------------------------------------------------------------------------------------------- */

/* Resolves an included name to an absolute path the way the compiler will; NULL when it is not among the
 * learner's files. */
static char *resolve(const include_context *context, const char *name, bool quoted) {
  for (size_t i = 0; i <= context->all->include_count; i++) {
    if (i == 0 && !quoted) continue;
    text_buffer path = {0};
    if (name[0] != '/') {
      text_add_string(&path, i == 0 ? context->directory : context->all->include_dirs[i - 1]);
      text_add(&path, "/", 1);
    }
    text_add_string(&path, name);
    char *real = realpath(path.data, NULL);
    free(path.data);
    if (real) return real;
  }
  return NULL;
}

/* The rewritten copy of this header, made when it is first met; NULL when it holds nothing to rewrite. */
static const char *header_copy(program *all, const char *path) {
  for (size_t i = 0; i < all->header_count; i++)
    if (strcmp(all->headers[i].path, path) == 0) return all->headers[i].written;
  size_t index = all->header_count;
  all->headers = rewrite_grow(all->headers, &all->header_capacity, index + 1, sizeof *all->headers);
  all->headers[all->header_count++] = (header){.path = copy_string(path)};
  text_buffer text = {0}, out = {0};
  char *written = NULL;
  if (read_file(path, &text) && rewrite_text(all, &text, path, path, false, &out)) {
    char number[32];
    snprintf(number, sizeof number, "/%zu.h", index);
    text_buffer name = {0};
    text_add_string(&name, all->header_dir);
    text_add_string(&name, number);
    written = name.data;
    if (!write_file(written, &out)) {
      fprintf(stderr, "rewrite: cannot write %s: %s\n", written, strerror(errno));
      exit(1);
    }
    printf("%s\t%s\n", written, path);
  }
  free(text.data);
  free(out.data);
  all->headers[index].written = written;
  return written;
}

/* Replaces `#include "x.cuh"` by its rewritten copy where x.cuh, or what it includes, holds a launch. In a
   copy, which lies elsewhere, quoted includes are given with their whole path. */
static bool include_file(void *context, const char *directive, size_t length, text_buffer *out) {
  include_context *from = context;
  const char *end = directive + length, *open = directive;
  while (open < end && *open != '"' && *open != '<') open++;
  if (open == end) return false;
  bool quoted = *open == '"';
  const char *close = memchr(open + 1, quoted ? '"' : '>', (size_t)(end - open - 1));
  if (!close) return false;
  text_buffer name = {0};
  text_add(&name, open + 1, (size_t)(close - open - 1));
  char *path = resolve(from, name.data, quoted);
  const char *copy = path ? header_copy(from->all, path) : NULL;
  bool replaced = copy || (path && quoted && !from->main_file);
  if (replaced) {
    text_add(out, directive, (size_t)(open - directive));
    text_add(out, "\"", 1);
    text_add_string(out, copy ? copy : path);
    text_add(out, "\"", 1);
    text_add(out, close + 1, (size_t)(end - close - 1));
  }
  free(path);
  free(name.data);
  from->copied = from->copied || copy;
  return replaced;
}

int main(int argc, char **argv) {
  program all = {0};
  const char *source_name = NULL, *files[2];
  int file_count = 0;
  for (int i = 1; i < argc; i++) {
    bool value = i + 1 < argc;
    if (strcmp(argv[i], "--source-name") == 0 && value) {
      source_name = argv[++i];
    } else if (strcmp(argv[i], "--headers") == 0 && value) {
      all.header_dir = argv[++i];
    } else if (strcmp(argv[i], "-I") == 0 && value) {
      all.include_dirs = rewrite_grow(all.include_dirs, &all.include_capacity, all.include_count + 1,
                                      sizeof *all.include_dirs);
      all.include_dirs[all.include_count++] = argv[++i];
    } else if (argv[i][0] != '-' && file_count < 2) {
      files[file_count++] = argv[i];
    } else {
      fputs(usage, stderr);
      return 2;
    }
  }
  if (file_count != 2) {
    fputs(usage, stderr);
    return 2;
  }
  names_of_language(&all.names);
  text_buffer text = {0}, out = {0};
  if (!read_file(files[0], &text)) {
    fprintf(stderr, "rewrite: cannot read %s: %s\n", files[0], strerror(errno));
    return 1;
  }
  rewrite_text(&all, &text, files[0], source_name ? source_name : files[0], true, &out);
  if (!write_file(files[1], &out)) {
    fprintf(stderr, "rewrite: cannot write %s: %s\n", files[1], strerror(errno));
    return 1;
  }
  free(text.data);
  free(out.data);
  free(all.include_dirs);
  for (size_t i = 0; i < all.header_count; i++) {
    free(all.headers[i].path);
    free(all.headers[i].written);
  }
  free(all.headers);
  names_free(&all.names);
  return 0;
}

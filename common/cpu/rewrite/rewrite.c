/*
 * rewrite: the first step of cucc. It turns a .cu file into C++ that g++ or clang++ can compile with the
 * headers in include/. It works on tokens, not on a parse tree, and changes only what C++ cannot express:
 *
 *   k<<<grid, block, shared, stream>>>(a, b)     a launch, or the part of one that a macro holds
 *   extern __shared__ float tile[];              dynamic shared memory
 *   __device__ int total;                        a device variable, marked for the runtime (symbol.h)
 *   static __shared__ int x;                     loses its `static`: __shared__ implies it
 *   __shared__ alignas(16) float x[64];          __shared__ moves after alignas
 *   __global__ void k(...) { ... }               is followed by a registration (launch.h); a template's holds it
 *   #ifdef __CUDA_ARCH__ in a function's body, or around functions of the device    is true in device code
 *   __syncthreads(), return, atomicCAS(...);     marked for the checker where it must know (marks.c)
 *
 * It also writes errors into the text for code that nvcc rejects and a C++ compiler accepts (check.c).
 *
 * Everything else in CUDA C (threadIdx, __shared__ ...) is C++ once the headers have been read, so the text
 * is copied unchanged. `#line` directives around each change keep messages and debug information on the
 * learner's own lines and columns.
 *
 * The files, from the lowest to the highest:
 *
 *   grow.c     arrays that grow (growing strings are the harness's base/text.h)
 *   lex.c      cuts the text into tokens
 *   unit.h     what is known of one file
 *   scope.c    finds the partner of each bracket, and the scope of each token
 *   edits.c    the list of changes
 *   arch.c     finds where __CUDA_ARCH__ is asked for
 *   declare.c  reads declarations
 *   names.c    knows the program's functions
 *   waits.c    finds where threads may wait for each other
 *   marks.c    finds what the checker must know of barriers
 *   check.c    finds errors in how they are called
 *   find.c     finds launches and dynamic shared memory
 *   emit_text.c, emit_declared.c, emit.c
 *              write the new text: its pieces, what becomes of declarations, launches and the rest
 *   tokens.c   prints the tokens for other programs
 *   rewrite.c  reads and writes files and follows #include
 */
#include "emit.h"
#include "emit_text.h"
#include "find.h"
#include "grow.h"
#include "names.h"
#include "scope.h"
#include "tokens.h"
#include "waits.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: rewrite [--source-name NAME] [--headers DIR] [-I DIR]... INPUT.cu OUTPUT.cpp\n"
    "       rewrite --tokens FILE\n"
    "Rewrites the parts of a .cu file that C++ cannot express: launches, dynamic shared memory and more.\n"
    "  --source-name NAME  the file's name in messages (default: INPUT as typed)\n"
    "  --headers DIR       where included files that hold launches are written, rewritten;\n"
    "                      for each one a line `WRITTEN<tab>ORIGINAL` goes to standard output\n"
    "  -I DIR              where to look for included files, after the including file's own place\n"
    "  --tokens FILE       prints the tokens of a C (.c) or CUDA file, a line each: LINE<tab>KIND<tab>TEXT "
    "(tokens.h)\n"
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

static char *copy_string(const char *string) {
  wb_text copy = {0};
  wb_text_add_bytes(&copy, string, strlen(string));
  return copy.data;
}

/* Reads a whole file; false with errno set when it can't. */
static bool read_file(const char *path, wb_text *out) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  char block[65536];
  size_t got;
  wb_text_add_bytes(out, "", 0);
  while ((got = fread(block, 1, sizeof block, file)) > 0) wb_text_add_bytes(out, block, got);
  bool good = !ferror(file);
  int error = errno;
  fclose(file);
  errno = error;
  static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8, which some editors write in front */
  if (good && out->size >= 3 && memcmp(out->data, mark, 3) == 0) memset(out->data, ' ', 3);
  return good;
}

static bool write_file(const char *path, const wb_text *text) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool good = fwrite(text->data, 1, text->size, file) == text->size;
  return fclose(file) == 0 && good;
}

static bool include_file(void *context, const char *directive, size_t length, wb_text *out);

/* Reads the files that this one includes before the file itself, so that their names are known. */
static void read_included(rewrite_unit *unit) {
  wb_text unused = {0};
  for (size_t i = 0; i < unit->tokens.count; i++) {
    const token *t = &unit->tokens.items[i];
    if (directive_is(unit, i, "include"))
      unit->include(unit->context, unit->text + t->begin, t->end - t->begin, &unused);
  }
  free(unused.data);
}

/* Rewrites one file's text into `out`; returns whether anything but #line was added. */
static bool rewrite_text(program *all, const wb_text *text, const char *path, const char *name,
                         bool main_file, wb_text *out) {
  char *path_copy = copy_string(path);
  include_context context = {all, dirname(path_copy), main_file, false};
  rewrite_unit unit = {
      .text = text->data, .length = text->size, .name = name, .first_line = 1, .names = &all->names};
  if (all->header_dir) {
    unit.include = include_file;
    unit.context = &context;
  }
  size_t line_capacity = 0;
  unit.lines = rewrite_grow(NULL, &line_capacity, 1, sizeof *unit.lines);
  unit.lines[unit.line_count++] = 0;
  for (size_t i = 0; i < text->size; i++) {
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
  if (main_file) emit_waits(&unit, out);
  free(unit.tokens.items);
  for (size_t i = 0; i < unit.edits.count; i++) free(unit.edits.items[i].error);
  free(unit.edits.items);
  free(unit.declarations.items);
  free(unit.lines);
  free(path_copy);
  return unit.changed || context.copied;
}

/* ---- #include ------------------------------------------------------------------------------------------ */

/* Resolves an included name to an absolute path the way the compiler will; NULL when it is not among the
 * learner's files. */
static char *resolve(const include_context *context, const char *name, bool quoted) {
  for (size_t i = 0; i <= context->all->include_count; i++) {
    if (i == 0 && !quoted) continue;
    wb_text path = {0};
    if (name[0] != '/') {
      wb_text_add(&path, "%s", i == 0 ? context->directory : context->all->include_dirs[i - 1]);
      wb_text_add_bytes(&path, "/", 1);
    }
    wb_text_add(&path, "%s", name);
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
  wb_text text = {0}, out = {0};
  char *written = NULL;
  if (read_file(path, &text) && rewrite_text(all, &text, path, path, false, &out)) {
    wb_text name = {0};
    wb_text_add(&name, "%s/%zu.h", all->header_dir, index);
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
static bool include_file(void *context, const char *directive, size_t length, wb_text *out) {
  include_context *from = context;
  const char *end = directive + length, *open = directive;
  while (open < end && *open != '"' && *open != '<') open++;
  if (open == end) return false;
  bool quoted = *open == '"';
  const char *close = memchr(open + 1, quoted ? '"' : '>', (size_t)(end - open - 1));
  if (!close) return false;
  wb_text name = {0};
  wb_text_add_bytes(&name, open + 1, (size_t)(close - open - 1));
  char *path = resolve(from, name.data, quoted);
  const char *copy = path ? header_copy(from->all, path) : NULL;
  bool replaced = copy || (path && quoted && !from->main_file);
  if (replaced) {
    wb_text_add_bytes(out, directive, (size_t)(open - directive));
    wb_text_add_bytes(out, "\"", 1);
    wb_text_add(out, "%s", copy ? copy : path);
    wb_text_add_bytes(out, "\"", 1);
    wb_text_add_bytes(out, close + 1, (size_t)(end - close - 1));
  }
  free(path);
  free(name.data);
  from->copied = from->copied || copy;
  return replaced;
}

static int print_tokens_of(const char *path) {
  wb_text text = {0};
  if (!read_file(path, &text)) {
    fprintf(stderr, "rewrite: cannot read %s: %s\n", path, strerror(errno));
    return 1;
  }
  print_tokens(text.data, text.size, language_of(path), stdout);
  wb_text_free(&text);
  return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--tokens") == 0) return print_tokens_of(argv[2]);
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
  wb_text text = {0}, out = {0};
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

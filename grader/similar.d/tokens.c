/* tokens.c: a C or CUDA file as tokens. Comments, blanks and line breaks are gone; every name that a learner
 * can choose is the same token, and so is every number and every string; keywords, operators and the names of
 * CUDA stay what they are. So a copy with other names, another layout and other comments gives the same
 * tokens. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "similar.h"

enum { NAME = 1, NUMBER, STRING };

/* Names that nobody chose. Those that begin with cuda, omp_ or __ are not either. */
static const char *const FIXED[] = {
    "auto",     "bool",    "break",    "case",   "char",      "const",    "constexpr", "continue",
    "default",  "do",      "double",   "else",   "enum",      "extern",   "float",     "for",
    "goto",     "if",      "inline",   "int",    "int32_t",   "int64_t",  "long",      "nullptr",
    "NULL",     "return",  "restrict", "short",  "signed",    "size_t",   "sizeof",    "static",
    "struct",   "switch",  "template", "true",   "false",     "typedef",  "typename",  "uint32_t",
    "unsigned", "void",    "volatile", "while",  "threadIdx", "blockIdx", "blockDim",  "gridDim",
    "warpSize", "dim3",    "float2",   "float4", "int4",      "double2",  "atomicAdd", "pragma",
    "define",   "include", "malloc",   "free",   "memcpy",    "memset",   "printf",    "x",
    "y",        "z",
};

void *must_have(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (memory == NULL) {
    fputs("similar: out of memory\n", stderr);
    exit(3);
  }
  return memory;
}

static uint32_t hash_of(const char *text, size_t length) {
  uint32_t hash = 2166136261u; /* FNV-1a */
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash | 1024; /* apart from the kinds above */
}

static bool begins(const char *text, size_t length, const char *with) {
  size_t n = strlen(with);
  return length >= n && memcmp(text, with, n) == 0;
}

static uint32_t kind_of_name(const char *text, size_t length) {
  if (begins(text, length, "cuda") || begins(text, length, "__") || begins(text, length, "omp_"))
    return hash_of(text, length);
  for (size_t i = 0; i < sizeof FIXED / sizeof *FIXED; i++)
    if (strlen(FIXED[i]) == length && memcmp(FIXED[i], text, length) == 0) return hash_of(text, length);
  return NAME;
}

/* The end of a comment, or of a quoted string or character, that begins at text[at]. */
static size_t end_of_comment(const char *text, size_t at, size_t size) {
  bool line = text[at + 1] == '/';
  for (at += 2; at < size; at++) {
    if (line && text[at] == '\n') return at;
    if (!line && text[at] == '*' && at + 1 < size && text[at + 1] == '/') return at + 2;
  }
  return size;
}

static size_t end_of_quoted(const char *text, size_t at, size_t size) {
  char quote = text[at];
  for (at++; at < size && text[at] != quote && text[at] != '\n'; at++)
    if (text[at] == '\\' && at + 1 < size) at++;
  return at < size ? at + 1 : size;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

/* One token at text[at] (no blank): its kind, 0 for a comment, and where it ends. */
static uint32_t next_token(const char *text, size_t at, size_t size, size_t *end) {
  char c = text[at];
  if (c == '/' && at + 1 < size && (text[at + 1] == '/' || text[at + 1] == '*')) {
    *end = end_of_comment(text, at, size);
    return 0;
  }
  if (c == '"' || c == '\'') {
    *end = end_of_quoted(text, at, size);
    return STRING;
  }
  bool number =
      isdigit((unsigned char)c) || (c == '.' && at + 1 < size && isdigit((unsigned char)text[at + 1]));
  *end = at + 1;
  if (!number && !is_word(c)) return hash_of(text + at, 1);
  while (*end < size && (is_word(text[*end]) || (number && text[*end] == '.'))) ++*end;
  return number ? NUMBER : kind_of_name(text + at, *end - at);
}

static char *read_all(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "similar: cannot read %s: %s\n", path, strerror(errno));
    exit(3);
  }
  size_t room = 1 << 16;
  char *text = must_have(room, 1);
  *size = 0;
  for (size_t n; (n = fread(text + *size, 1, room - *size, file)) > 0;) {
    *size += n;
    if (*size < room) continue;
    text = realloc(text, room *= 2);
    if (text == NULL) exit(3);
  }
  fclose(file);
  return text;
}

struct source source_read(const char *path) {
  size_t size, end;
  char *text = read_all(path, &size);
  struct source s = {.tokens = must_have(size, sizeof(struct token))};
  uint32_t line = 1;
  for (size_t at = 0; at < size; at = end) {
    uint32_t kind = 0;
    end = at + 1;
    if (!isspace((unsigned char)text[at])) kind = next_token(text, at, size, &end);
    if (kind != 0) s.tokens[s.count++] = (struct token){kind, line};
    for (size_t i = at; i < end; i++) line += text[i] == '\n';
  }
  free(text);
  s.ignored = must_have(s.count, sizeof *s.ignored);
  return s;
}

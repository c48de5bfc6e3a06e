/* tokens.c: a C or CUDA file as a list of numbers, one for each token, read by the lexer of common/cpu/rewrite. Every
 * name that a learner can choose gives the same number, and so does every literal number and every string; keywords,
 * operators and the names of CUDA keep their own. So a copy with other names, another layout and other comments
 * gives the same list. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "similar.h"
#include "tokens.h"

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

static uint32_t kind_of(token_kind kind, const char *text, size_t length) {
  if (kind == TOKEN_NUMBER) return NUMBER;
  return kind == TOKEN_WORD ? kind_of_name(text, length) : STRING;
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
  size_t size;
  char *text = read_all(path, &size);
  struct source s = {.tokens = must_have(size, sizeof(struct token))};
  joined_text joined = join_lines(text, size);
  token_list list = {0};
  lex_flat(joined.text.data, joined.text.size, language_of(path), &list);
  for (size_t i = 0; i < list.count; i++) {
    const token *t = &list.items[i];
    const uint32_t line = (uint32_t)joined_line(&joined, t->begin) + 1;
    const char *begin = joined.text.data + t->begin;
    if (t->kind != TOKEN_PUNCTUATION) {
      s.tokens[s.count++] = (struct token){kind_of(t->kind, begin, t->end - t->begin), line};
      continue;
    }
    for (size_t c = 0; c < t->end - t->begin; c++) /* `->` counts as two */
      s.tokens[s.count++] = (struct token){hash_of(begin + c, 1), line};
  }
  free(list.items);
  joined_free(&joined);
  free(text);
  s.ignored = must_have(s.count, sizeof *s.ignored);
  return s;
}

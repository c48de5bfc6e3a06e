/* similar.h: what tokens.c and similar.c share. */
#ifndef SIMILAR_H
#define SIMILAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One token of C: what it is, as a number that ignores the names that a learner chose, and its line. */
struct token {
  uint32_t kind;
  uint32_t line;
};

struct source {
  struct token *tokens;
  size_t count;
  uint64_t *grams; /* a hash of the GRAM tokens that begin at each one; count - GRAM + 1 of them */
  size_t gram_count;
  bool *ignored; /* tokens that the starter has too, or most of the class */
  size_t own;    /* tokens that are not ignored */
};

/* Reads a C or CUDA file. Ends the program with a message when it cannot be read. */
struct source source_read(const char *path);

/* malloc that ends the program when there is no memory left. */
void *must_have(size_t count, size_t size);

#endif

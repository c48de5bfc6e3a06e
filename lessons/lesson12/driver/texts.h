/* texts.h: the texts that lesson12's driver gives to the learner's functions. */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>
#include <stdint.h>

/* ---- Task 1: texts to compile ---- */

typedef enum text_kind {
  TEXT_PLAIN,      /* the factor is in the text */
  TEXT_OPTIONS,    /* the factor comes by an option, and the architecture is compared with another one */
  TEXT_BROKEN,     /* a name that is not declared */
  TEXT_MANY,       /* many of them: a long log */
  TEXT_NO_KERNEL,  /* compiles, but its kernel is not called map */
  TEXT_BAD_OPTION, /* an option that no compiler has */
  TEXT_WARNING,    /* compiles, and NVRTC has a warning in its log */
  TEXT_KINDS
} text_kind;

#define TEXT_SIZE 16384 /* room for any of these texts */

/* What the log must contain, in 48 characters: the name of the last error, which is not declared, or the warning. */
void words_of_log(text_kind kind, double factor, char *words);

/* A word of the text that no message about it contains. */
#define DECOY "sentence_of_a_comment"

/* Writes the text of a kernel: y = factor * x. */
void write_text(text_kind kind, double factor, char *text);

/* ---- Task 3: what is asked of a cache ---- */

typedef struct request {
  unsigned source, options, device, cache;
} request;

enum { CACHES = 2, DEVICES = 3, OPTIONS = 3, MOST_SOURCES = 4096, BROKEN_SOURCE = 9 };

#define SOURCE_SIZE  6000 /* room for any source */
#define OPTIONS_SIZE 32   /* and for any options */

/* Source number BROKEN_SOURCE can't be built. Texts with other numbers are
 * different, some just so. */
void write_source(unsigned source, char *text, size_t size);
int is_between(unsigned source); /* one of those texts that differ only between their beginnings and ends */
void write_options(unsigned options, char *text, size_t size);

/* Different requests, GLUED of them. The kernel of the last one is NULL; of the others some are the same once their texts are joined to one: with nothing in
 * between, or with one to three of a character that texts have. HASHED of them are pairs of texts with the same hash. */
enum {
  GLUES = 1 + 3 * 98,
  HASHED = 8,
  GLUED = 3 * GLUES + HASHED + 5,
  GLUED_SOURCES = 10000,
  HASHED_SOURCES = 30000,
  GLUED_OPTIONS = 100,
  DIGIT_SOURCE = 20000,
  NULL_SOURCE
};
request glued_request(unsigned number);

#endif

/* causes.h: names the mistake in a wrong result of lesson12, where the value shows it; and the right answer of
 * task 4. */
#ifndef CAUSES_H
#define CAUSES_H

#include "texts.h"

/* What the driver looks at after compile_module ... */
enum {
  SEEN_STATUS,    /* what it returned */
  SEEN_NO_MODULE, /* *module is NULL */
  SEEN_WORDS,     /* the log contains the name that is not declared, or the warning */
  SEEN_DECOY,     /* and a word that is in another line of the text */
  SEEN_LOG_END,   /* there is a 0 in the log's room */
  SEEN_SHORT_LOG, /* where there is little room, the log is the beginning of the whole one */
  SEEN_AFTER_LOG, /* characters written after its room */
  SEEN_TEXT
};

/* ... and after write_polynomial. */
enum {
  SEEN_LENGTHS,    /* the length is the same whatever the room */
  SEEN_LENGTH,     /* it is that of the text */
  SEEN_END,        /* there is a 0 in the text's room */
  SEEN_SHORT_TEXT, /* the text is as much of the whole one as has room, and ends with a 0 */
  SEEN_AFTER_TEXT, /* characters written after the room */
  SEEN_POLY
};

/* SEEN_SHORT_TEXT: 1, or the first of these rooms in which the text is wrong. */
enum {
  WRONG_IN_ROOM_FOR_1 = 2,
  WRONG_IN_ROOM_FOR_20,
  WRONG_IN_ROOM_FOR_LESS, /* for one character less than it has */
  WRONG_IN_ROOM_FOR_IT,   /* for as many, without the 0 */
  WRONG_IN_MORE_ROOM      /* than it needs */
};

/* All return NULL where no known mistake gives this value. */
const char *cause_of_text(text_kind kind, size_t seen, double got);
const char *cause_of_factor(text_kind kind, double got);
const char *cause_of_length(size_t seen, double got);
const char *cause_of_value(const float *c, size_t degree, float x, float got);

/* A request to a cache, and what it should give. */
typedef struct asked {
  request now;
  int is_new, repeated; /* repeated: this was asked before, successfully or not */
  uint32_t kernel, builds;
  int status;
} asked;

#define NOT_WRITTEN 0x5A /* each byte of *kernel before cache_get */

/* `other`: the earlier request whose kernel came; NULL: none. */
const char *cause_of_kernel(const asked *a, const request *other, double got);
const char *cause_of_builds(const asked *a, double got);
const char *cause_of_status(const asked *a, double got);

uint64_t break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count);
const char *cause_of_calls(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count, double got);

#endif

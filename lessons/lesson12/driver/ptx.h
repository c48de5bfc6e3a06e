/* ptx.h: texts in PTX for lesson12's read_ptx, made by chance, and what is in them. */
#ifndef PTX_H
#define PTX_H

#include "jit.h"

#define PTX_ROOM 49152 /* characters of a text, with its 0 */

/* Writes a text with several kernels, which depends on seed alone. counts is of the kernel `name`; where the
 * text has none, they are all 0. */
void make_ptx(uint64_t seed, const char *name, char *text, unsigned counts[PTX_COUNTS]);

/* The seed of such a text: it is in its first line. */
uint64_t seed_of_ptx(const char *text);

/* The mistake that counts `got` in the place of counts[which], or NULL. */
const char *cause_of_ptx_count(const char *ptx, const char *kernel, size_t which, double got);

#endif

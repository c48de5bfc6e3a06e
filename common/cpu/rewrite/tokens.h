/* tokens.h: prints a file's tokens for other programs: `rewrite --tokens FILE`. */
#ifndef CUCC_REWRITE_TOKENS_H
#define CUCC_REWRITE_TOKENS_H

#include "base/text.h"
#include "lex.h"

#include <stdio.h>

/* The text without its line continuations, as compilers read it, and where its lines began. */
typedef struct {
  wb_text text;
  size_t *lines; /* offset in `text` of the start of each line of the file */
  size_t line_count, line_capacity;
} joined_text;

/* Joins the lines that end in a backslash. Free the result with joined_free. */
joined_text join_lines(const char *text, size_t size);
/* Index of the line, from 0, that holds this offset into the joined text. */
size_t joined_line(const joined_text *joined, size_t offset);
void joined_free(joined_text *joined);

/* C for a file whose name ends in .c, else CUDA. */
language language_of(const char *path);

/*
 * Prints a line for each token, LINE<tab>KIND<tab>TEXT, in the order of the file. LINE counts from 1. KIND is
 *
 *   word         an identifier or keyword
 *   number       a number
 *   string       a string literal with its prefix, a header's name in <> after #include
 *   char         a character literal with its prefix
 *   punctuation  one character, or one of :: -> <= >=
 *
 * or says something about a line or a place; these come before the tokens of their line:
 *
 *   directive    the line is a directive; TEXT is its name. # and the words of the line follow as tokens
 *   include      the line is an #include; TEXT is the rest without comments. The line's tokens do not follow
 *   unusual      compilers may read this place in different ways; TEXT is one of
 *                raw-string         a raw string with an odd delimiter, with a continued line, in a directive or an
 *                                   #if, or touching a literal (CUDA only; C has none)
 *                trigraph           ??= or ??/ (C only; C++17 has none)
 *                foreign-letter     a byte above 127 outside strings and comments
 *                pasting            ## or %:%:, in strings too, but for one that makes a name with a part that only
 *                                   names have, such as `NAME##_kernel`, and `, ##__VA_ARGS__`
 *                letter-as-number   \u or \U outside character literals
 *                pragma-dependency  a #pragma that names a file to look at
 *                carriage-return    one that does not end a line
 *                long-line          more than 100000 characters, continuations included; the output ends here
 *
 * At most 200 bytes of TEXT are printed, control characters as blanks.
 */
void print_tokens(const char *text, size_t size, language l, FILE *out);

#endif

/* lex.h: cuts C++ and CUDA text into tokens. */
#ifndef CUCC_LEX_H
#define CUCC_LEX_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  TOKEN_WORD, /* identifier or keyword */
  TOKEN_NUMBER,
  TOKEN_STRING, /* string literal with its prefix, raw ones too */
  TOKEN_CHAR,
  TOKEN_PUNCTUATION, /* one character, or one of :: -> <= >= ; runs of < and > stay single */
  TOKEN_DIRECTIVE    /* a whole preprocessor line with its continuation lines, without the final newline */
} token_kind;

#define NOWHERE ((size_t)-1)

typedef enum { SCOPE_FILE, SCOPE_CLASS, SCOPE_FUNCTION } scope_kind; /* a namespace is as good as a file */

typedef enum { LANGUAGE_CUDA, LANGUAGE_C } language;

typedef struct {
  token_kind kind;
  size_t begin, end; /* offsets into the text: [begin, end) */
  int parentheses;   /* how many ( [ are open around it; 0 means: not inside a macro's argument (scope.c) */
  scope_kind scope;  /* the scope that contains it, as far as tokens can tell (scope.c) */
  size_t partner;    /* of a bracket: index of the one that belongs to it, else NOWHERE (scope.c) */
  bool begins_line;  /* lex_flat: the first token of its line; comments and continuations end no line */
} token;

typedef struct {
  token *items;
  size_t count, capacity;
} token_list;

/* Cuts text[begin, end) into tokens, leaving out blanks and comments. `in_directive` says that the text is
   part of a preprocessor line, so that # starts no other. An unterminated literal ends with its line. */
void lex(const char *text, size_t begin, size_t end, bool in_directive, token_list *tokens);
/* The same for a whole text whose lines are joined (tokens.h); directives are not gathered: their # and words
   are tokens too. A name in <> after #include is one string. C has no raw strings and no ' in numbers. */
void lex_flat(const char *text, size_t size, language l, token_list *tokens);
/* Bytes of the line continuation at `at`, as gcc and clang read it: a backslash, blanks and the line's end;
   0 when there is none. */
size_t lex_splice(const char *text, size_t at, size_t end);
/* True when the token is exactly this word or punctuation. */
bool token_is(const char *text, const token *t, const char *word);

#endif

/*
 * The rewriter turns a .cu file into C++ that g++ or clang++ can compile with the headers in include/.
 * It works on tokens, not on a parse tree, and changes only what C++ has no words for:
 *
 *   k<<<grid, block, shared, stream>>>(a, b)     a launch, or the part of one that a macro holds
 *   extern __shared__ float tile[];              dynamic shared memory
 *   __device__ int total;                        a variable of the device, marked for the runtime (symbol.h)
 *   static __shared__ int x;                     loses its `static`: __shared__ says it already
 *   __global__ void k(...) { ... }               is followed by a registration (launch.h)
 *   #ifdef __CUDA_ARCH__ in a function's body    is true in device code
 *
 * And it writes errors into the text for what nvcc refuses and C++ can't see (rewrite_check.c).
 *
 * Everything else in CUDA C (threadIdx, __shared__ ...) is C++ once the headers have been read,
 * so the text is copied as it stands. `#line` directives around each change keep the compiler's messages and
 * the debug information on the learner's own lines and columns.
 *
 * rewrite_lex.c cuts the text into tokens, rewrite_scope.c says what belongs together, rewrite_declare.c
 * reads declarations, rewrite_find.c finds launches, rewrite_names.c knows the program's functions,
 * rewrite_check.c judges how they are called, rewrite_emit.c writes the new text, rewrite.c reads and writes
 * files and follows #include.
 */
#ifndef CUCC_REWRITE_H
#define CUCC_REWRITE_H

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

typedef struct {
  token_kind kind;
  size_t begin, end; /* offsets into the text: [begin, end) */
  int parentheses;   /* how many ( [ are open around it; 0 means: not inside a macro's argument */
  scope_kind scope;  /* what it is inside of, as far as tokens can tell */
  size_t partner;    /* of a bracket: index of the one that belongs to it, else NOWHERE */
} token;

typedef struct {
  token *items;
  size_t count, capacity;
} token_list;

/* A place to change, by indices into the token list. */
typedef struct {
  enum {
    EDIT_LAUNCH,
    EDIT_DYNAMIC_SHARED,
    EDIT_VARIABLE,
    EDIT_VARIABLE_TEMPLATE,
    EDIT_STATIC,
    EDIT_KERNEL,
    EDIT_ERROR,
    EDIT_TWICE
  } kind;
  size_t first, last; /* first and last token that belong to it */
  size_t open,
      close; /* launch: first of the three < and first of the three >; kernel, template: open is its name */
  size_t left, right; /* the parentheses around arguments (of a launch: right == last) or parameters; of a
                         variable template, left is its specifier */
  bool by_pointer;    /* launch: what is launched is a variable, not a kernel's name */
  bool on_host;       /* body that asks for __CUDA_ARCH__: the host may run it too */
  char *error; /* what is wrong with it, or with its first token, as `sentence|what to do`; else NULL */
} edit;

typedef struct {
  edit *items;
  size_t count, capacity;
} edit_list;

/* A function or variable at file, namespace or class scope, by indices into the token list. */
typedef struct {
  enum { DECLARES_NOTHING, DECLARES_FUNCTION, DECLARES_VARIABLE } kind;
  size_t first, name;
  size_t
      specifier; /* __global__, or that of __device__, __constant__ and __managed__ that counts, or NOWHERE */
  size_t left, right; /* function: the parentheses around its parameters */
  size_t open, close; /* function: the braces of its body, or NOWHERE */
  bool global, device, host, constant, is_constexpr, is_template, is_static, is_inline, is_operator;
  bool conditional; /* a preprocessor line stands in its head */
} declaration;

typedef struct {
  declaration *items;
  size_t count, capacity;
} declaration_list;

/* A text that grows. `data` is always terminated. */
typedef struct {
  char *data;
  size_t length, capacity;
} text_buffer;

/* What a name means in a program's files; several meanings make it ambiguous. */
enum {
  NAME_KERNEL = 1,
  NAME_HOST = 2,   /* a function without specifiers, or with __host__ */
  NAME_DEVICE = 4, /* ... with __device__ alone */
  NAME_BOTH = 8,
  NAME_MACRO = 16,
  NAME_OTHER = 32,      /* a member, an operator, what can't be read with certainty */
  NAME_OF_LANGUAGE = 64 /* with NAME_DEVICE: CUDA's own */
};

typedef struct {
  char *text, *file; /* file and line: where it was met first */
  int line;
  unsigned meanings;
} known_name;

typedef struct {
  known_name *items; /* a hash table; text NULL: an empty slot */
  size_t count, capacity;
} name_table;

/* One file, or the body of one macro, while it is rewritten. */
typedef struct rewrite_unit {
  const char *text;
  size_t length;
  const char *name; /* the file's name for #line */
  int first_line;   /* line number of text[0] */
  bool macro;       /* the text is one preprocessor line: no #line inside it */
  size_t *lines;    /* offset of the start of each line */
  size_t line_count;
  token_list tokens;
  edit_list edits;
  declaration_list declarations;
  name_table *names; /* of the whole program; NULL for a macro */
  /* called for each #include line; returns true when it has written a replacement to `out` */
  bool (*include)(void *context, const char *directive, size_t length, text_buffer *out);
  void *context;
  bool changed; /* set when the output differs from the text in more than #line */
} rewrite_unit;

/* rewrite.c: memory. They end the process with a message when memory is exhausted, so they never return NULL.
 */
void *rewrite_grow(void *items, size_t *capacity, size_t needed, size_t item_size);
void text_add(text_buffer *buffer, const char *data, size_t length);
void text_add_string(text_buffer *buffer, const char *string);

/* rewrite_lex.c: cuts text[begin, end) into tokens, leaving out blanks and comments. `in_directive` says that
   the text is one preprocessor line already, so that # is no start of another. Unterminated literals end at
   the end of their line. */
void lex(const char *text, size_t begin, size_t end, bool in_directive, token_list *tokens);
/* True when the token is exactly this word or punctuation. */
bool token_is(const char *text, const token *t, const char *word);

/* rewrite_scope.c: questions about tokens; an index past the last one answers false or NOWHERE. */
bool word_at(const rewrite_unit *unit, size_t i, const char *word);
bool one_of_at(const rewrite_unit *unit, size_t i, const char *const *words); /* words end with NULL */
bool kind_at(const rewrite_unit *unit, size_t i, token_kind kind);
bool opens(const rewrite_unit *unit, size_t i);  /* ( [ { */
bool closes(const rewrite_unit *unit, size_t i); /* ) ] } */
bool touches_next(const rewrite_unit *unit, size_t i);
size_t partner(const rewrite_unit *unit, size_t i);
/* The > that closes the template arguments or parameters which open at token i, or NOWHERE. */
size_t match_template(const rewrite_unit *unit, size_t i);
/* Index after the attribute with its parentheses that starts at token i, or i when none does. */
size_t skip_attribute(const rewrite_unit *unit, size_t i);
/* Whether both tokens are the same word. */
bool same_word(const rewrite_unit *unit, size_t a, size_t b);
/* Index of the line that holds this offset into the text, and its number for people. */
size_t line_index(const rewrite_unit *unit, size_t offset);
int line_of(const rewrite_unit *unit, size_t offset);
/* Whether token i is a preprocessor line that begins with this. */
bool directive_is(const rewrite_unit *unit, size_t i, const char *word);
/* Sets the tokens' partners, depth and scope. */
void find_scopes(rewrite_unit *unit);

/* rewrite_declare.c: fills unit->declarations and adds the edits that kernels and device variables need. */
void find_declarations(rewrite_unit *unit);

/* rewrite_names.c: names of all files of a program. */
void names_of_language(name_table *table);
void names_free(name_table *table);
/* What is known of the word at token i; NULL when nothing is. */
const known_name *name_at(const rewrite_unit *unit, size_t i);
/* Whether the name means this and nothing else. False for NULL. */
bool name_means(const known_name *name, unsigned meaning);
/* What the declared function is, as NAME_KERNEL and the like; NAME_OTHER when a macro may hide in its head.
 */
unsigned meaning_of(const rewrite_unit *unit, const declaration *d);
void collect_macros(rewrite_unit *unit);
void collect_functions(rewrite_unit *unit);

/* rewrite_check.c: adds errors to the edits of a unit whose names are collected. */
void check_unit(rewrite_unit *unit);

/* rewrite_find.c: fills unit->edits, in the order of their first token. */
void find_edits(rewrite_unit *unit);
void add_edit(rewrite_unit *unit, edit e);
/* Index after the specifier that starts at token i and is no part of the type (extern, __shared__,
   __align__(n), alignas(n),
   __attribute__((x))), or i when none starts there. */
size_t skip_shared_specifier(const rewrite_unit *unit, size_t i, size_t end);

/* rewrite_emit.c: appends the rewritten text to `out`. */
void emit_unit(rewrite_unit *unit, text_buffer *out);
/* Appends `#line LINE "NAME"` and a newline. */
#define REGISTRATION_FILE "<cucc>"
void emit_line_directive(text_buffer *out, int line, const char *name);

#endif

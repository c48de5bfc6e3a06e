/*
 * unit.h: what the rewriter knows of one file, or of the body of one macro, while it rewrites it. Data only:
 * lex.c fills the tokens, scope.c their scopes, declare.c the declarations, names.c the names, find.c and
 * check.c the edits.
 */
#ifndef CUCC_UNIT_H
#define CUCC_UNIT_H

#include "base/text.h"
#include "lex.h"

#include <stdbool.h>
#include <stddef.h>

/* A place to change, by indices into the token list. */
typedef struct {
  enum {
    EDIT_LAUNCH,
    EDIT_DYNAMIC_SHARED,
    EDIT_VARIABLE,
    EDIT_VARIABLE_TEMPLATE,
    EDIT_STATIC,
    EDIT_KERNEL,
    EDIT_LAUNCH_BOUNDS,
    EDIT_ERROR,
    EDIT_TWICE,
    EDIT_ARCH,
    EDIT_BARRIER,
    EDIT_INSERT
  } kind;
  size_t first, last; /* first and last token that belong to it */
  size_t open,
      close; /* launch: first of the three < and first of the three >; kernel, template: open is its name */
  size_t left,
      right; /* the parentheses around arguments (of a launch: right == last), parameters or launch bounds; of a
                variable template, left is its specifier */
  bool by_pointer;      /* launch: a variable is launched, not a kernel's name */
  bool in_body;         /* kernel: it is registered in its body, which a template or a macro makes */
  bool on_host;         /* body that tests __CUDA_ARCH__: the host may run it too */
  const char *inserted; /* before the first token; of a kernel: before its last brace; else NULL */
  char *error;          /* the error at its first token, as `sentence|what to do`; else NULL */
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
      specifier; /* __global__, or the deciding one of __device__, __constant__ and __managed__, or NOWHERE */
  size_t left, right; /* function: the parentheses around its parameters */
  size_t open, close; /* function: the braces of its body, or NOWHERE */
  bool global, device, host, constant, is_constexpr, is_template, is_static, is_inline, is_operator;
  bool conditional; /* its head contains a preprocessor line */
  bool macro_names; /* its name is the argument of a macro that begins kernels */
} declaration;

typedef struct {
  declaration *items;
  size_t count, capacity;
} declaration_list;

/* What a name means in a program's files; several meanings make it ambiguous. */
enum {
  NAME_KERNEL = 1,
  NAME_HOST = 2,   /* a function without specifiers, or with __host__ */
  NAME_DEVICE = 4, /* ... with __device__ alone */
  NAME_BOTH = 8,
  NAME_MACRO = 16,
  NAME_OTHER = 32,       /* a member, an operator, what can't be read with certainty */
  NAME_OF_LANGUAGE = 64, /* with NAME_DEVICE: CUDA's own */
  NAME_MEETS = 128,      /* with others: threads may meet at a barrier in it */
  NAME_WAITS = 256,  /* with others: called where a thread may wait; of a macro: it holds a loop (waits.c) */
  NAME_GLOBAL = 512, /* of a macro: it begins kernels, as `#define KERNEL __global__ void` */
  NAME_TEMPLATE = 1024, /* of a macro: it begins templates, as `#define GENERIC template <class T>` */
};

typedef struct {
  char *text, *file; /* file and line: where it was met first */
  int line;
  unsigned meanings;
  bool has_parameters; /* of a kernel: its head was read */
  unsigned references; /* bit i is set where parameter i is a reference in all heads with this name */
} known_name;

typedef struct {
  known_name *items; /* a hash table; text NULL: an empty slot */
  size_t count, capacity;
  bool functors_meet; /* threads may meet in a lambda or an operator() */
  bool stores;        /* the files name volatile, or what stores atomically */
} name_table;

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
  bool (*include)(void *context, const char *directive, size_t length, wb_text *out);
  void *context;
  bool changed; /* set when the output differs from the text in more than #line */
} rewrite_unit;

#endif

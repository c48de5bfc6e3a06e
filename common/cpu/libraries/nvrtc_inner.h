/*
 * The parts of NVRTC: nvrtc.c has the calls, nvrtc_service.c brings a request to the process that may compile,
 * nvrtc_compile.c compiles it there, and nvrtc_options.c reads the options.
 *
 * A request is one block of bytes: fields of eight bytes for the length, then the text. It is made by a
 * process that may be hostile, so it is parsed where it is compiled.
 */
#ifndef CUCC_NVRTC_INNER_H
#define CUCC_NVRTC_INNER_H

#include "nvrtc.h"
#include "base/base.h"
#include "base/text.h"

enum {
  REQUEST_MOST = 1 << 20, /* bytes of a request */
  LOG_MOST = 64 << 10,    /* bytes of a log */
  TEXT_MOST = 64 << 10,   /* bytes of a request whose text is kept for cucc_compiled_text */
  FIELDS_MOST = 4096
};

struct request {
  size_t bytes;
  const char *data;
};

struct answer {
  nvrtcResult result;
  int architecture; /* 80 of sm_80 */
  bool is_virtual;  /* compute_80: PTX and no machine code */
  char module[512]; /* the shared object */
  wb_text log;
  wb_text text; /* the macros of its options, then its source; empty if it is long */
};

/* A request's fields, in order. */
struct job {
  const char *source, *name;
  int headers, options, expressions;
  const char **header_name, **header_text, **option, **expression;
  char **field; /* owns all of these */
  size_t fields;
};

/* What the options ask for. */
struct settings {
  int architecture;
  bool is_virtual, quiet;
  wb_text macros;    /* lines of #define and #undef */
  wb_text arguments; /* cucc's, each ended by a NUL */
  wb_text folders;   /* of -I likewise; a process of the sandbox gets none */
  wb_text error;     /* what is wrong with them, if anything */
};

/* False, with an error, where NVRTC refuses them. */
bool read_options(const struct job *job, struct settings *settings);

/* Compiles here; `limits` NULL: for this process itself, without limits and without a look at the text. */
struct cucc_compile_limits;
void compile_here(struct request request, const struct cucc_compile_limits *limits, struct answer *answer);
void answer_free(struct answer *answer);

/* Asks the process at the other end; false where there is none (cucc_compile_through). */
bool compile_elsewhere(struct request request, struct answer *answer);

#endif

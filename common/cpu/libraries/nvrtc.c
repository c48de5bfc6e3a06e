/*
 * NVRTC's calls. What they compile is done by cucc, here or in another process (nvrtc_inner.h); the "PTX" names
 * the shared object that it leaves.
 */
#include "engine/launch.h" /* first: it asks for dladdr */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_inner.h"
#include "nvrtc_inner.h"
#include "base/needed.h"
#include "base/symtab.h"
#include "state/counters.h"
#include "state/failed.h"
#include "state/loaded.h"
#include "engine/entry.h"

struct expression {
  char *text, *lowered;
};

struct _nvrtcProgram {
  char *source, *name, *log, *ptx, *cubin;
  struct loaded *loaded; /* for the report of what is never destroyed */
  int headers, expressions;
  char **header_texts, **include_names;
  struct expression *expression;
  bool compiled; /* tried, whether it succeeded or not */
};

const char *nvrtcGetErrorString(nvrtcResult result) {
  static const char *const names[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION",
                                      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                      "NVRTC_ERROR_INTERNAL_ERROR"};
  return (unsigned)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDART_VERSION / 1000;
  *minor = CUDART_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- programs */

static char **copy_all(int n, const char *const *texts) {
  char **copies = needed(calloc((size_t)n + 1, sizeof *copies));
  for (int i = 0; i < n; i++) copies[i] = needed(strdup(texts[i]));
  return copies;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
                               const char *const *header_texts, const char *const *include_names) {
  if (!program || !source || headers < 0 || (headers && (!header_texts || !include_names)))
    return NVRTC_ERROR_INVALID_INPUT;
  struct _nvrtcProgram *p = *program = calloc(1, sizeof *p);
  if (!p) return NVRTC_ERROR_OUT_OF_MEMORY;
  p->source = needed(strdup(source));
  p->name = needed(strdup(name && *name ? name : "default_program"));
  p->loaded = loaded_add("an NVRTC program", "nvrtcCreateProgram", "a missing nvrtcDestroyProgram", CALLER);
  p->headers = headers;
  p->header_texts = copy_all(headers, header_texts);
  p->include_names = copy_all(headers, include_names);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
  struct _nvrtcProgram *p = *program;
  for (int i = 0; i < p->headers; i++) free(p->header_texts[i]), free(p->include_names[i]);
  for (int i = 0; i < p->expressions; i++) free(p->expression[i].text), free(p->expression[i].lowered);
  free(p->header_texts);
  free(p->include_names);
  free(p->expression);
  free(p->source);
  free(p->name);
  free(p->log);
  free(p->ptx);
  free(p->cubin);
  loaded_gone(p->loaded);
  free(p);
  *program = NULL;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression) return NVRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->expression =
      needed(realloc(program->expression, (size_t)(program->expressions + 1) * sizeof *program->expression));
  program->expression[program->expressions++] = (struct expression){needed(strdup(expression)), NULL};
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **lowered) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !lowered) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->ptx) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (int i = 0; i < program->expressions; i++)
    if (!strcmp(program->expression[i].text, expression) && (*lowered = program->expression[i].lowered))
      return NVRTC_SUCCESS;
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---------------------------------------------------------------------------------------------- compiling */

static void add_field(wb_text *t, const char *text) {
  const uint64_t length = strlen(text);
  wb_text_add_bytes(t, (const char *)&length, sizeof length);
  wb_text_add_bytes(t, text, length);
}

static void add_number(wb_text *t, int number) {
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  add_field(t, text);
}

/* The request that nvrtc_compile.c reads. */
static void write_request(const struct _nvrtcProgram *p, int options, const char *const *option_texts,
                          wb_text *t) {
  add_field(t, p->source);
  add_field(t, p->name);
  add_number(t, p->headers);
  for (int i = 0; i < p->headers; i++) {
    add_field(t, p->include_names[i]);
    add_field(t, p->header_texts[i]);
  }
  add_number(t, options);
  for (int i = 0; i < options; i++) add_field(t, option_texts[i]);
  add_number(t, p->expressions);
  for (int i = 0; i < p->expressions; i++) add_field(t, p->expression[i].text);
}

struct wanted {
  uintptr_t value; /* of the symbol */
  char **name;
};

static void take_name(const ElfW(Sym) * symbol, const char *name, void *context) {
  const struct wanted *wanted = context;
  if (symbol->st_value == wanted->value && symbol->st_size && !*wanted->name)
    *wanted->name = needed(strdup(name)); /* without a size it is a section's begin */
}

/* Loads the shared object and looks up what its kernels and variables with expressions are called in it. */
static bool find_lowered_names(struct _nvrtcProgram *p, const char *module) {
  Dl_info info;
  if (!p->expressions) return true;
  void *const handle = dlopen(module, RTLD_NOW | RTLD_LOCAL);
  const void *const *named = handle ? dlsym(handle, "cucc_named") : NULL;
  for (int i = 0; named && i < p->expressions; i++) {
    if (!dladdr(named[i], &info)) continue;
    struct wanted wanted = {(uintptr_t)named[i] - (uintptr_t)info.dli_fbase, &p->expression[i].lowered};
    symtab_each(module, take_name, &wanted);
  }
  return named;
}

static void compile(struct request request, struct answer *answer) {
  if (request.bytes > REQUEST_MOST) {
    *answer = (struct answer){.result = NVRTC_ERROR_COMPILATION};
    wb_text_add(
        &answer->log,
        "nvrtc: error: the program has %zu bytes with its headers and options; %d are possible here\n",
        request.bytes, REQUEST_MOST);
  } else if (!compile_elsewhere(request, answer)) {
    compile_here(request, NULL, answer);
  }
}

/* What is wrong with options that are refused, where their texts show it; NULL: nothing does. */
static const char *advice_on_options(int count, const char *const *texts) {
  for (int i = 0; i < count; i++) {
    const unsigned char *at = (const unsigned char *)texts[i];
    while (*at >= ' ' && *at <= '~') at++;
    if (*at || !*texts[i])
      return "an option is no text: was its memory changed or freed before this call, as that of c_str() of "
             "a temporary std::string is?";
    if (strstr(texts[i], " -")) return "an option holds several: each is a text of its own in the array";
  }
  return NULL;
}

/* A text or option that is refused, for people: by the first line of the log that has an error. */
static void note_refused(const char *log, const char *advice) {
  const char *line = log, *error = strstr(log, "error");
  for (const char *at = log; error && at < error; at++)
    if (*at == '\n') line = at + 1;
  char sentence[300];
  snprintf(sentence, sizeof sentence, "%.*s", (int)strcspn(line, "\n"), line);
  failed_because(*sentence ? sentence : "its log is empty", advice);
  failed_note(cudaErrorInvalidSource);
}

/* Those of the last compilation, for a harness. */
static char **last_options;
static int last_count;

static void keep_options(int count, const char *const *texts) {
  for (int i = 0; i < last_count; i++) free(last_options[i]);
  free(last_options);
  last_options = copy_all(count, texts);
  last_count = count;
}

const char *cucc_nvrtc_option(int number) {
  return number >= 0 && number < last_count ? last_options[number] : NULL;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int options, const char *const *option_texts) {
  wb_text request = {0};
  struct answer answer;
  if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
  if (options < 0 || (options && !option_texts)) return NVRTC_ERROR_INVALID_INPUT;
  cucc_enter("nvrtcCompileProgram");
  count(COUNT_COMPILATIONS);
  keep_options(options, option_texts);
  p->compiled = true;
  write_request(p, options, option_texts, &request);
  compile((struct request){request.size, request.data}, &answer);
  wb_text_free(&request);
  free(p->log);
  p->log = needed(strdup(wb_text_get(&answer.log)));
  nvrtcResult result = answer.result;
  if (result == NVRTC_SUCCESS && !find_lowered_names(p, answer.module)) result = NVRTC_ERROR_INTERNAL_ERROR;
  if (result != NVRTC_SUCCESS)
    note_refused(p->log,
                 result == NVRTC_ERROR_INVALID_OPTION ? advice_on_options(options, option_texts) : NULL);
  free(p->ptx);
  free(p->cubin);
  p->ptx = p->cubin = NULL;
  if (result == NVRTC_SUCCESS) {
    const int image = cucc_image_add(answer.module, answer.architecture, answer.is_virtual);
    p->ptx = cucc_image_ptx(image);
    p->cubin = answer.is_virtual ? NULL : cucc_image_cubin(image);
  }
  answer_free(&answer);
  return result;
}

/* ---------------------------------------------------------------------------------------------- results */

/* `none`: the size where there is no such text. */
static nvrtcResult give_size(nvrtcProgram program, const char *text, size_t none, size_t *size) {
  if (!program || !program->compiled) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  *size = text ? strlen(text) + 1 : none;
  return NVRTC_SUCCESS;
}

/* A text that is asked for and is not there: for people, since the result says success. */
static void note_missing(const char *call) {
  failed_enter(call);
  failed_because("there is no machine code, since it was compiled for no device "
                 "(--gpu-architecture=compute_..., or none)",
                 "give NVRTC --gpu-architecture=sm_ with the device's compute capability");
  failed_note(cudaErrorInvalidSource);
}

static nvrtcResult give(nvrtcProgram program, const char *text, char *out) {
  if (!program || !program->compiled) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!out) return NVRTC_ERROR_INVALID_INPUT;
  if (text) strcpy(out, text);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size) {
  return give_size(program, program ? program->log : NULL, 1, size);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
  return give(program, program && program->log ? program->log : "", log);
}

/* After a failed compilation there is neither. */
#define GIVES(NAME, FIELD)                                                                                   \
  nvrtcResult nvrtcGet##NAME##Size(nvrtcProgram program, size_t *size) {                                     \
    if (program && program->ptx && !program->FIELD) note_missing("nvrtcGet" #NAME "Size");                   \
    return program && !program->ptx ? NVRTC_ERROR_INVALID_PROGRAM                                            \
                                    : give_size(program, program ? program->FIELD : NULL, 0, size);          \
  }                                                                                                          \
  nvrtcResult nvrtcGet##NAME(nvrtcProgram program, char *out) {                                              \
    return program && !program->ptx ? NVRTC_ERROR_INVALID_PROGRAM                                            \
                                    : give(program, program ? program->FIELD : NULL, out);                   \
  }
GIVES(PTX, ptx)
GIVES(CUBIN, cubin)

/*
 * NVRTC through cucc: the text goes to a file in a temporary folder, cucc makes an object of it, the compiler
 * a shared object, and the "PTX" names that. CUCC_DRIVER and CUCC_COMPILER are set where this file is built:
 * the cucc and the C++ compiler that made the program, since both must agree on the runtime.
 */
#include "engine/launch.h" /* first: it asks for dladdr */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvrtc.h"
#include "base/json.h"
#include "base/needed.h"
#include "engine/entry.h"
#include "engine/work.h"

struct expression {
  char *text, *lowered;
};

struct _nvrtcProgram {
  char *source, *name, *log, *ptx;
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

/* --------------------------------------------------------------------------------------------- the folder */

static char folder[256]; /* of this process; removed at its end */
static pid_t owner;

static void remove_folder(void) {
  char command[320];
  if (getpid() != owner) return;
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command)) fprintf(stderr, "cucc: cannot remove %s\n", folder);
}

/* A folder of its own for each compilation; false when there can be none. */
static bool new_folder(char *path, size_t size) {
  static int number;
  if (!*folder || owner != getpid()) {
    cucc_enter("nvrtcCompileProgram"); /* first: what it does at the end of the program must come after the
                                          removal */
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.200s/cucc-nvrtc.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (strchr(folder, '\'') || !mkdtemp(folder)) return false;
    if (!owner) atexit(remove_folder);
    owner = getpid();
  }
  snprintf(path, size, "%s/%d", folder, __atomic_fetch_add(&number, 1, __ATOMIC_RELAXED));
  return mkdir(path, 0700) == 0;
}

static bool write_text(const char *directory, const char *name, const char *text) {
  char path[768];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  for (char *slash = path + strlen(directory) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

static char *read_text(const char *directory, const char *name) {
  char path[768];
  wb_text t = {0};
  int c;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "r");
  wb_text_add_bytes(&t, "", 0); /* so that an empty file gives an empty string */
  while (file && (c = getc(file)) != EOF) wb_text_add(&t, "%c", c);
  if (file) fclose(file);
  return t.data;
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

/* The text, followed by a registration of each kernel that is asked for by an expression, which also
 * instantiates it. */
static bool write_source(const struct _nvrtcProgram *p, const char *directory) {
  wb_text t = {0};
  wb_text_add(&t, "%s", p->source);
  for (int i = 0; i < p->expressions; i++)
    wb_text_add(&t,
                "\n#line 1 \"name expression\"\n"
                "static const ::cucc::kernel_registration<%s> cucc_named_%d(CUCC_NAME(%s), __FILE__, 1); "
                "CUCC_REGISTERED(cucc_named_%d)",
                p->expression[i].text, i, p->expression[i].text, i);
  const bool good = write_text(directory, "module.cu", wb_text_get(&t));
  wb_text_free(&t);
  return good;
}

/* NVRTC's options that say nothing to cucc. */
static bool has_no_effect(const char *option) {
  static const char *const known[] = {"-default-device",
                                      "--device-as-default-execution-space",
                                      "-dopt",
                                      "--dopt",
                                      "-pch",
                                      "--pch",
                                      "-no-source-include",
                                      "--no-source-include"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strncmp(option, known[i], strlen(known[i]))) return true;
  return false;
}

/* Runs a script in the folder with these arguments; returns its exit status. */
static int run_script(const char *script, const char *directory, const char *const *arguments, int count) {
  const char **argv = needed(calloc((size_t)count + 6, sizeof *argv));
  int n = 0, status = -1;
  argv[n++] = "sh";
  argv[n++] = "-c";
  argv[n++] = script;
  argv[n++] = directory;
  for (int i = 0; i < count; i++) argv[n++] = arguments[i];
  const pid_t child = fork();
  if (child == 0) {
    setenv("CUCC_CXX", CUCC_COMPILER, 1);
    execv("/bin/sh", (char *const *)argv);
    _exit(127);
  }
  if (child > 0) waitpid(child, &status, 0);
  free(argv);
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/* Loads the shared object and looks up what its kernels with expressions are called in it. */
static bool find_lowered_names(struct _nvrtcProgram *p, const char *directory) {
  char path[768];
  Dl_info info;
  snprintf(path, sizeof path, "%s/module.so", directory);
  if (!p->expressions) return true;
  if (!dlopen(path, RTLD_NOW | RTLD_LOCAL)) return false;
  for (int i = 0; i < p->expressions; i++)
    for (const struct cucc_kernel *k = cucc_kernels; k; k = k->next)
      if (!strcmp(k->name, p->expression[i].text) && dladdr(k->function, &info) && info.dli_sname &&
          !strcmp(info.dli_fname, path)) {
        p->expression[i].lowered = needed(strdup(info.dli_sname));
        break;
      }
  return true;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int options, const char *const *option_texts) {
  static const char script[] =
      "cd \"$0\" && { \"" CUCC_DRIVER "\" -c -Xcompiler -fPIC -Xcompiler \"-fdebug-prefix-map=$0=.\" -I . -o "
      "module.o \"$@\" module.cu && $CUCC_CXX -shared -o "
      "module.so module.o; } >log 2>&1";
  char directory[300];
  if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
  if (options < 0 || (options && !option_texts)) return NVRTC_ERROR_INVALID_INPUT;
  p->compiled = true;
  if (!new_folder(directory, sizeof directory) || !write_source(p, directory))
    return NVRTC_ERROR_INTERNAL_ERROR;
  for (int i = 0; i < p->headers; i++)
    if (!write_text(directory, p->include_names[i], p->header_texts[i])) return NVRTC_ERROR_INTERNAL_ERROR;
  const char **arguments = needed(calloc((size_t)options + 3, sizeof *arguments));
  int count = 0;
  if (!strcmp(cucc_kind(), "fast")) arguments[count++] = "--fast";
  arguments[count++] = "--source-name";
  arguments[count++] = p->name;
  for (int i = 0; i < options; i++)
    if (!has_no_effect(option_texts[i])) arguments[count++] = option_texts[i];
  const int status = run_script(script, directory, arguments, count);
  free(arguments);
  free(p->log);
  p->log = read_text(directory, "log");
  if (status == 2) return NVRTC_ERROR_INVALID_OPTION;
  if (status == 1) return NVRTC_ERROR_COMPILATION;
  if (status || !find_lowered_names(p, directory)) return NVRTC_ERROR_INTERNAL_ERROR;
  wb_text ptx = {0};
  wb_text_add(&ptx, "// cucc module %s/module.so\n", directory);
  p->ptx = ptx.data;
  return NVRTC_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- results */

static nvrtcResult give_size(const char *text, size_t *size, nvrtcProgram program) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  *size = strlen(text ? text : "") + 1;
  return NVRTC_SUCCESS;
}

static nvrtcResult give(const char *text, char *out, nvrtcProgram program) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!out) return NVRTC_ERROR_INVALID_INPUT;
  strcpy(out, text ? text : "");
  return NVRTC_SUCCESS;
}

#define GIVES(NAME, OUT, FIELD)                                                                              \
  nvrtcResult nvrtcGet##NAME##Size(nvrtcProgram program, size_t *size) {                                     \
    return program && !program->compiled ? NVRTC_ERROR_INVALID_PROGRAM                                       \
                                         : give_size(program ? program->FIELD : NULL, size, program);        \
  }                                                                                                          \
  nvrtcResult nvrtcGet##NAME(nvrtcProgram program, char *OUT) {                                              \
    return give(program ? program->FIELD : NULL, OUT, program);                                              \
  }
GIVES(PTX, ptx, ptx)
GIVES(CUBIN, cubin, ptx)
GIVES(ProgramLog, log, log)

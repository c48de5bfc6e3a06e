/*
 * One compilation: the texts of a request go to files of a new folder, cucc.d/module compiles them there, and
 * the shared object that it leaves is moved to this process's folder. BUILT_HOME, BUILT_TOOLS and
 * CUCC_COMPILER are set where this file is built: the folders of cucc and of what it built, and the C++
 * compiler of this program, since all must agree. A program that runs on another machine finds the folders by
 * the variables CUCC_HOME and CUCC_TOOLS.
 */
#define _GNU_SOURCE /* nftw */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nvrtc_inner.h"
#include "base/needed.h"
#include "engine/work.h"
#include "cucc.h"

static const char *folder_of(const char *variable, const char *built) {
  const char *value = getenv(variable);
  return value && *value ? value : built;
}

/* ------------------------------------------------------------------------------------------- a request */

static bool take_field(struct request *rest, struct job *job) {
  uint64_t length;
  if (rest->bytes < sizeof length || job->fields == FIELDS_MOST) return false;
  memcpy(&length, rest->data, sizeof length);
  rest->data += sizeof length;
  rest->bytes -= sizeof length;
  if (length > rest->bytes || memchr(rest->data, 0, length)) return false;
  job->field[job->fields++] = needed(strndup(rest->data, length));
  rest->data += length;
  rest->bytes -= length;
  return true;
}

static const char *next(const struct job *job, size_t *at) {
  return *at < job->fields ? job->field[(*at)++] : NULL;
}

static bool take_list(const struct job *job, size_t *at, int *count, const char ***list, int lists) {
  const char *number = next(job, at);
  *count = number ? atoi(number) : -1;
  if (*count < 0 || *count > FIELDS_MOST) return false;
  for (int l = 0; l < lists; l++) list[l] = needed(calloc((size_t)*count + 1, sizeof **list));
  for (int i = 0; i < *count; i++)
    for (int l = 0; l < lists; l++)
      if (!(list[l][i] = next(job, at))) return false;
  return true;
}

/* Fields: source, name, number of headers, each one's name and text, number of options, them, number of name
 * expressions, them. */
static bool read_request(struct request request, struct job *job) {
  const char **headers[2] = {0};
  size_t at = 0;
  job->field = needed(calloc(FIELDS_MOST, sizeof *job->field));
  while (request.bytes)
    if (!take_field(&request, job)) return false;
  job->source = next(job, &at);
  job->name = next(job, &at);
  const bool good = job->name && take_list(job, &at, &job->headers, headers, 2);
  job->header_name = headers[0];
  job->header_text = headers[1];
  return good && take_list(job, &at, &job->options, &job->option, 1) &&
         take_list(job, &at, &job->expressions, &job->expression, 1) && at == job->fields;
}

static void free_job(struct job *job) {
  for (size_t i = 0; i < job->fields; i++) free(job->field[i]);
  free(job->field);
  free(job->header_name);
  free(job->header_text);
  free(job->option);
  free(job->expression);
}

/* -------------------------------------------------------------------------------------------- the folder */

static char folder[256]; /* of this process; removed at its end */
static pid_t owner;

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
  return (void)status, (void)kind, (void)place, remove(path);
}

/* A folder with all that it holds; no link is followed. */
static void remove_all(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static void remove_folder(void) {
  if (getpid() == owner) remove_all(folder);
}

static bool make_folder(const char *directory, const char *name) {
  char path[768];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return mkdir(path, 0700) == 0;
}

/* A folder of its own for each compilation; false when there can be none. */
static bool new_folder(char *path, size_t size, char *module, size_t module_size) {
  static int number;
  if (!*folder || owner != getpid()) {
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.200s/cucc-nvrtc.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) return false;
    if (!owner) atexit(remove_folder);
    owner = getpid();
  }
  const int n = __atomic_fetch_add(&number, 1, __ATOMIC_RELAXED);
  snprintf(path, size, "%s/%d", folder, n);
  snprintf(module, module_size, "%s/%d.so", folder, n);
  return mkdir(path, 0700) == 0 && make_folder(path, "headers") && make_folder(path, "work");
}

/* A name of a file below the folder: no way out of it, and none of ours. */
static bool is_inside(const char *name) {
  if (!*name || *name == '/' || strstr(name, "..") || !strncmp(name, "cucc", 4)) return false;
  return !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-")] &&
         strlen(name) < 200;
}

static bool write_bytes(const char *directory, const char *name, const char *bytes, size_t size) {
  char path[768];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  for (char *slash = path + strlen(directory) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "we");
  if (!file) return false;
  const bool good = fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && good;
}

static bool write_text(const char *directory, const char *name, const char *text) {
  return write_bytes(directory, name, text, strlen(text));
}

/* The end of a log helps less than its beginning. */
static void read_log(const char *directory, wb_text *log) {
  char path[768], buffer[4096];
  size_t got;
  snprintf(path, sizeof path, "%s/log", directory);
  FILE *file = fopen(path, "re");
  while (file && log->size < LOG_MOST && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
    wb_text_add_bytes(log, buffer, got);
  if (file) fclose(file);
}

/* The text, followed by a registration of each kernel that is asked for by an expression, which also
 * instantiates it, and by the addresses that the expressions have (nvrtc.c reads their names). */
static bool write_source(const struct job *job, const char *directory) {
  wb_text t = {0};
  wb_text_add(&t, "%s", job->source);
  for (int i = 0; i < job->expressions; i++)
    wb_text_add(&t,
                "\n#line 1 \"name expression\"\n"
                "static const ::cucc::kernel_registration<%s> cucc_named_%d(CUCC_NAME(%s), __FILE__, 1); "
                "CUCC_REGISTERED(cucc_named_%d)",
                job->expression[i], i, job->expression[i], i);
  if (job->expressions) wb_text_add(&t, "\nextern \"C\" const void *const cucc_named[] = {");
  for (int i = 0; i < job->expressions; i++) wb_text_add(&t, "(const void *)(%s), ", job->expression[i]);
  if (job->expressions) wb_text_add(&t, "0};");
  const bool good = write_text(directory, "module.cu", wb_text_get(&t));
  wb_text_free(&t);
  return good;
}

/* What cucc.d/module reads: see there. The learner's own text is there once more, as it is, for a look. */
static bool write_files(const struct job *job, const struct settings *settings, bool confined,
                        const char *directory) {
  wb_text arguments = {0};
  const char *tools = folder_of("CUCC_TOOLS", BUILT_TOOLS);
  wb_text_add_bytes(&arguments, "--build", sizeof "--build");
  wb_text_add_bytes(&arguments, tools, strlen(tools) + 1);
  if (!strcmp(cucc_kind(), "fast")) wb_text_add_bytes(&arguments, "--fast", sizeof "--fast");
  wb_text_add(&arguments, "--source-name");
  wb_text_add_bytes(&arguments, "", 1);
  wb_text_add(&arguments, "%s", job->name);
  wb_text_add_bytes(&arguments, "", 1);
  for (char *c = arguments.data + arguments.size - strlen(job->name) - 1; *c; c++)
    if (strchr("\"\\\n\r", *c)) *c = '_'; /* it becomes part of a line marker */
  wb_text_add(&arguments, "-DCUCC_ARCH=%d", 10 * settings->architecture); /* the value of __CUDA_ARCH__ */
  wb_text_add_bytes(&arguments, "", 1);
  if (settings->arguments.size)
    wb_text_add_bytes(&arguments, settings->arguments.data, settings->arguments.size);
  if (!confined && settings->folders.size)
    wb_text_add_bytes(&arguments, settings->folders.data, settings->folders.size);
  bool good = write_bytes(directory, "arguments", arguments.data, arguments.size) &&
              write_text(directory, "source", job->source) && write_source(job, directory) &&
              write_text(directory, "options.h", wb_text_get(&settings->macros));
  wb_text_free(&arguments);
  wb_text expressions = {0};
  for (int i = 0; i < job->expressions; i++) wb_text_add(&expressions, "%s\n", job->expression[i]);
  good = good && write_text(directory, "expressions", wb_text_get(&expressions));
  wb_text_free(&expressions);
  char name[256];
  for (int i = 0; good && i < job->headers; i++) {
    snprintf(name, sizeof name, "headers/%s", job->header_name[i]);
    good = write_text(directory, name, job->header_text[i]);
  }
  return good;
}

/* ------------------------------------------------------------------------------------------- compiling */

static void limit(int what, rlim_t value) { setrlimit(what, &(struct rlimit){value, value}); }

static void run_child(const char *directory, const struct cucc_compile_limits *limits) {
  setpgid(0, 0);
  if (limits) {
    limit(RLIMIT_CPU, (rlim_t)limits->seconds);
    limit(RLIMIT_AS, (rlim_t)2 << 30);
    limit(RLIMIT_FSIZE, (rlim_t)32 << 20);
    limit(RLIMIT_CORE, 0);
    for (int fd = 3; fd < 1024; fd++) close(fd);
  }
  const int nowhere = open("/dev/null", O_RDONLY);
  char script[4096];
  if (snprintf(script, sizeof script, "%s/cucc.d/module", folder_of("CUCC_HOME", BUILT_HOME)) >=
          (int)sizeof script ||
      chdir(directory))
    _exit(127);
  const int log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(nowhere, 0);
  dup2(log, 1);
  dup2(log, 2);
  setenv("CUCC_CXX", CUCC_COMPILER, 1);
  setenv("TMPDIR", directory, 1);
  execl("/bin/bash", "bash", script, limits && limits->look ? limits->look : "", (char *)NULL);
  _exit(127);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for the child; -1: it passed the limit of time, or this process was interrupted. A busy machine may
 * need several times the time of the processor. */
static int wait_child(pid_t child, const struct cucc_compile_limits *limits) {
  const double end = now() + (limits ? 5.0 * limits->seconds : 1e9);
  int status = -1;
  if (!limits) {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return status;
  }
  for (;;) {
    const pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) break;
    if (now() > end || nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL)) {
      kill(-child, SIGKILL);
      waitpid(child, NULL, 0);
      return -1;
    }
  }
  kill(-child, SIGKILL); /* what it may have left */
  return status;
}

/* The statuses of cucc.d/module, or a limit that was passed. */
static nvrtcResult run_compiler(const char *directory, const struct cucc_compile_limits *limits,
                                wb_text *log) {
  const pid_t child = fork();
  if (child == 0) run_child(directory, limits);
  if (child < 0) return NVRTC_ERROR_INTERNAL_ERROR;
  setpgid(child, child);
  const int status = wait_child(child, limits);
  read_log(directory, log);
  const int code = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 0) return NVRTC_SUCCESS;
  if (code == 1) return NVRTC_ERROR_COMPILATION;
  if (code == 2) return NVRTC_ERROR_INVALID_OPTION;
  if (code < 0 || code >= 124) {
    wb_text_add(log, "nvrtc: error: the compilation was stopped: it took too much time or memory");
    if (limits) wb_text_add(log, ", more than %d seconds of the processor or 2 GiB", limits->seconds);
    wb_text_add(log, "\n");
    return NVRTC_ERROR_COMPILATION;
  }
  return NVRTC_ERROR_INTERNAL_ERROR;
}

static nvrtcResult compile(const struct job *job, const struct settings *settings,
                           const struct cucc_compile_limits *limits, struct answer *answer) {
  char directory[300], module[320];
  for (int i = 0; i < job->headers; i++) {
    if (is_inside(job->header_name[i])) continue;
    wb_text_add(&answer->log, "nvrtc: error: a header may not be called \"%.200s\" here\n",
                job->header_name[i]);
    return NVRTC_ERROR_COMPILATION;
  }
  if (!new_folder(directory, sizeof directory, module, sizeof module)) return NVRTC_ERROR_INTERNAL_ERROR;
  nvrtcResult result = NVRTC_ERROR_INTERNAL_ERROR;
  if (write_files(job, settings, limits != NULL, directory))
    result = run_compiler(directory, limits, &answer->log);
  if (result == NVRTC_SUCCESS) {
    char made[320];
    snprintf(made, sizeof made, "%s/module.so", directory);
    if (rename(made, module)) result = NVRTC_ERROR_INTERNAL_ERROR;
    snprintf(answer->module, sizeof answer->module, "%s", module);
  }
  remove_all(directory);
  return result;
}

void compile_here(struct request request, const struct cucc_compile_limits *limits, struct answer *answer) {
  struct job job = {0};
  struct settings settings = {0};
  *answer = (struct answer){.result = NVRTC_ERROR_INVALID_INPUT};
  if (read_request(request, &job)) {
    if (read_options(&job, &settings)) {
      if (request.bytes <= TEXT_MOST)
        wb_text_add(&answer->text, "%s%s", wb_text_get(&settings.macros), job.source);
      answer->result = compile(&job, &settings, limits, answer);
    } else {
      answer->result = NVRTC_ERROR_INVALID_OPTION;
      wb_text_add(&answer->log, "%s", wb_text_get(&settings.error));
    }
    answer->architecture = settings.architecture;
    answer->is_virtual = settings.is_virtual;
  }
  wb_text_free(&settings.macros);
  wb_text_free(&settings.arguments);
  wb_text_free(&settings.folders);
  wb_text_free(&settings.error);
  free_job(&job);
}

void answer_free(struct answer *answer) {
  wb_text_free(&answer->log);
  wb_text_free(&answer->text);
}

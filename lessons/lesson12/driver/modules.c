/* modules.c: see modules.h. */
#include "modules.h"
#include "causes.h"
#include "jit.h"
#include "texts.h"
#include "watched.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory for a text, with bytes after it that must stay as they are. */
#define AFTER      64
#define AFTER_BYTE 0x5A

static char *room_for(size_t size) {
  char *room = malloc(size + AFTER);
  if (!room) abort();
  memset(room, AFTER_BYTE, size + AFTER);
  return room;
}

/* How many bytes after the room were written. */
static uint32_t written_after(const char *room, size_t size) {
  uint32_t count = 0;
  for (size_t i = 0; i < AFTER; i++) count += room[size + i] != AFTER_BYTE;
  return count;
}

/* Whether a text of at most size - 1 characters is the beginning of another one, as long as that allows. */
static uint32_t is_beginning(const char *text, size_t size, const char *all) {
  const size_t length = strlen(all) < size - 1 ? strlen(all) : size - 1;
  return memchr(text, 0, size) && strlen(text) == length && strncmp(text, all, length) == 0;
}

/* Launches a module's kernel, waits for it, and unloads the module. */
static int run_module(CUmodule module, const float *d_x, float *d_y, size_t n) {
  const watched before = watched_now();
  int status = (int)launch_map(module, d_x, d_y, n);
  if (!status && n > 0) judge_stream(before);
  wb_own_calls(1);
  const int waited = (int)cudaDeviceSynchronize();
  cuModuleUnload(module);
  wb_own_calls(0);
  return status ? status : waited;
}

/* ---- Task 1: a text, compiled and launched ---- */

enum { N, KIND };                   /* sizes */
enum { TEXT_X, TEXT_Y, TEXT_SEEN }; /* arrays */
#define LOG_SIZE       (1 << 16)
#define AMPLE_ROOM     (1 << 24) /* more than follows any text in memory: a copy of as many characters crashes */
#define SHORT_LOG_SIZE 24
#define SAME_POINTS    1021

static text_kind kind_of(const wb_case *c) { return (text_kind)(c->size.n[KIND] % TEXT_KINDS); }
static int is_refused(text_kind kind) {
  return kind == TEXT_BROKEN || kind == TEXT_MANY || kind == TEXT_BAD_OPTION;
}
size_t count_text_n(const wb_case *c) { return is_refused(kind_of(c)) ? 0 : c->size.n[N]; }
int text_must_fail(const wb_case *c) { return kind_of(c) == TEXT_NO_KERNEL; }
size_t count_text_seen(const wb_case *c) { return text_must_fail(c) ? 0 : SEEN_TEXT; }

/* Compiles with room for log_size characters, and looks at what came. */
static int compile(const char *text, const char *const *options, int count, size_t log_size, char **log,
                   uint32_t *seen, CUmodule *module) {
  *log = room_for(log_size);
  memset(module, AFTER_BYTE, sizeof *module);
  if (log_size == AMPLE_ROOM)
    wb_if_it_dies("log_size was larger than NVRTC's log: copy no more characters than that has");
  const watched before = watched_now();
  const int status = (int)compile_module(text, options, count, module, *log, log_size);
  wb_if_it_dies(NULL);
  judge_options(before, options, count);
  seen[SEEN_LOG_END] = memchr(*log, 0, log_size) != NULL;
  if (status && !seen[SEEN_LOG_END])
    wb_complain("left no 0 in the log: it gets NVRTC's log in each case, or is \"\"");
  seen[SEEN_AFTER_LOG] += written_after(*log, log_size);
  (*log)[log_size - 1] = 0;
  return status;
}

/* The factor; always the same at one small size, as for write_polynomial below. */
static double factor_of(const wb_case *c) { return c->size.n[N] == SAME_POINTS ? 1.375 : c->param[0]; }

/* The options that TEXT_OPTIONS needs come last, after many that change nothing. One has blanks. */
#define HARMLESS    40
#define WITH_BLANKS 7
typedef struct all_options {
  char harmless[HARMLESS][24], factor[64], architecture[64];
  const char *list[HARMLESS + 2];
} all_options;

static void write_all_options(all_options *o, double factor, int major, int minor) {
  for (int k = 0; k < HARMLESS; k++) {
    snprintf(o->harmless[k], sizeof o->harmless[k],
             k == WITH_BLANKS ? "-DHARMLESS_%d=%d + 1" : "-DHARMLESS_%d=%d", k, k);
    o->list[k] = o->harmless[k];
  }
  snprintf(o->factor, sizeof o->factor, "-DFACTOR=%af", factor);
  snprintf(o->architecture, sizeof o->architecture, "-DARCHITECTURE=%d", 100 * major + 10 * minor);
  o->list[HARMLESS] = o->factor;
  o->list[HARMLESS + 1] = o->architecture;
}

static int text_on_current(const wb_case *c) {
  static char text[TEXT_SIZE];
  static all_options all;
  const text_kind kind = kind_of(c);
  uint32_t seen[SEEN_TEXT] = {0};
  char words[48], *log, *short_log;
  int device, major, minor;
  CUmodule module, second;
  write_text(kind, factor_of(c), text);
  words_of_log(kind, factor_of(c), words);
  wb_own_calls(1);
  cudaError_t known = cudaGetDevice(&device);
  if (!known) known = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (!known) known = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  wb_own_calls(0);
  if (known) return (int)known;
  write_all_options(&all, factor_of(c), major, minor);
  const char *const bad[] = {"--no-such-option"};
  const char *const *options = kind == TEXT_BAD_OPTION ? bad : all.list;
  const int count = kind == TEXT_OPTIONS ? HARMLESS + 2 : kind == TEXT_BAD_OPTION;

  const int status =
      compile(text, options, count, kind == TEXT_WARNING ? AMPLE_ROOM : LOG_SIZE, &log, seen, &module);
  if (status && !is_refused(kind)) {
    printf("%s", log);
    free(log);
    return status;
  }
  seen[SEEN_STATUS] = (uint32_t)status;
  seen[SEEN_NO_MODULE] = module == NULL;
  seen[SEEN_WORDS] = strstr(log, words) != NULL;
  seen[SEEN_DECOY] = strstr(log, DECOY) != NULL;
  seen[SEEN_SHORT_LOG] = 1;
  if (kind == TEXT_BROKEN || kind == TEXT_MANY) {
    const size_t size = kind == TEXT_BROKEN ? SHORT_LOG_SIZE : 1;
    compile(text, options, count, size, &short_log, seen, &second);
    seen[SEEN_SHORT_LOG] = is_beginning(short_log, size, log);
    free(short_log);
  }
  free(log);
  memcpy(wb_u32(c, TEXT_SEEN), seen, count_text_seen(c) * sizeof *seen);
  return is_refused(kind) || !module ? 0
                                     : run_module(module, c->array[TEXT_X], c->array[TEXT_Y], c->size.n[N]);
}

/* For n = 0 the second device is the current one, if there are two: the arrays are on the first. */
int call_text(const wb_case *c) {
  int devices = 1;
  wb_own_calls(1);
  if (c->size.n[N] == 0) cudaGetDeviceCount(&devices);
  wb_own_calls(0);
  if (devices < 2) return text_on_current(c);
  cudaSetDevice(1);
  const int status = text_on_current(c);
  cudaSetDevice(0);
  return status;
}

wb_expected expect_text(const wb_case *c, int array, size_t i) {
  const text_kind kind = kind_of(c);
  if (array == TEXT_Y) {
    const double product = factor_of(c) * wb_f32(c, TEXT_X)[i]; /* exact in double */
    return (wb_expected){.value = (float)product, .tolerance = 0};
  }
  const double value[SEEN_TEXT] = {
      [SEEN_STATUS] = is_refused(kind) ? cudaErrorInvalidSource : cudaSuccess,
      [SEEN_NO_MODULE] = is_refused(kind),
      [SEEN_WORDS] = kind == TEXT_BROKEN || kind == TEXT_MANY || kind == TEXT_WARNING,
      [SEEN_LOG_END] = 1,
      [SEEN_SHORT_LOG] = 1,
  };
  return (wb_expected){.value = value[i], .tolerance = 0};
}

const char *cause_text(const wb_case *c, int array, size_t i, double got) {
  if (array == TEXT_Y) return cause_of_factor(kind_of(c), got);
  return cause_of_text(kind_of(c), i, got);
}

/* ---- Task 2: a polynomial ---- */

enum { DEGREE, POINTS };
enum { C, POLY_X, POLY_Y, POLY_SEEN };
#define SPARSE_DEGREE 127
#define FIRST_SHOWN   33 /* points for the first of these constants, one more for each of the others */
static const float shown[] = {-0.0f, -INFINITY, INFINITY, -0x1p-149f, 0x1.8p-130f, 0x1.fffffep127f};

size_t count_coefficients(const wb_case *c) { return c->size.n[DEGREE] + 1; }
size_t count_points(const wb_case *c) { return c->size.n[POINTS]; }
size_t count_poly_seen(const wb_case *c) { return (void)c, SEEN_POLY; }

/* The timed kernel is compiled once: its coefficients are always the same. So are those of one small size: a
 * call with a text that the CPU backend has compiled before keeps none of the host's memory. Between 1000 and
 * 1024 floats are nearer to each other than numbers of eight digits. With few points the constant of
 * degree 0 is one that y shows as it is: -0, an infinity, denormal, the largest number. Where every other coefficient is 0, so is every fifth x: fmaf(y, x, 0) is 0
 * where the product is -0. */
int shape_coefficients(const wb_case *c, int array, void *values) {
  float *coefficient = values;
  const size_t n = c->size.n[POINTS];
  const int eight = c->size.n[DEGREE] == EIGHT_DIGITS;
  if (c->size.n[DEGREE] == SPARSE_DEGREE) {
    for (size_t k = 0; array == C && k < count_coefficients(c); k += 2) coefficient[k] = 0;
    if (array == C) coefficient[c->size.n[DEGREE]] = 0; /* and at one x it meets an infinity */
    if (array == POLY_X && n > 3) coefficient[3] = INFINITY;
    for (size_t i = 0; array == POLY_X && i < n; i += 5) coefficient[i] = copysignf(0, coefficient[i]);
    return 1;
  }
  if (array == C && c->size.n[DEGREE] == 0 && n - FIRST_SHOWN < WB_COUNT(shown))
    return coefficient[0] = shown[n - FIRST_SHOWN], 1;
  if (array != C || (n != TIMED_POINTS && n != SAME_POINTS && !eight)) return 0;
  for (size_t k = 0; k < count_coefficients(c); k++)
    coefficient[k] = eight ? copysignf(nextafterf(1000 + 8 * fabsf(coefficient[k]), 0), coefficient[k])
                           : (k & 2 ? -1.0f : 1.0f) / (float)(k + 1);
  return 1;
}

/* Writes the text with this much room, and looks at what came. */
static void write_with_room(const wb_case *c, size_t size, const char *text, uint32_t wrong, uint32_t *seen) {
  char *room = room_for(size);
  if (size == AMPLE_ROOM)
    wb_if_it_dies("size was larger than the text: copy no more characters than that has");
  const size_t length = write_polynomial(wb_f32(c, C), (int)c->size.n[DEGREE], room, size);
  wb_if_it_dies(NULL);
  seen[SEEN_LENGTHS] &= length == strlen(text);
  if (seen[SEEN_SHORT_TEXT] == 1 && !is_beginning(room, size, text)) seen[SEEN_SHORT_TEXT] = wrong;
  seen[SEEN_AFTER_TEXT] += written_after(room, size);
  free(room);
}

/* The learner's text, compiled by the learner's compile_module. */
static int polynomial_module(const wb_case *c, uint32_t *seen, CUmodule *module) {
  const float *h_c = wb_f32(c, C);
  const int degree = (int)c->size.n[DEGREE];
  const size_t length = write_polynomial(h_c, degree, NULL, 0);
  if (length > (64u << 20)) return cudaErrorInvalidValue;
  char *text = room_for(length + 1), *log = room_for(LOG_SIZE);
  seen[SEEN_LENGTHS] = write_polynomial(h_c, degree, text, length + 1) == length;
  seen[SEEN_END] = memchr(text, 0, length + 1) != NULL;
  seen[SEEN_AFTER_TEXT] = written_after(text, length + 1);
  text[length] = 0;
  seen[SEEN_LENGTH] = strlen(text) == length;
  seen[SEEN_SHORT_TEXT] = 1;
  const size_t rooms[] = {1, 20, length - 1, length, degree == 1 ? AMPLE_ROOM : length + 2};
  for (size_t k = 0; seen[SEEN_LENGTH] && length > 1 && k < WB_COUNT(rooms); k++)
    write_with_room(c, rooms[k], text, (uint32_t)(WRONG_IN_ROOM_FOR_1 + k), seen);
  const int status = (int)compile_module(text, NULL, 0, module, log, LOG_SIZE);
  log[LOG_SIZE - 1] = 0;
  if (status) printf("%s", log);
  free(text);
  free(log);
  return status;
}

int call_polynomial(const wb_case *c) {
  static CUmodule kept;
  CUmodule module = NULL;
  uint32_t *seen = wb_u32(c, POLY_SEEN);
  const size_t n = c->size.n[POINTS];
  const int is_timed = n == TIMED_POINTS;
  if (is_timed && kept) {
    memset(seen, 0, SEEN_POLY * sizeof *seen);
    seen[SEEN_LENGTHS] = seen[SEEN_LENGTH] = seen[SEEN_END] = seen[SEEN_SHORT_TEXT] = 1;
    return (int)launch_map(kept, c->array[POLY_X], c->array[POLY_Y], n);
  }
  const int status = polynomial_module(c, seen, &module);
  if (status || !module) return status;
  if (!is_timed) return run_module(module, c->array[POLY_X], c->array[POLY_Y], n);
  kept = module;
  return (int)launch_map(kept, c->array[POLY_X], c->array[POLY_Y], n);
}

static float horner(const float *c, size_t degree, float x) {
  float y = c[degree];
  for (size_t k = degree; k-- > 0;) y = fmaf(y, x, c[k]);
  return y;
}

wb_expected expect_polynomial(const wb_case *c, int array, size_t i) {
  if (array == POLY_SEEN) return (wb_expected){.value = i != SEEN_AFTER_TEXT, .tolerance = 0};
  return (wb_expected){.value = horner(wb_f32(c, C), c->size.n[DEGREE], wb_f32(c, POLY_X)[i]),
                       .tolerance = 0,
                       .zero_has_sign = 1};
}

const char *cause_polynomial(const wb_case *c, int array, size_t i, double got) {
  if (array == POLY_SEEN) return cause_of_length(i, got);
  return cause_of_value(wb_f32(c, C), c->size.n[DEGREE], wb_f32(c, POLY_X)[i], (float)got);
}

double flops_polynomial(const wb_case *c) {
  return 2.0 * (double)c->size.n[DEGREE] * (double)c->size.n[POINTS];
}
double bytes_polynomial(const wb_case *c) { return 8.0 * (double)c->size.n[POINTS]; }

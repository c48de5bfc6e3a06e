/*
 * lesson12, nvrtc: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; jit.h says what you write in jit.cu.
 */
#include "jit.h"
#include "wb.h"
#include "baselines.h"
#include "causes.h"
#include "ptx.h"
#include "texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_one(const wb_case *c) { return (void)c, 1; }
static size_t count_n(const wb_case *c) { return c->size.n[0]; }

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
  int status = (int)launch_map(module, d_x, d_y, n);
  const int waited = (int)cudaDeviceSynchronize();
  cuModuleUnload(module);
  return status ? status : waited;
}

/* ---- Task 1: a text, compiled and launched ---- */

enum { N, KIND };                   /* sizes */
enum { TEXT_X, TEXT_Y, TEXT_SEEN }; /* arrays */
#define LOG_SIZE       (1 << 16)
#define SHORT_LOG_SIZE 24
#define SAME_POINTS    1021

static text_kind kind_of(const wb_case *c) { return (text_kind)(c->size.n[KIND] % TEXT_KINDS); }
static int is_refused(text_kind kind) {
  return kind == TEXT_BROKEN || kind == TEXT_MANY || kind == TEXT_BAD_OPTION;
}
static size_t count_text_n(const wb_case *c) { return is_refused(kind_of(c)) ? 0 : c->size.n[N]; }
static int text_must_fail(const wb_case *c) { return kind_of(c) == TEXT_NO_KERNEL; }
static size_t count_text_seen(const wb_case *c) { return text_must_fail(c) ? 0 : SEEN_TEXT; }

/* Compiles with room for log_size characters, and looks at what came. The module is unloaded, unless `keep`. */
static int compile(const char *text, const char *const *options, int count, size_t log_size, char **log,
                   uint32_t *seen, CUmodule *module) {
  *log = room_for(log_size);
  memset(module, AFTER_BYTE, sizeof *module);
  const int status = (int)compile_module(text, options, count, module, *log, log_size);
  seen[SEEN_LOG_END] = memchr(*log, 0, log_size) != NULL;
  seen[SEEN_AFTER_LOG] += written_after(*log, log_size);
  (*log)[log_size - 1] = 0;
  return status;
}

/* The factor; always the same at one small size, as for write_polynomial below. */
static double factor_of(const wb_case *c) { return c->size.n[N] == SAME_POINTS ? 1.375 : c->param[0]; }

static int call_text(const wb_case *c) {
  static char text[TEXT_SIZE];
  const text_kind kind = kind_of(c);
  uint32_t seen[SEEN_TEXT] = {0};
  char factor[64], architecture[64], name[48], *log, *short_log;
  int device, major, minor;
  CUmodule module, second;
  write_text(kind, factor_of(c), text);
  undeclared_name(factor_of(c), name);
  if (cudaGetDevice(&device) || cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device))
    return (int)cudaGetLastError();
  snprintf(factor, sizeof factor, "-DFACTOR=%af", factor_of(c));
  snprintf(architecture, sizeof architecture, "-DARCHITECTURE=%d", 100 * major + 10 * minor);
  const char *const both[] = {factor, architecture}, *const bad[] = {"--no-such-option"};
  const char *const *options = kind == TEXT_BAD_OPTION ? bad : both;
  const int count = kind == TEXT_OPTIONS ? 2 : kind == TEXT_BAD_OPTION;

  const int status = compile(text, options, count, LOG_SIZE, &log, seen, &module);
  if (status && !is_refused(kind)) {
    printf("%s", log);
    free(log);
    return status;
  }
  seen[SEEN_STATUS] = (uint32_t)status;
  seen[SEEN_NO_MODULE] = module == NULL;
  seen[SEEN_NAME] = strstr(log, name) != NULL;
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

static wb_expected expect_text(const wb_case *c, int array, size_t i) {
  const text_kind kind = kind_of(c);
  if (array == TEXT_Y) {
    const double product = factor_of(c) * wb_f32(c, TEXT_X)[i]; /* exact in double */
    return (wb_expected){.value = (float)product, .tolerance = 0};
  }
  const double value[SEEN_TEXT] = {
      [SEEN_STATUS] = is_refused(kind) ? cudaErrorInvalidSource : cudaSuccess,
      [SEEN_NO_MODULE] = is_refused(kind),
      [SEEN_NAME] = kind == TEXT_BROKEN || kind == TEXT_MANY,
      [SEEN_LOG_END] = 1,
      [SEEN_SHORT_LOG] = 1,
  };
  return (wb_expected){.value = value[i], .tolerance = 0};
}

static const char *cause_text(const wb_case *c, int array, size_t i, double got) {
  if (array == TEXT_Y) return cause_of_factor(kind_of(c), got);
  return cause_of_text(kind_of(c), i, got);
}

/* ---- Task 2: a polynomial ---- */

enum { DEGREE, POINTS };
enum { C, POLY_X, POLY_Y, POLY_SEEN };
#define SHORT_TEXT_SIZE 20
#define TIMED_POINTS    (1 << 24)
#define TIMED_DEGREE    64
#define EIGHT_DIGITS    9 /* a degree whose coefficients have more than eight */

static size_t count_coefficients(const wb_case *c) { return c->size.n[DEGREE] + 1; }
static size_t count_points(const wb_case *c) { return c->size.n[POINTS]; }
static size_t count_poly_seen(const wb_case *c) { return (void)c, SEEN_POLY; }

/* The timed kernel is compiled once: its coefficients are always the same. So are those of one small size: a
 * call with a text that the CPU backend has compiled before keeps none of the host's memory. Between 1000 and
 * 1024 floats are nearer to each other than numbers of eight digits. */
static int shape_coefficients(const wb_case *c, int array, void *values) {
  float *coefficient = values;
  const size_t n = c->size.n[POINTS];
  const int eight = c->size.n[DEGREE] == EIGHT_DIGITS;
  if (array != C || (n != TIMED_POINTS && n != SAME_POINTS && !eight)) return 0;
  for (size_t k = 0; k < count_coefficients(c); k++)
    coefficient[k] = eight ? copysignf(1000 + 8 * fabsf(coefficient[k]), coefficient[k])
                           : (k & 2 ? -1.0f : 1.0f) / (float)(k + 1);
  return 1;
}

/* The learner's text, compiled by the learner's compile_module. */
static int polynomial_module(const wb_case *c, uint32_t *seen, CUmodule *module) {
  const float *h_c = wb_f32(c, C);
  const int degree = (int)c->size.n[DEGREE];
  const size_t length = write_polynomial(h_c, degree, NULL, 0);
  if (length > (64u << 20)) return cudaErrorInvalidValue;
  char *text = room_for(length + 1), *short_text = room_for(SHORT_TEXT_SIZE), *no_text = room_for(1),
       *log = room_for(LOG_SIZE);
  const size_t again = write_polynomial(h_c, degree, text, length + 1);
  const size_t third = write_polynomial(h_c, degree, short_text, SHORT_TEXT_SIZE);
  const size_t fourth = write_polynomial(h_c, degree, no_text, 1);
  seen[SEEN_LENGTHS] = again == length && third == length && fourth == length;
  seen[SEEN_END] = memchr(text, 0, length + 1) != NULL;
  text[length] = 0;
  seen[SEEN_LENGTH] = strlen(text) == length;
  seen[SEEN_SHORT_TEXT] = is_beginning(short_text, SHORT_TEXT_SIZE, text) && is_beginning(no_text, 1, text);
  seen[SEEN_AFTER_TEXT] = written_after(text, length + 1) + written_after(short_text, SHORT_TEXT_SIZE) +
                          written_after(no_text, 1);
  const int status = (int)compile_module(text, NULL, 0, module, log, LOG_SIZE);
  log[LOG_SIZE - 1] = 0;
  if (status) printf("%s", log);
  free(text);
  free(short_text);
  free(no_text);
  free(log);
  return status;
}

static int call_polynomial(const wb_case *c) {
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

static wb_expected expect_polynomial(const wb_case *c, int array, size_t i) {
  if (array == POLY_SEEN) return (wb_expected){.value = i != SEEN_AFTER_TEXT, .tolerance = 0};
  return (wb_expected){.value = horner(wb_f32(c, C), c->size.n[DEGREE], wb_f32(c, POLY_X)[i]),
                       .tolerance = 0};
}

static const char *cause_polynomial(const wb_case *c, int array, size_t i, double got) {
  if (array == POLY_SEEN) return cause_of_length(i);
  return cause_of_value(wb_f32(c, C), c->size.n[DEGREE], wb_f32(c, POLY_X)[i], (float)got);
}

static double flops_polynomial(const wb_case *c) {
  return 2.0 * (double)c->size.n[DEGREE] * (double)c->size.n[POINTS];
}
static double bytes_polynomial(const wb_case *c) { return 8.0 * (double)c->size.n[POINTS]; }

/* ---- Task 3: a cache ---- */

enum { REQUESTS, SOURCES };
enum { WANTED, KERNELS, BUILDS, STATUSES };
#define TIMED_REQUESTS 1000

/* Request number i, by the random bits of the array. */
static request request_of(const wb_case *c, size_t i) {
  uint64_t bits = (wb_u32(c, WANTED)[i] + (uint64_t)i) * 0x9E3779B97F4A7C15u;
  bits ^= bits >> 29;
  bits *= 0xBF58476D1CE4E5B9u;
  bits >>= 20;
  const unsigned sources = (unsigned)c->size.n[SOURCES];
  if (c->size.n[REQUESTS] == TIMED_REQUESTS) return (request){.source = 20 + bits % sources};
  return (request){.source = (unsigned)(bits % sources),
                   .options = (unsigned)(bits >> 16) % OPTIONS,
                   .device = (unsigned)(bits >> 24) % DEVICES,
                   .cache = (unsigned)(bits >> 32) % CACHES};
}

/* What the caches ask of the harness: kernels are numbers, in the order in which they are made. */
static struct {
  request now;
  uint32_t builds, made;
} building;

/* After an error it leaves *kernel as it was. */
static cudaError_t build(const char *source, const char *options, int device, CUfunction *kernel) {
  static char text[SOURCE_SIZE];
  write_source(building.now.source, text, sizeof text);
  building.builds++;
  if (!source || !options || strcmp(source, text) || strcmp(options, options_text(building.now.options)) ||
      device != (int)building.now.device)
    return cudaErrorInvalidValue;
  if (building.now.source == BROKEN_SOURCE) return cudaErrorInvalidSource;
  *kernel = (CUfunction)(uintptr_t)(16 * ++building.made);
  return cudaSuccess;
}

/* The texts of a request are in memory that is overwritten afterwards. */
static cudaError_t ask(struct kernel_cache **caches, request r, CUfunction *kernel) {
  static char text[SOURCE_SIZE], options[32];
  building.now = r;
  write_source(r.source, text, sizeof text);
  snprintf(options, sizeof options, "%s", options_text(r.options));
  memset(kernel, AFTER_BYTE, sizeof *kernel);
  const cudaError_t status = cache_get(caches[r.cache], text, options, (int)r.device, kernel);
  memset(text, '#', sizeof text - 1);
  memset(options, '#', sizeof options - 1);
  return status;
}

static int call_cache(const wb_case *c) {
  struct kernel_cache *caches[CACHES];
  CUfunction kernel;
  int status = 0;
  memset(&building, 0, sizeof building);
  cache_destroy(NULL);
  for (int k = 0; k < CACHES; k++)
    if (!(caches[k] = cache_create(build))) return cudaErrorMemoryAllocation;
  for (size_t i = 0; i < c->size.n[REQUESTS] && !status; i++) {
    wb_u32(c, STATUSES)[i] = (uint32_t)ask(caches, request_of(c, i), &kernel);
    wb_u32(c, KERNELS)[i] = (uint32_t)((uintptr_t)kernel / 16);
    wb_u32(c, BUILDS)[i] = building.builds;
    if (c->size.n[REQUESTS] == TIMED_REQUESTS) status = launch_nothing();
  }
  for (int k = 0; k < CACHES; k++) cache_destroy(caches[k]);
  return status ? status : c->size.n[REQUESTS] == TIMED_REQUESTS ? (int)cudaDeviceSynchronize() : 0;
}

/* What all requests of a case give. */
typedef struct answer {
  uint32_t kernel, builds, status;
} answer;

static const answer *answers_of(const wb_case *c) {
  static uint32_t(*kernel_of)[OPTIONS][DEVICES][CACHES]; /* of each source; 0: none yet */
  static answer *answers;
  static uint32_t *wanted; /* of which array the answers are */
  static size_t count, sources;
  const size_t n = c->size.n[REQUESTS];
  if (answers && n == count && sources == c->size.n[SOURCES] &&
      !memcmp(wanted, wb_u32(c, WANTED), n * sizeof *wanted))
    return answers;
  count = n, sources = c->size.n[SOURCES];
  free(kernel_of), free(answers), free(wanted);
  kernel_of = calloc(MOST_SOURCES + 64, sizeof *kernel_of);
  answers = calloc(n + 1, sizeof *answers);
  wanted = malloc((n + 1) * sizeof *wanted);
  if (!kernel_of || !answers || !wanted) abort();
  memcpy(wanted, wb_u32(c, WANTED), n * sizeof *wanted);
  uint32_t builds = 0, made = 0;
  for (size_t i = 0; i < n; i++) {
    const request r = request_of(c, i);
    uint32_t *kernel = &kernel_of[r.source][r.options][r.device][r.cache];
    const int is_broken = r.source == BROKEN_SOURCE;
    if (!*kernel) builds++;
    if (!*kernel && !is_broken) *kernel = ++made;
    answers[i] = (answer){*kernel, builds, is_broken ? cudaErrorInvalidSource : 0};
  }
  return answers;
}

static wb_expected expect_cache(const wb_case *c, int array, size_t i) {
  const answer a = answers_of(c)[i];
  return (wb_expected){.value = array == KERNELS  ? a.kernel
                                : array == BUILDS ? a.builds
                                                  : a.status,
                       .tolerance = 0};
}

static const char *cause_cache(const wb_case *c, int array, size_t i, double got) {
  const answer *answers = answers_of(c), before = i ? answers[i - 1] : (answer){0};
  const asked a = {.now = request_of(c, i),
                   .is_new = answers[i].builds != before.builds,
                   .kernel = answers[i].kernel,
                   .builds = answers[i].builds,
                   .status = (int)answers[i].status};
  for (size_t j = 0; array == KERNELS && j < i && got > 0; j++)
    if (answers[j].kernel == (uint32_t)got) {
      const request other = request_of(c, j);
      return cause_of_kernel(&a, &other);
    }
  return array == KERNELS  ? cause_of_kernel(&a, NULL)
         : array == BUILDS ? cause_of_builds(&a, got)
                           : cause_of_status(&a, got);
}

static double requests(const wb_case *c) { return (double)c->size.n[REQUESTS]; }

/* ---- Task 4: break-even ---- */

enum { COUNT, COSTS };
enum { GENERIC_NS, SPECIAL_NS, CALLS };

static int call_break_even(const wb_case *c) {
  wb_f64(c, CALLS)[0] =
      (double)calls_to_break_even(wb_u32(c, GENERIC_NS), wb_u32(c, SPECIAL_NS), c->size.n[COUNT]);
  return 0;
}

/* What a first and a further call cost, in each kind of costs. */
static const struct {
  uint32_t generic, special, first, spread;
} costs[] = {
    {9000, 6000, 42000000, 2000},      /* 13999 calls */
    {9000, 6000, 42000001, 0},         /* one more */
    {6000, 9000, 42000000, 0},         /* never */
    {6000, 6000, 42000000, 0},         /* never: no gain */
    {9000, 12000, 9000, 0},            /* one call, though no call gains */
    {9000, 6000, 9001, 0},             /* two calls */
    {1000001, 1000000, 4294967295, 0}, /* more calls than fit in 32 bits times a call */
    {4000000000, 3000000000, 4200000000, 1000000},
    {9000, 6000, 6003000, 4000},
    {4000000000, 1000, 4294967295, 0}, /* the sum of what compiling costs and what a call gains passes 2^32 */
};

/* The random values become costs around those of the kind; one in nine calls was disturbed. */
static int shape_costs(const wb_case *c, int array, void *values) {
  uint32_t *ns = values;
  const size_t kind = c->size.n[COSTS] % WB_COUNT(costs), count = c->size.n[COUNT];
  const uint32_t typical = array == GENERIC_NS ? costs[kind].generic : costs[kind].special;
  if (array != GENERIC_NS && array != SPECIAL_NS) return 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t random = ns[i] * 2654435761u >> 8;
    ns[i] = typical + (costs[kind].spread ? random % (costs[kind].spread / 10 + 1) : 0);
    if (costs[kind].spread && random % 9 == 0) ns[i] += costs[kind].spread;
  }
  ns[0] = array == SPECIAL_NS ? costs[kind].first : typical > 2000000000 ? 1000 : 4 * typical;
  return 1;
}

static wb_expected expect_break_even(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  return (wb_expected){.value =
                           (double)break_even(wb_u32(c, GENERIC_NS), wb_u32(c, SPECIAL_NS), c->size.n[COUNT]),
                       .tolerance = 0};
}

static const char *cause_break_even(const wb_case *c, int array, size_t i, double got) {
  (void)array, (void)i;
  return cause_of_calls(wb_u32(c, GENERIC_NS), wb_u32(c, SPECIAL_NS), c->size.n[COUNT], got);
}

/* ---- Go further: PTX ---- */

enum { PTX, COUNTS };
enum { LENGTH_OF_PTX, NAME };

static const char *const kernel_names[] = {"map", "map_fast", "map2", "remap", "ma"};
static const char *name_of(const wb_case *c) {
  return kernel_names[c->size.n[NAME] % WB_COUNT(kernel_names)];
}
static size_t count_characters(const wb_case *c) { return (void)c, PTX_ROOM; }
static size_t count_counts(const wb_case *c) { return (void)c, PTX_COUNTS; }
static int ptx_must_fail(const wb_case *c) { return strcmp(name_of(c), "ma") == 0; }

static int shape_ptx(const wb_case *c, int array, void *values) {
  uint64_t seed = c->size.n[LENGTH_OF_PTX];
  unsigned counts[PTX_COUNTS];
  if (array != PTX) return 0;
  for (int i = 0; i < 64; i++) seed = seed * 0x100000001B3u + ((uint8_t *)values)[i];
  make_ptx(seed, name_of(c), values, counts);
  return 1;
}

static int call_read_ptx(const wb_case *c) {
  return (int)read_ptx(c->array[PTX], name_of(c), wb_u32(c, COUNTS));
}

static wb_expected expect_ptx(const wb_case *c, int array, size_t i) {
  static char text[PTX_ROOM];
  unsigned counts[PTX_COUNTS];
  (void)array;
  make_ptx(seed_of_ptx(c->array[PTX]), name_of(c), text, counts);
  return (wb_expected){.value = counts[i], .tolerance = 0};
}

/* ---- Sizes ---- */

static const wb_size text_sizes[] = {{{1, TEXT_PLAIN}},      {{1021, TEXT_OPTIONS}},  {{1, TEXT_BROKEN}},
                                     {{1, TEXT_MANY}},       {{0, TEXT_PLAIN}},       {{257, TEXT_NO_KERNEL}},
                                     {{1, TEXT_BAD_OPTION}}, {{100003, TEXT_OPTIONS}}};
static const wb_size polynomial_sizes[] = {
    {{3, 1}}, {{0, 257}}, {{1, 0}}, {{2, 1000}}, {{7, 1021}}, {{127, 33}}, {{EIGHT_DIGITS, 300}}};
static const wb_size cache_sizes[] = {{{1, 1}},    {{0, 1}},     {{5, 3}},   {{64, 2}},
                                      {{513, 12}}, {{2048, 13}}, {{48, 17}}, {{3000, 4000}}};
static const wb_size cost_sizes[] = {{{16, 0}}, {{12, 1}}, {{2, 2}},   {{4, 3}}, {{2, 4}}, {{6, 5}},
                                     {{8, 6}},  {{32, 7}}, {{100, 8}}, {{2, 1}}, {{6, 7}}, {{4, 9}}};
static const wb_size ptx_sizes[] = {{{1, 0}}, {{2, 0}}, {{3, 1}}, {{4, 2}},
                                    {{5, 3}}, {{6, 4}}, {{7, 0}}, {{8, 1}}};

/* ---- The table ---- */

static const wb_baseline loop[] = {
    {"loop", "a kernel with degree and coefficients at run time", loop_call, NULL}};
static const wb_baseline launches[] = {
    {"launches", "the same launches without a cache", launches_call, NULL}};

static const wb_task tasks[] = {
    {.name = "compile_module",
     .what = "a text, compiled for this device; launch_map launches its kernel",
     .number = 1,
     .dims = "n text",
     .arrays = {{"x", WB_IN, WB_DEVICE, WB_F32, count_text_n},
                {"y", WB_OUT, WB_DEVICE, WB_F32, count_text_n},
                {"seen", WB_OUT, WB_HOST, WB_U32, count_text_seen}},
     .sizes = text_sizes,
     .size_count = WB_COUNT(text_sizes),
     .trace = {{1003, TEXT_OPTIONS}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_text,
     .expect = expect_text,
     .cause = cause_text,
     .must_fail = text_must_fail,
     .must_fail_with = cudaErrorSymbolNotFound},
    {.name = "write_polynomial",
     .what = "the text of a polynomial with its coefficients baked in",
     .number = 2,
     .dims = "degree n",
     .arrays = {{"coefficients", WB_IN, WB_HOST, WB_F32, count_coefficients},
                {"x", WB_IN, WB_DEVICE, WB_F32, count_points},
                {"y", WB_OUT, WB_DEVICE, WB_F32, count_points},
                {"seen", WB_OUT, WB_HOST, WB_U32, count_poly_seen}},
     .sizes = polynomial_sizes,
     .size_count = WB_COUNT(polynomial_sizes),
     .timed = {{TIMED_DEGREE, TIMED_POINTS}},
     .trace = {{5, 1003}},
     .special = WB_ANY,
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_polynomial,
     .expect = expect_polynomial,
     .shape = shape_coefficients,
     .cause = cause_polynomial,
     .bytes = bytes_polynomial,
     .flops = flops_polynomial,
     .baselines = loop,
     .baseline_count = WB_COUNT(loop)},
    {.name = "cache_get",
     .what = "kernels kept by source, options and device",
     .number = 3,
     .dims = "requests sources",
     .arrays = {{"wanted", WB_IN, WB_HOST, WB_U32, count_n},
                {"kernels", WB_OUT, WB_HOST, WB_U32, count_n},
                {"builds", WB_OUT, WB_HOST, WB_U32, count_n},
                {"statuses", WB_OUT, WB_HOST, WB_U32, count_n}},
     .sizes = cache_sizes,
     .size_count = WB_COUNT(cache_sizes),
     .timed = {{TIMED_REQUESTS, 5}},
     .trace = {{600, 12}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_cache,
     .expect = expect_cache,
     .cause = cause_cache,
     .bytes = requests,
     .baselines = launches,
     .baseline_count = WB_COUNT(launches)},
    {.name = "calls_to_break_even",
     .what = "after how many calls compiling has paid",
     .number = 4,
     .dims = "count costs",
     .arrays = {{"generic_ns", WB_IN, WB_HOST, WB_U32, count_n},
                {"special_ns", WB_IN, WB_HOST, WB_U32, count_n},
                {"calls", WB_OUT, WB_HOST, WB_F64, count_one}},
     .sizes = cost_sizes,
     .size_count = WB_COUNT(cost_sizes),
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_break_even,
     .expect = expect_break_even,
     .shape = shape_costs,
     .cause = cause_break_even},
    {.name = "read_ptx",
     .what = "what a kernel's PTX contains",
     .number = 0,
     .dims = "number name",
     .arrays = {{"ptx", WB_IN, WB_HOST, WB_U8, count_characters},
                {"counts", WB_OUT, WB_HOST, WB_U32, count_counts}},
     .sizes = ptx_sizes,
     .size_count = WB_COUNT(ptx_sizes),
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_read_ptx,
     .expect = expect_ptx,
     .shape = shape_ptx,
     .must_fail = ptx_must_fail,
     .must_fail_with = cudaErrorSymbolNotFound},
};

static const wb_lesson lesson = {
    .name = "lesson12", .title = "nvrtc", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }

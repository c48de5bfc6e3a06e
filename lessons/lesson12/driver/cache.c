/* cache.c: see cache.h. */
#include "cache.h"
#include "baselines.h"
#include "base/heap.h"
#include "causes.h"
#include "jit.h"
#include "memory.h"
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS, SOURCES };
enum { WANTED, KERNELS, BUILDS, STATUSES };
#define NOT_A_KERNEL 0xBAD0

/* Request number i, by the random bits of the array. */
static request request_of(const wb_case *c, size_t i) {
  uint64_t bits = (wb_u32(c, WANTED)[i] + (uint64_t)i) * 0x9E3779B97F4A7C15u;
  bits ^= bits >> 29;
  bits *= 0xBF58476D1CE4E5B9u;
  bits >>= 20;
  if (c->size.n[REQUESTS] == GLUED_REQUESTS) return glued_request((unsigned)(i % GLUED));
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

/* What cache number `cache` calls. After an error it leaves *kernel as it was, or a value that is no kernel. */
static cudaError_t build(unsigned cache, const char *source, const char *options, int device,
                         CUfunction *kernel) {
  static char text[SOURCE_SIZE], its_options[OPTIONS_SIZE];
  write_source(building.now.source, text, sizeof text);
  write_options(building.now.options, its_options, sizeof its_options);
  building.builds++;
  if (cache != building.now.cache)
    wb_complain("called the build function of another cache: each cache keeps its own in its struct");
  if (!source || !options || strcmp(source, text) || strcmp(options, its_options) ||
      device != (int)building.now.device)
    return cudaErrorInvalidValue;
  if (building.now.source == BROKEN_SOURCE) {
    if (building.builds % 2) *kernel = (CUfunction)(uintptr_t)NOT_A_KERNEL;
    return cudaErrorInvalidSource;
  }
  *kernel = building.now.source == NULL_SOURCE ? NULL : (CUfunction)(uintptr_t)(16 * ++building.made);
  return cudaSuccess;
}

static cudaError_t build_first(const char *source, const char *options, int device, CUfunction *kernel) {
  return build(0, source, options, device, kernel);
}
static cudaError_t build_second(const char *source, const char *options, int device, CUfunction *kernel) {
  return build(1, source, options, device, kernel);
}
static cudaError_t build_idle(const char *source, const char *options, int device, CUfunction *kernel) {
  return build(CACHES, source, options, device, kernel);
}
static build_function *const builds[CACHES] = {build_first, build_second};

/* The texts of a request are in memory that is overwritten afterwards. */
static cudaError_t ask(struct kernel_cache **caches, request r, CUfunction *kernel) {
  static char text[SOURCE_SIZE], options[OPTIONS_SIZE];
  building.now = r;
  write_source(r.source, text, sizeof text);
  write_options(r.options, options, sizeof options);
  memset(kernel, NOT_WRITTEN, sizeof *kernel);
  const cudaError_t status = cache_get(caches[r.cache], text, options, (int)r.device, kernel);
  memset(text, '#', sizeof text - 1);
  memset(options, '#', sizeof options - 1);
  return status;
}

/* All caches are destroyed: what is kept for the next one was not freed. Small blocks may be malloc's. */
static void judge_kept(int64_t before) {
  char words[96];
  const int64_t kept = wb_heap_bytes() - before;
  if (kept <= (64 << 10) + 16 * (int64_t)building.made) return;
  snprintf(words, sizeof words, "kept %lld bytes when all caches were destroyed: cache_destroy frees them",
           (long long)kept);
  wb_not_as_asked(words);
}

int call_cache(const wb_case *c) {
  struct kernel_cache *caches[CACHES];
  CUfunction kernel;
  const size_t n = c->size.n[REQUESTS];
  const int64_t before = wb_heap_bytes();
  int status = 0;
  memset(&building, 0, sizeof building);
  cache_destroy(NULL);
  for (int k = 0; k < CACHES; k++)
    if (!(caches[k] = cache_create(builds[k]))) return cudaErrorMemoryAllocation;
  if (n == 1) judge_no_memory(build_idle);
  for (size_t i = 0; i < n && !status; i++) {
    if (i == n / 2 && n != TIMED_REQUESTS) cache_destroy(cache_create(build_idle)); /* changes no other one */
    wb_u32(c, STATUSES)[i] = (uint32_t)ask(caches, request_of(c, i), &kernel);
    wb_u32(c, KERNELS)[i] = (uint32_t)((uintptr_t)kernel / 16);
    wb_u32(c, BUILDS)[i] = building.builds;
    if (n == TIMED_REQUESTS) status = launch_nothing();
  }
  for (int k = 0; k < CACHES; k++) cache_destroy(caches[k]);
  judge_kept(before);
  return status ? status : n == TIMED_REQUESTS ? (int)cudaDeviceSynchronize() : 0;
}

/* Whether request number i was made before. */
static int is_repeated(const wb_case *c, size_t i) {
  const request now = request_of(c, i);
  for (size_t j = 0; j < i; j++) {
    const request r = request_of(c, j);
    if (r.source == now.source && r.options == now.options && r.device == now.device && r.cache == now.cache)
      return 1;
  }
  return 0;
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
    if (n == GLUED_REQUESTS) { /* all different, then all again */
      const uint32_t number = (uint32_t)(i % GLUED);
      answers[i] = (answer){r.source == NULL_SOURCE ? 0 : number + 1, i < GLUED ? number + 1 : GLUED, 0};
      continue;
    }
    uint32_t *kernel = &kernel_of[r.source][r.options][r.device][r.cache];
    const int is_broken = r.source == BROKEN_SOURCE;
    if (!*kernel) builds++;
    if (!*kernel && !is_broken) *kernel = ++made;
    answers[i] = (answer){*kernel, builds, is_broken ? cudaErrorInvalidSource : 0};
  }
  return answers;
}

wb_expected expect_cache(const wb_case *c, int array, size_t i) {
  const answer a = answers_of(c)[i];
  return (wb_expected){.value = array == KERNELS  ? a.kernel
                                : array == BUILDS ? a.builds
                                                  : a.status,
                       .tolerance = 0};
}

const char *cause_cache(const wb_case *c, int array, size_t i, double got) {
  const answer *answers = answers_of(c), before = i ? answers[i - 1] : (answer){0};
  const asked a = {.now = request_of(c, i),
                   .is_new = answers[i].builds != before.builds,
                   .repeated = is_repeated(c, i),
                   .kernel = answers[i].kernel,
                   .builds = answers[i].builds,
                   .status = (int)answers[i].status};
  for (size_t j = 0; array == KERNELS && j < i && got > 0; j++)
    if (answers[j].kernel == (uint32_t)got) {
      const request other = request_of(c, j);
      return cause_of_kernel(&a, &other, got);
    }
  return array == KERNELS  ? cause_of_kernel(&a, NULL, got)
         : array == BUILDS ? cause_of_builds(&a, got)
                           : cause_of_status(&a, got);
}

double requests(const wb_case *c) { return (double)c->size.n[REQUESTS]; }

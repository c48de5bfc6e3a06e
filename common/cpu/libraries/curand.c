/*
 * cuRAND's library for the host. The n-th number of a generator is a function of its seed and of n (the mixing
 * of splitmix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014), so that
 * work in a stream needs no state: the call takes its place in the sequence, the numbers come later.
 */
#include "curand.h"

#include <math.h>
#include <stdlib.h>

#include "engine/entry.h"
#include "engine/work.h"

#define MAGIC 0xc0a4du

struct curandGenerator_st {
  uint32_t magic;
  bool on_host;
  uint64_t seed, offset;
  cudaStream_t stream;
};

enum kind { BITS, UNIFORM, NORMAL, LOG_NORMAL };

struct numbers {
  struct work work;
  enum kind kind;
  bool is_double;
  uint64_t seed, first;
  double mean, deviation;
  struct extent out;
};

static bool alive(curandGenerator_t g) { return g && g->magic == MAGIC; }

static uint64_t bits(uint64_t seed, uint64_t n) {
  uint64_t z = seed * 0xd1342543de82ef95u + (n + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* In (0, 1]. */
static double uniform(uint64_t seed, uint64_t n) { return (double)((bits(seed, n) >> 11) + 1) * 0x1p-53; }

/* Box and Muller's: two numbers of a pair from two uniform ones. */
static double normal(uint64_t seed, uint64_t n) {
  const double radius = sqrt(-2 * log(uniform(seed, n & ~(uint64_t)1)));
  const double angle = 2 * M_PI * uniform(seed, n | 1);
  return radius * (n & 1 ? sin(angle) : cos(angle));
}

static double value(const struct numbers *w, uint64_t n) {
  if (w->kind == UNIFORM) return uniform(w->seed, n);
  const double x = w->mean + w->deviation * normal(w->seed, n);
  return w->kind == LOG_NORMAL ? exp(x) : x;
}

static void fill(const struct numbers *w) {
  void *out = (void *)w->out.at;
  for (int64_t i = 0; i < w->out.rows; i++) {
    const uint64_t n = w->first + (uint64_t)i;
    if (w->kind == BITS)
      ((unsigned *)out)[i] = (unsigned)(bits(w->seed, n) >> 32);
    else if (w->is_double)
      ((double *)out)[i] = value(w, n);
    else
      ((float *)out)[i] = (float)value(w, n);
  }
}

static bool run(struct work *work) {
  struct numbers *w = (struct numbers *)work;
  if (!work_writes(work, &w->out)) return false;
  fill(w);
  return true;
}

static curandStatus_t generate(curandGenerator_t g, struct numbers w, void *out, size_t n, const char *call,
                               uintptr_t site) {
  if (!alive(g)) return CURAND_STATUS_NOT_INITIALIZED;
  if (w.kind >= NORMAL && n % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const size_t size = w.is_double ? sizeof(double) : sizeof(float);
  w.work = (struct work){.size = sizeof w, .call = call, .site = site, .run = run};
  w.seed = g->seed, w.first = g->offset;
  w.out = (struct extent){"the array", out, size, (int64_t)n, 1, (int64_t)n, PART_ALL};
  g->offset += n;
  if (g->on_host)
    fill(&w);
  else if (work_queue(&w.work, g->stream, false))
    return CURAND_STATUS_LAUNCH_FAILURE;
  return CURAND_STATUS_SUCCESS;
}

#define GENERATE(NAME, KIND, T, IS_DOUBLE)                                                                   \
  curandStatus_t curandGenerate##NAME(curandGenerator_t generator, T *out, size_t n) {                       \
    return generate(generator, (struct numbers){.kind = KIND, .is_double = IS_DOUBLE}, out, n,               \
                    "curandGenerate" #NAME, CALLER);                                                         \
  }
GENERATE(, BITS, unsigned, false)
GENERATE(Uniform, UNIFORM, float, false)
GENERATE(UniformDouble, UNIFORM, double, true)

#define GENERATE_NORMAL(NAME, KIND, T, IS_DOUBLE)                                                            \
  curandStatus_t curandGenerate##NAME(curandGenerator_t generator, T *out, size_t n, T mean, T deviation) {  \
    const struct numbers w = {.kind = KIND, .is_double = IS_DOUBLE, .mean = mean, .deviation = deviation};   \
    return generate(generator, w, out, n, "curandGenerate" #NAME, CALLER);                                   \
  }
GENERATE_NORMAL(Normal, NORMAL, float, false)
GENERATE_NORMAL(NormalDouble, NORMAL, double, true)
GENERATE_NORMAL(LogNormal, LOG_NORMAL, float, false)
GENERATE_NORMAL(LogNormalDouble, LOG_NORMAL, double, true)

static curandStatus_t create(curandGenerator_t *g, curandRngType_t type, bool on_host) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (type < CURAND_RNG_PSEUDO_DEFAULT || type > CURAND_RNG_PSEUDO_PHILOX4_32_10)
    return CURAND_STATUS_TYPE_ERROR;
  if (!(*g = calloc(1, sizeof **g))) return CURAND_STATUS_ALLOCATION_FAILED;
  (*g)->magic = MAGIC;
  (*g)->on_host = on_host;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  if (cucc_enter("curandCreateGenerator")) return CURAND_STATUS_INITIALIZATION_FAILED;
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->magic = 0;
  free(generator);
  return CURAND_STATUS_SUCCESS;
}

#define CARRIES(NAME, TYPE, ACTION)                                                                          \
  curandStatus_t curand##NAME(curandGenerator_t generator, TYPE value) {                                     \
    if (!alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;                                             \
    ACTION;                                                                                                  \
    return CURAND_STATUS_SUCCESS;                                                                            \
  }
CARRIES(SetPseudoRandomGeneratorSeed, unsigned long long, generator->seed = value; generator->offset = 0)
CARRIES(SetGeneratorOffset, unsigned long long, generator->offset = value)
CARRIES(SetGeneratorOrdering, curandOrdering_t, (void)value)
CARRIES(SetStream, cudaStream_t, generator->stream = value)

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return alive(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = 10400;
  return CURAND_STATUS_SUCCESS;
}

// Right in an unusual way: plain C with a hash table by hand, the bits of each coefficient in the text, machine
// code in place of PTX, and counts that are cleared before the kernel is found.
#include "jit.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nvrtc.h>

static void put(char *log, size_t size, const char *text) { snprintf(log, size, "%s", text); }

cudaError_t compile_module(const char *source, const char *const *options, int option_count, CUmodule *module,
                           char *log, size_t log_size) {
  *module = NULL;
  *log = 0;
  int device, major, minor;
  cudaError_t e = cudaGetDevice(&device);
  if (!e) e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (!e) e = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  if (e) return e;
  char arch[64];
  sprintf(arch, "-arch=sm_%d%d", major, minor);
  const char **all = (const char **)calloc((size_t)option_count + 1, sizeof *all);
  if (!all) return cudaErrorMemoryAllocation;
  all[0] = arch;
  if (option_count > 0) memcpy(all + 1, options, (size_t)option_count * sizeof *all);
  nvrtcProgram program = NULL;
  nvrtcResult r = nvrtcCreateProgram(&program, source, "text.cu", 0, NULL, NULL);
  if (r == NVRTC_SUCCESS) {
    r = nvrtcCompileProgram(program, option_count + 1, all);
    size_t n = 0;
    if (nvrtcGetProgramLogSize(program, &n) == NVRTC_SUCCESS && n > 1) {
      char *whole = (char *)malloc(n);
      if (whole) {
        if (nvrtcGetProgramLog(program, whole) == NVRTC_SUCCESS) put(log, log_size, whole);
        free(whole);
      } else
        e = cudaErrorMemoryAllocation;
    }
  }
  free((void *)all);
  if (r != NVRTC_SUCCESS) {
    if (program) nvrtcDestroyProgram(&program);
    return r == NVRTC_ERROR_OUT_OF_MEMORY ? cudaErrorMemoryAllocation : cudaErrorInvalidSource;
  }
  size_t n = 0;
  char *image = NULL;
  if (!e && nvrtcGetCUBINSize(program, &n) != NVRTC_SUCCESS) e = cudaErrorUnknown;
  if (!e && !(image = (char *)malloc(n))) e = cudaErrorMemoryAllocation;
  if (!e && nvrtcGetCUBIN(program, image) != NVRTC_SUCCESS) e = cudaErrorUnknown;
  if (!e) e = (cudaError_t)cuModuleLoadDataEx(module, image, 0, NULL, NULL);
  free(image);
  nvrtcDestroyProgram(&program);
  if (e) *module = NULL;
  return e;
}

cudaError_t launch_map(CUmodule module, const float *d_x, float *d_y, size_t n) {
  CUfunction map;
  CUresult r = cuModuleGetFunction(&map, module, "map");
  if (r == CUDA_ERROR_NOT_FOUND) return cudaErrorSymbolNotFound;
  if (r || !n) return (cudaError_t)r;
  void *args[] = {(void *)&d_x, (void *)&d_y, (void *)&n};
  return (cudaError_t)cuLaunchKernel(map, (unsigned)((n + 127) / 128), 1, 1, 128, 1, 1, 0, 0, args, 0);
}

struct out {
  char *at;
  size_t room, length;
};
static void add(struct out *o, const char *piece) {
  for (; *piece; piece++) {
    if (o->length + 1 < o->room) o->at[o->length] = *piece;
    o->length++;
  }
}

size_t write_polynomial(const float *h_c, int degree, char *text, size_t size) {
  struct out o = {text, size, 0};
  char line[64];
  add(&o, "extern \"C\" __global__ void map(const float *x, float *y, size_t n) {\n"
          "const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;\nif (i >= n) return;\nconst float "
          "v = x[i];\n");
  unsigned bits;
  memcpy(&bits, h_c + degree, 4);
  snprintf(line, sizeof line, "float s = __uint_as_float(0x%08xu);\n", bits);
  add(&o, line);
  for (int k = degree; k-- > 0;) {
    memcpy(&bits, h_c + k, 4);
    snprintf(line, sizeof line, "s = __fmaf_rn(s, v, __uint_as_float(0x%08xu));\n", bits);
    add(&o, line);
  }
  add(&o, "y[i] = s;\n}\n");
  if (size) text[o.length < size ? o.length : size - 1] = 0;
  return o.length;
}

struct entry {
  struct entry *next;
  char *source, *options;
  int device;
  CUfunction kernel;
  uint64_t hash;
};
struct kernel_cache {
  build_function *build;
  struct entry **bucket;
  size_t buckets, entries;
};

static uint64_t fnv(uint64_t h, const char *s) {
  do h = (h ^ (unsigned char)*s) * 0x100000001b3ull;
  while (*s++);
  return h;
}

struct kernel_cache *cache_create(build_function *build) {
  struct kernel_cache *c = (struct kernel_cache *)calloc(1, sizeof *c);
  if (!c) return NULL;
  c->build = build;
  c->buckets = 64;
  c->bucket = (struct entry **)calloc(c->buckets, sizeof *c->bucket);
  if (c->bucket) return c;
  free(c);
  return NULL;
}

static void drop(struct entry *e) {
  if (!e) return;
  free(e->source);
  free(e->options);
  free(e);
}

cudaError_t cache_get(struct kernel_cache *c, const char *source, const char *options, int device,
                      CUfunction *kernel) {
  const uint64_t h = fnv(fnv(0xcbf29ce484222325ull ^ (uint64_t)device, source), options);
  *kernel = NULL;
  for (struct entry *e = c->bucket[h % c->buckets]; e; e = e->next)
    if (e->hash == h && e->device == device && !strcmp(e->source, source) && !strcmp(e->options, options)) {
      *kernel = e->kernel;
      return cudaSuccess;
    }
  struct entry *e = (struct entry *)calloc(1, sizeof *e);
  if (e) e->source = strdup(source), e->options = strdup(options);
  if (!e || !e->source || !e->options) {
    drop(e);
    return cudaErrorMemoryAllocation;
  }
  CUfunction made = NULL;
  const cudaError_t error = c->build(source, options, device, &made);
  if (error) {
    drop(e);
    return error;
  }
  e->kernel = *kernel = made;
  e->device = device;
  e->hash = h;
  e->next = c->bucket[h % c->buckets];
  c->bucket[h % c->buckets] = e;
  c->entries++;
  return cudaSuccess;
}

void cache_destroy(struct kernel_cache *c) {
  if (!c) return;
  for (size_t b = 0; b < c->buckets; b++)
    for (struct entry *e = c->bucket[b], *next; e; e = next) next = e->next, drop(e);
  free(c->bucket);
  free(c);
}

static int by_value(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}
static uint64_t middle(const uint32_t *v, size_t count) {
  uint32_t *copy = (uint32_t *)malloc((count - 1) * sizeof *copy);
  if (!copy) abort();
  memcpy(copy, v + 1, (count - 1) * sizeof *copy);
  qsort(copy, count - 1, sizeof *copy, by_value);
  const uint64_t m = copy[(count - 1) / 2];
  free(copy);
  return m;
}

uint64_t calls_to_break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count) {
  const uint64_t g = middle(generic_ns, count), s = middle(special_ns, count), first = special_ns[0];
  if (first <= g) return 1;
  if (s >= g) return 0;
  return 1 + (first - g + (g - s) - 1) / (g - s);
}

/* ---- PTX ---- */
static int part(const char *name, size_t length, const char *wanted) {
  const char *end = name + length;
  for (const char *at = name; at < end;) {
    const char *dot = at;
    while (dot < end && *dot != '.') dot++;
    if ((size_t)(dot - at) == strlen(wanted) && !strncmp(at, wanted, (size_t)(dot - at))) return 1;
    at = dot + 1;
  }
  return 0;
}
struct label {
  struct label *next;
  const char *at;
  size_t length;
};

/* True if the line from a to stop begins the kernel of this name. */
static int begins(const char *a, const char *stop, const char *kernel) {
  const size_t n = strlen(kernel);
  for (const char *at = a; at + 6 <= stop; at++) {
    if (strncmp(at, ".entry", 6) || (at > a && !strchr(" \t", at[-1]))) continue;
    for (at += 6; at < stop && strchr(" \t", *at); at++) {
    }
    const size_t left = (size_t)(stop - at);
    return left >= n && !strncmp(at, kernel, n) && (left == n || strchr(" \t(", at[n]));
  }
  return 0;
}

/* Counts the instruction from a to stop. */
static void count(const char *a, const char *stop, const struct label *labels, unsigned *counts) {
  if (*a == '@') {
    while (a < stop && !strchr(" \t", *a)) a++;
    while (a < stop && strchr(" \t", *a)) a++;
  }
  const char *name = a;
  while (a < stop && !strchr(" \t;", *a)) a++;
  const size_t n = (size_t)(a - name);
  const char *dot = (const char *)memchr(name, '.', n);
  const size_t first = dot ? (size_t)(dot - name) : n;
  counts[PTX_FMAS] += first == 3 && !strncmp(name, "fma", 3);
  counts[PTX_LOADS] += first == 2 && !strncmp(name, "ld", 2) && part(name, n, "global");
  counts[PTX_DOUBLES] += part(name, n, "f64");
  if (first != 3 || strncmp(name, "bra", 3)) return;
  while (a < stop && strchr(" \t", *a)) a++;
  const char *target = a;
  while (a < stop && !strchr(" \t;", *a)) a++;
  for (const struct label *l = labels; l; l = l->next)
    if (l->length == (size_t)(a - target) && !strncmp(l->at, target, l->length)) {
      counts[PTX_LOOPS]++;
      return;
    }
}

static void free_labels(struct label *l) {
  while (l) {
    struct label *next = l->next;
    free(l);
    l = next;
  }
}

cudaError_t read_ptx(const char *ptx, const char *kernel, unsigned counts[PTX_COUNTS]) {
  for (int k = 0; k < PTX_COUNTS; k++) counts[k] = 0;
  int inside = 0, depth = 0;
  struct label *labels = NULL;
  cudaError_t result = cudaErrorSymbolNotFound;
  for (const char *line = ptx; *line;) {
    const char *end = strchr(line, '\n');
    if (!end) end = line + strlen(line);
    const char *a = line, *stop = line;
    line = *end ? end + 1 : end;
    while (stop < end && !(stop[0] == '/' && stop + 1 < end && stop[1] == '/')) stop++;
    while (a < stop && strchr(" \t\r", *a)) a++;
    while (stop > a && strchr(" \t\r", stop[-1])) stop--;
    if (a == stop) continue;
    if (!inside) {
      inside = begins(a, stop, kernel);
      if (inside) result = cudaSuccess;
    } else if (*a == '{') {
      depth++;
    } else if (*a == '}') {
      if (--depth == 0) break;
    } else if (depth && *a != '.' && stop[-1] != ':') {
      count(a, stop, labels, counts);
    } else if (depth && *a != '.') {
      struct label *l = (struct label *)malloc(sizeof *l);
      if (!l) {
        result = cudaErrorMemoryAllocation;
        break;
      }
      *l = {labels, a, (size_t)(stop - 1 - a)};
      labels = l;
    }
  }
  free_labels(labels);
  return result;
}

/* The text has its constants in memory of the device, as their bits, and a line for each. */
#include "jit.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <nvrtc.h>
#include <string>
#include <tuple>
#include <vector>

#define THREADS 256 /* in a block */

/* NVRTC's option for machine code of the current device: --gpu-architecture=sm_90. */
static cudaError_t architecture_of_device(std::string *option) {
  int device, major, minor;
  cudaError_t error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (!error) error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  if (!error) *option = "--gpu-architecture=sm_" + std::to_string(10 * major + minor);
  return error;
}

/* Copies as much of the program's log as fits. Its size counts the 0 at the end. */
static void give_log(nvrtcProgram program, char *log, size_t log_size) {
  size_t size = 0;
  if (nvrtcGetProgramLogSize(program, &size) || size == 0) return;
  std::vector<char> all(size);
  if (nvrtcGetProgramLog(program, all.data())) return;
  snprintf(log, log_size, "%s", all.data());
}

/* Compiles; the log is there after a failure, too. Machine code of a device is called a cubin. */
static cudaError_t compile(nvrtcProgram program, const std::vector<const char *> &options,
                           std::vector<char> *cubin, char *log, size_t log_size) {
  const nvrtcResult result = nvrtcCompileProgram(program, (int)options.size(), options.data());
  give_log(program, log, log_size);
  if (result) return cudaErrorInvalidSource;
  size_t size;
  if (nvrtcGetCUBINSize(program, &size)) return cudaErrorUnknown;
  cubin->resize(size);
  return nvrtcGetCUBIN(program, cubin->data()) ? cudaErrorUnknown : cudaSuccess;
}

cudaError_t compile_module(const char *source, const char *const *options, int option_count, CUmodule *module,
                           char *log, size_t log_size) {
  *module = NULL;
  log[0] = 0;
  std::string architecture;
  const cudaError_t error = architecture_of_device(&architecture);
  if (error) return error;
  std::vector<const char *> all = {architecture.c_str()};
  all.insert(all.end(), options, options + option_count);

  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, source, "map.cu", 0, NULL, NULL)) return cudaErrorUnknown;
  std::vector<char> cubin;
  const cudaError_t compiled = compile(program, all, &cubin, log, log_size);
  nvrtcDestroyProgram(&program);
  if (compiled) return compiled;
  const CUresult loaded = cuModuleLoadData(module, cubin.data());
  if (loaded) *module = NULL;
  return (cudaError_t)loaded;
}

cudaError_t launch_map(CUmodule module, const float *d_x, float *d_y, size_t n) {
  CUfunction map;
  const CUresult found = cuModuleGetFunction(&map, module, "map");
  if (found || n == 0) return (cudaError_t)found;
  void *arguments[] = {&d_x, &d_y, &n};
  const unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
  return (cudaError_t)cuLaunchKernel(map, blocks, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL);
}

/*
 * A float as the text of an expression with the same bits. %a is exact, where %f and %g lose digits; but NaN
 * and infinity have no literal. So all are written as their bits.
 */
static std::string literal(float value) {
  uint32_t bits;
  char text[40];
  memcpy(&bits, &value, sizeof bits);
  snprintf(text, sizeof text, "0x%08xu", bits);
  return text;
}

size_t write_polynomial(const float *h_c, int degree, char *text, size_t size) {
  std::string s = "__constant__ unsigned coefficients[] = {";
  for (int k = 0; k <= degree; k++) s += literal(h_c[k]) + ",\n";
  s += "};\nextern \"C\" __global__ void map(const float *x, float *y, size_t n) {\n"
       "  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
       "  if (i >= n) return;\n"
       "  const float v = x[i];\n"
       "  float sum = __uint_as_float(coefficients[" +
       std::to_string(degree) + "]);\n";
  for (int k = degree - 1; k >= 0; k--)
    s += "  sum = fmaf(sum, v, __uint_as_float(coefficients[" + std::to_string(k) + "]));\n";
  s += "  y[i] = sum;\n}\n";
  if (size > 0) snprintf(text, size, "%s", s.c_str());
  return s.size();
}

/* A kernel is found by all that went into it. Keys that are texts own a copy of them. */
struct kernel_cache {
  build_function *build;
  std::map<std::tuple<std::string, std::string, int>, CUfunction> kernels;
};

struct kernel_cache *cache_create(build_function *build) {
  return new (std::nothrow) kernel_cache{build, {}};
}

cudaError_t cache_get(struct kernel_cache *cache, const char *source, const char *options, int device,
                      CUfunction *kernel) {
  const auto key = std::make_tuple(std::string(source), std::string(options), device);
  const auto found = cache->kernels.find(key);
  if (found != cache->kernels.end()) {
    *kernel = found->second;
    return cudaSuccess;
  }
  const cudaError_t error = cache->build(source, options, device, kernel);
  if (error) {
    *kernel = NULL;
    return error;
  }
  cache->kernels[key] = *kernel;
  return cudaSuccess;
}

void cache_destroy(struct kernel_cache *cache) { delete cache; }

/* The median of values[1 .. count - 1]. */
static uint64_t median_after_first(const uint32_t *values, size_t count) {
  std::vector<uint32_t> sorted(values + 1, values + count);
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

uint64_t calls_to_break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count) {
  const uint64_t g = median_after_first(generic_ns, count), s = median_after_first(special_ns, count);
  const uint64_t first = special_ns[0];
  if (first <= g) return 1;
  if (s >= g) return 0;
  return (first - s + (g - s) - 1) / (g - s); /* what compiling costs, by what a call gains, rounded up */
}

/* Whether one of the parts of an instruction's name, between points, is `part`. */
static bool has_part(const std::string &name, const std::string &part) {
  return ("." + name + ".").find("." + part + ".") != std::string::npos;
}

/* The line that begins at *at, without its comment and without blanks at its ends; *at moves to the next. */
static std::string next_line(const char **at) {
  const size_t length = strcspn(*at, "\n");
  std::string line(*at, length);
  *at += length + ((*at)[length] == '\n');
  line = line.substr(0, line.find("//"));
  const size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : line.substr(first, last + 1 - first);
}

/* Counts an instruction: `@%p1 bra $L__BB0_2;`. labels are those that stand before it. */
static void count_instruction(std::string line, const std::vector<std::string> &labels, unsigned *counts) {
  if (line[0] == '@') {
    line.erase(0, line.find_first_of(" \t"));
    line.erase(0, line.find_first_not_of(" \t"));
  }
  const std::string name = line.substr(0, line.find_first_of(" \t;"));
  const std::string kind = name.substr(0, name.find('.'));
  counts[PTX_FMAS] += kind == "fma";
  counts[PTX_LOADS] += kind == "ld" && has_part(name, "global");
  counts[PTX_DOUBLES] += has_part(name, "f64");
  if (kind != "bra") return;
  const size_t target = line.find('$');
  const std::string label = target == std::string::npos ? "" : line.substr(target, line.find(';') - target);
  counts[PTX_LOOPS] += std::find(labels.begin(), labels.end(), label) != labels.end();
}

cudaError_t read_ptx(const char *ptx, const char *kernel, unsigned counts[PTX_COUNTS]) {
  const std::string entry = std::string(".entry ") + kernel;
  std::vector<std::string> labels;
  bool inside = false;
  int depth = 0;
  for (const char *at = ptx; *at;) {
    const std::string line = next_line(&at);
    const size_t found = line.find(entry);
    if (!inside) {
      const char after = found == std::string::npos ? 'x' : line.c_str()[found + entry.size()];
      inside = after == '(' || after == ' ' || after == 0;
      if (inside) std::fill(counts, counts + PTX_COUNTS, 0u);
    } else if (line == "{") {
      depth++;
    } else if (line == "}") {
      if (--depth == 0) return cudaSuccess;
    } else if (depth > 0 && !line.empty() && line.back() == ':') {
      labels.push_back(line.substr(0, line.size() - 1));
    } else if (depth > 0 && !line.empty() && line[0] != '.') {
      count_instruction(line, labels, counts);
    }
  }
  return cudaErrorSymbolNotFound;
}

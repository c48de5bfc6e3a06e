/* Structures that release what they hold, a text that is built by a stream of tokens, a cache of sorted
 * entries that are searched by halves, and a launch of two dimensions. */
#include "jit.h"

#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

namespace {

struct program {
  nvrtcProgram handle = nullptr;
  explicit program(const char *text) { nvrtcCreateProgram(&handle, text, nullptr, 0, nullptr, nullptr); }
  ~program() {
    if (handle) nvrtcDestroyProgram(&handle);
  }
  void tell(char *to, size_t room) const {
    size_t length = 1;
    to[0] = '\0';
    if (nvrtcGetProgramLogSize(handle, &length) != NVRTC_SUCCESS || length <= 1) return;
    std::string log(length, '\0');
    if (nvrtcGetProgramLog(handle, &log[0]) != NVRTC_SUCCESS) return;
    const size_t fits = length - 1 < room - 1 ? length - 1 : room - 1;
    memcpy(to, log.data(), fits);
    to[fits] = '\0';
  }
};

} // namespace

cudaError_t compile_module(const char *source, const char *const *options, int option_count, CUmodule *module,
                           char *log, size_t log_size) {
  cudaDeviceProp device;
  int number = 0;
  log[0] = '\0';
  *module = nullptr;
  cudaError_t error = cudaGetDevice(&number);
  if (!error) error = cudaGetDeviceProperties(&device, number);
  if (error) return error;
  char architecture[32];
  snprintf(architecture, sizeof architecture, "-arch=sm_%d%d", device.major, device.minor);
  std::vector<const char *> all(1, architecture);
  for (int k = 0; k < option_count; ++k) all.push_back(options[k]);
  program p(source);
  if (!p.handle) return cudaErrorMemoryAllocation;
  const nvrtcResult compiled = nvrtcCompileProgram(p.handle, static_cast<int>(all.size()), &all[0]);
  p.tell(log, log_size);
  if (compiled != NVRTC_SUCCESS) return cudaErrorInvalidSource;
  size_t bytes = 0;
  if (nvrtcGetCUBINSize(p.handle, &bytes) != NVRTC_SUCCESS) return cudaErrorInvalidSource;
  std::string code(bytes, '\0');
  if (nvrtcGetCUBIN(p.handle, &code[0]) != NVRTC_SUCCESS) return cudaErrorInvalidSource;
  CUmodule loaded = nullptr;
  const CUresult result = cuModuleLoadDataEx(&loaded, code.data(), 0, nullptr, nullptr);
  if (result == CUDA_SUCCESS) *module = loaded;
  return static_cast<cudaError_t>(result);
}

cudaError_t launch_map(CUmodule module, const float *d_x, float *d_y, size_t n) {
  CUfunction kernel;
  CUresult result = cuModuleGetFunction(&kernel, module, "map");
  if (result == CUDA_SUCCESS && n != 0) {
    CUdeviceptr x = (CUdeviceptr)d_x, y = (CUdeviceptr)d_y;
    void *given[3] = {&x, &y, &n};
    result = cuLaunchKernel(kernel, static_cast<unsigned>(n / 512 + 1), 1, 1, 512, 1, 1, 0, CU_STREAM_LEGACY,
                            given, nullptr);
  }
  return static_cast<cudaError_t>(result);
}

size_t write_polynomial(const float *h_c, int degree, char *text, size_t size) {
  std::string all = "extern \"C\" __global__ void map(const float *x, float *y, size_t n) {\n"
                    "  for (size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x; i < n; i += n) {\n"
                    "    const float at = x[i];\n    float value = ";
  char number[64];
  for (int k = degree; k >= 0; --k) {
    unsigned bits;
    memcpy(&bits, h_c + k, sizeof bits);
    snprintf(number, sizeof number, "__int_as_float((int)%uu)", bits);
    if (k < degree) all += "    value = __fmaf_rn(value, at, ";
    all += number;
    all += k < degree ? ");\n" : ";\n";
  }
  all += "    y[i] = value;\n  }\n}\n";
  if (size) {
    const size_t fits = all.size() < size ? all.size() : size - 1;
    memcpy(text, all.data(), fits);
    text[fits] = 0;
  }
  return all.size();
}

/* The entries are sorted by key: the device, then both texts, each with its end. */
struct kernel_cache {
  build_function *build;
  struct entry {
    std::string key;
    CUfunction kernel;
  };
  std::vector<entry> entries;
  size_t place(const std::string &key) const {
    size_t low = 0, high = entries.size();
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (entries[middle].key < key)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

struct kernel_cache *cache_create(build_function *build) {
  kernel_cache *const cache = new (std::nothrow) kernel_cache;
  if (cache) cache->build = build;
  return cache;
}

cudaError_t cache_get(struct kernel_cache *cache, const char *source, const char *options, int device,
                      CUfunction *kernel) {
  std::string key(reinterpret_cast<const char *>(&device), sizeof device);
  (key.append(source).push_back('\0'), key.append(options).push_back('\0'));
  const size_t at = cache->place(key);
  if (at == cache->entries.size() || cache->entries[at].key != key) {
    CUfunction made = nullptr;
    const cudaError_t error = cache->build(source, options, device, &made);
    *kernel = nullptr;
    if (error) return error;
    cache->entries.insert(cache->entries.begin() + at, {key, made});
  }
  *kernel = cache->entries[at].kernel;
  return cudaSuccess;
}

void cache_destroy(struct kernel_cache *cache) { delete cache; }

/* The middle one of an odd number of values: as many are below it as above, but for equal ones. */
static uint64_t middle(const uint32_t *values, size_t count) {
  std::vector<uint32_t> sorted;
  for (size_t k = 1; k < count; ++k) {
    size_t at = sorted.size();
    sorted.push_back(values[k]);
    for (; at > 0 && sorted[at - 1] > values[k]; --at) sorted[at] = sorted[at - 1];
    sorted[at] = values[k];
  }
  return sorted[(count - 2) / 2];
}

uint64_t calls_to_break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count) {
  const uint64_t g = middle(generic_ns, count), s = middle(special_ns, count), first = special_ns[0];
  if (g >= first) return 1;
  if (g <= s) return 0;
  const uint64_t gain = g - s, cost = first - s;
  return cost / gain + (cost % gain != 0);
}

cudaError_t read_ptx(const char *ptx, const char *kernel, unsigned counts[PTX_COUNTS]) {
  std::vector<std::string> lines, labels;
  for (const char *at = ptx; *at;) {
    const char *end = at + strcspn(at, "\n");
    std::string line(at, end);
    const size_t comment = line.find("//");
    if (comment != std::string::npos) line.resize(comment);
    while (!line.empty() && strchr(" \t\r", line.back())) line.pop_back();
    line.erase(0, strspn(line.c_str(), " \t"));
    lines.push_back(line);
    at = *end ? end + 1 : end;
  }
  size_t k = 0;
  for (; k < lines.size(); ++k) {
    char name[256] = "";
    const char *entry = strstr(lines[k].c_str(), ".entry ");
    if (entry && sscanf(entry, ".entry %255[^( \t]", name) == 1 && !strcmp(name, kernel)) break;
  }
  if (k == lines.size()) return cudaErrorSymbolNotFound;
  memset(counts, 0, PTX_COUNTS * sizeof *counts);
  while (lines[k] != "{") ++k;
  for (int depth = 0; k < lines.size(); ++k) {
    std::string line = lines[k];
    depth += line == "{" ? 1 : line == "}" ? -1 : 0;
    if (depth == 0) break;
    if (line.empty() || line[0] == '.' || line == "{" || line == "}") continue;
    if (line.back() == ':') {
      labels.push_back(line.substr(0, line.size() - 1));
      continue;
    }
    if (line[0] == '@') line.erase(0, line.find_first_not_of(" \t", line.find_first_of(" \t")));
    std::vector<std::string> parts(1);
    for (const char c : line.substr(0, line.find_first_of(" \t;")))
      if (c == '.')
        parts.push_back("");
      else
        parts.back() += c;
    bool global = false, doubles = false;
    for (size_t p = 1; p < parts.size(); ++p) global |= parts[p] == "global", doubles |= parts[p] == "f64";
    counts[PTX_FMAS] += parts[0] == "fma";
    counts[PTX_LOADS] += parts[0] == "ld" && global;
    counts[PTX_DOUBLES] += doubles;
    for (size_t l = 0; parts[0] == "bra" && l < labels.size(); ++l)
      if (line.find(labels[l] + ";") != std::string::npos) {
        ++counts[PTX_LOOPS];
        break;
      }
  }
  return cudaSuccess;
}

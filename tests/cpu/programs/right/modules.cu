// flags: -lnvrtc -lcuda
/* Modules by the driver's calls, by those of libraries, and by the runtime's: variables of each module, launches
 * with a buffer of arguments, attributes; names of variables; images that are refused. */
#include <cstddef>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#include "../program.h"

#define NVRTC(call)  expect(#call, 0, static_cast<double>(call), NVRTC_SUCCESS)
#define DRIVER(call) expect(#call, 0, static_cast<double>(call), CUDA_SUCCESS)

static const char source[] =
    "namespace by { __device__ int step; }\n"
    "__constant__ int first = 5;\n"
    "struct pair { char c; double d; };\n"
    "template <class T> __global__ void fill(T *a, char more, pair p, short n) {\n"
    "  __shared__ T s[32];\n"
    "  if (threadIdx.x < n) s[threadIdx.x] = first + by::step * threadIdx.x;\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x < n) a[threadIdx.x] = s[n - 1 - threadIdx.x] + more + (T)p.d;\n"
    "}\n";
struct pair {
  char c;
  double d;
};

/* What was compiled, as PTX or machine code, and the lowered names of the kernel and of the variable. */
struct compiled {
  std::string image, kernel, variable;
};

/* NVRTC's option for machine code of this device, or of another kind, which this one does not take. */
static std::string for_device(bool another) {
  int major, minor;
  CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  const int later = major == 9 ? 100 : 90;
  return "--gpu-architecture=sm_" + std::to_string(another ? later : 10 * major + minor);
}

static compiled compile(const char *architecture, bool machine_code) {
  nvrtcProgram program;
  const char *name;
  size_t bytes;
  compiled c;
  NVRTC(nvrtcCreateProgram(&program, source, "fill.cu", 0, nullptr, nullptr));
  NVRTC(nvrtcAddNameExpression(program, "fill<int>"));
  NVRTC(nvrtcAddNameExpression(program, "&by::step"));
  NVRTC(nvrtcCompileProgram(program, 1, &architecture));
  NVRTC(nvrtcGetLoweredName(program, "fill<int>", &name));
  c.kernel = name;
  NVRTC(nvrtcGetLoweredName(program, "&by::step", &name));
  c.variable = name;
  NVRTC(machine_code ? nvrtcGetCUBINSize(program, &bytes) : nvrtcGetPTXSize(program, &bytes));
  c.image.resize(bytes);
  NVRTC(machine_code ? nvrtcGetCUBIN(program, &c.image[0]) : nvrtcGetPTX(program, &c.image[0]));
  NVRTC(nvrtcDestroyProgram(&program));
  return c;
}

static void check(const char *what, int *d_a, int step, int more) {
  int h_a[32];
  CHECK(cudaMemcpy(h_a, d_a, sizeof h_a, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) expect(what, i, h_a[i], 5 + step * (31 - i) + more);
}

static void set_step(CUmodule module, const compiled &c, int step) {
  CUdeviceptr address;
  size_t bytes;
  DRIVER(cuModuleGetGlobal(&address, &bytes, module, c.variable.c_str()));
  expect("bytes", 0, static_cast<double>(bytes), sizeof step);
  DRIVER(cuMemcpyHtoD(address, &step, sizeof step));
}

static void two_modules(const compiled &c, int *d_a) {
  CUmodule module[2];
  CUfunction fill[2];
  char more = 1;
  pair p = {0, 3};
  short n = 32;
  for (int i = 0; i < 2; i++) {
    DRIVER(cuModuleLoadData(&module[i], c.image.data()));
    DRIVER(cuModuleGetFunction(&fill[i], module[i], c.kernel.c_str()));
    set_step(module[i], c, 10 + i);
  }
  for (int i = 0; i < 2; i++) {
    void *arguments[] = {&d_a, &more, &p, &n};
    DRIVER(cuLaunchKernel(fill[i], 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    check("each module has its own variables", d_a, 10 + i, 4);
  }
  struct buffer {
    int *a;
    char more;
    pair p;
    short n;
  } all = {d_a, 2, {0, 4}, 32};
  size_t bytes = offsetof(buffer, n) + sizeof all.n; /* without what fills the structure up */
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  DRIVER(cuLaunchKernel(fill[1], 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  check("arguments in a buffer", d_a, 11, 6);
  bytes = sizeof all;
  expect("a buffer that is too long", 0,
         cuLaunchKernel(fill[1], 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra),
         CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  int value, grid, block;
  DRIVER(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fill[0]));
  expect("threads", 0, value, 1024);
  DRIVER(cuFuncSetAttribute(fill[0], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10));
  DRIVER(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, fill[0]));
  expect("shared bytes", 0, value, 64 << 10);
  DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, fill[0], 256, 0));
  DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, fill[0], nullptr, 0, 0));
  expect("some blocks", 0, value > 0 && grid > 0 && block > 0, 1);
  CUmodule found;
  DRIVER(cuFuncGetModule(&found, fill[1]));
  expect("its module", 0, found == module[1], 1);
  for (int i = 0; i < 2; i++) DRIVER(cuModuleUnload(module[i]));
}

static void loaded_again(const compiled &c, int *d_a) {
  for (int i = 0; i < 2; i++) {
    CUmodule module;
    CUfunction fill;
    char more = 0;
    pair p = {0, 0};
    short n = 32;
    void *arguments[] = {&d_a, &more, &p, &n};
    DRIVER(cuModuleLoadData(&module, c.image.data()));
    DRIVER(cuModuleGetFunction(&fill, module, c.kernel.c_str()));
    DRIVER(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    check("variables begin again", d_a, 0, 0);
    set_step(module, c, 7);
    DRIVER(cuModuleUnload(module));
  }
}

static void a_library(const compiled &c, int *d_a) {
  cudaLibrary_t library;
  cudaKernel_t kernel;
  void *step;
  const int three = 3;
  char more = 0;
  pair p = {0, 0};
  short n = 32;
  CHECK(cudaLibraryLoadData(&library, c.image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cudaLibraryGetKernel(&kernel, library, c.kernel.c_str()));
  CHECK(cudaLibraryGetGlobal(&step, nullptr, library, c.variable.c_str()));
  CHECK(cudaMemcpy(step, &three, sizeof three, cudaMemcpyHostToDevice));
  void *arguments[] = {&d_a, &more, &p, &n};
  CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), 1, 32, arguments, 0, nullptr));
  check("a library's kernel", d_a, 3, 0);
  expect("no such kernel", 0, cudaLibraryGetKernel(&kernel, library, "fill"), cudaErrorSymbolNotFound);
  CHECK(cudaLibraryUnload(library));
  (void)cudaGetLastError();
}

static void refused(const compiled &c) {
  CUmodule module;
  expect("machine code of another device", 0,
         cuModuleLoadData(&module, compile(for_device(true).c_str(), true).image.data()),
         CUDA_ERROR_NO_BINARY_FOR_GPU);
  expect("machine code of an earlier one", 0,
         cuModuleLoadData(&module, compile("-arch=sm_75", true).image.data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  expect("no machine code for a virtual one", 0,
         static_cast<double>(compile("-arch=compute_80", true).image.size()), 0);
  expect("no image", 0, cuModuleLoadData(&module, "something else"), CUDA_ERROR_INVALID_IMAGE);
  DRIVER(cuModuleLoadData(&module, c.image.data()));
  DRIVER(cuModuleUnload(module));
  CUfunction none;
  expect("an unloaded module", 0, cuModuleGetFunction(&none, module, c.kernel.c_str()),
         CUDA_ERROR_INVALID_HANDLE);
}

static void refused_options() {
  nvrtcProgram program;
  const char *wrong[] = {"--gpu-architecture=sm_81", "--no-such-option", "-Xcompiler"};
  for (int i = 0; i < 3; i++) {
    NVRTC(nvrtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr));
    expect(wrong[i], 0, nvrtcCompileProgram(program, 1, &wrong[i]), NVRTC_ERROR_INVALID_OPTION);
    NVRTC(nvrtcDestroyProgram(&program));
  }
  int count;
  NVRTC(nvrtcGetNumSupportedArchs(&count));
  std::vector<int> list(static_cast<size_t>(count));
  NVRTC(nvrtcGetSupportedArchs(list.data()));
  expect("architectures rise", 0, list.front() < list.back(), 1);
}

int main() {
  int *d_a;
  DRIVER(cuInit(0));
  CHECK(cudaMalloc(&d_a, 32 * sizeof(int)));
  const compiled c = compile(for_device(false).c_str(), true);
  two_modules(c, d_a);
  loaded_again(c, d_a);
  a_library(compile("--gpu-architecture=compute_75", false), d_a);
  refused(c);
  refused_options();
  CHECK(cudaFree(d_a));
}

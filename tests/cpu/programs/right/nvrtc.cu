// flags: -lnvrtc -lcuda
/* A kernel that is compiled while the program runs: NVRTC, a module, and launches by the driver's calls. An
 * extern "C" kernel by its name, a template by an expression; a header from memory, a macro by an option; a
 * text with a mistake and its log. */
#include <cuda.h>
#include <cstring>
#include <nvrtc.h>
#include <vector>

#include "../program.h"

#define NVRTC(call)  expect(#call, 0, static_cast<double>(call), NVRTC_SUCCESS)
#define DRIVER(call) expect(#call, 0, static_cast<double>(call), CUDA_SUCCESS)

static const char source[] = "#include \"more.h\"\n"
                             "__constant__ float factor;\n"
                             "extern \"C\" __global__ void add(float *a, float by, int n) {\n"
                             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  if (i < n) a[i] += TIMES * more(by);\n"
                             "}\n"
                             "extern __shared__ double room[];\n"
                             "extern \"C\" __global__ void scale(float *a) {\n"
                             "  float *s = (float *)room;\n"
                             "  s[threadIdx.x] = a[threadIdx.x];\n"
                             "  a[threadIdx.x] = s[threadIdx.x] * factor;\n"
                             "}\n"
                             "template <class T> __global__ void turn(T *a) {\n"
                             "  __shared__ T s[64];\n"
                             "  s[threadIdx.x] = a[threadIdx.x];\n"
                             "  __syncthreads();\n"
                             "  a[threadIdx.x] = s[63 - threadIdx.x];\n"
                             "}\n";
static const char header[] = "static __device__ float more(float x) { return x + 1; }\n";

static std::vector<char> log_of(nvrtcProgram program) {
  size_t size;
  NVRTC(nvrtcGetProgramLogSize(program, &size));
  std::vector<char> log(size);
  NVRTC(nvrtcGetProgramLog(program, log.data()));
  return log;
}

static void refused() {
  nvrtcProgram program;
  NVRTC(nvrtcCreateProgram(&program, "extern \"C\" __global__ void k(int *p) { *p = unknown_name; }",
                           "wrong.cu", 0, nullptr, nullptr));
  expect("a text with a mistake", 0, nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
  if (!strstr(log_of(program).data(), "unknown_name") || !strstr(log_of(program).data(), "wrong.cu")) {
    fprintf(stderr, "the log does not name the mistake: %s\n", log_of(program).data());
    exit(1);
  }
  NVRTC(nvrtcDestroyProgram(&program));
}

int main() {
  const int n = 64;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction add, scale, turn, none;
  CUdeviceptr a, factor;
  size_t bytes;
  DRIVER(cuInit(0));
  DRIVER(cuDeviceGet(&device, 0));
  DRIVER(cuCtxCreate(&context, nullptr, 0, device));

  nvrtcProgram program;
  const char *headers[] = {header}, *names[] = {"more.h"},
             *options[] = {"-DTIMES=2", "--gpu-architecture=compute_80"};
  NVRTC(nvrtcCreateProgram(&program, source, "kernels.cu", 1, headers, names));
  NVRTC(nvrtcAddNameExpression(program, "turn<float>"));
  const nvrtcResult compiled = nvrtcCompileProgram(program, 2, options);
  if (compiled != NVRTC_SUCCESS) {
    fprintf(stderr, "%s: %s\n", nvrtcGetErrorString(compiled), log_of(program).data());
    return 1;
  }
  NVRTC(nvrtcGetPTXSize(program, &bytes));
  std::vector<char> ptx(bytes);
  NVRTC(nvrtcGetPTX(program, ptx.data()));
  DRIVER(cuModuleLoadData(&module, ptx.data()));
  const char *lowered;
  NVRTC(nvrtcGetLoweredName(program, "turn<float>", &lowered));
  DRIVER(cuModuleGetFunction(&turn, module, lowered));
  NVRTC(nvrtcDestroyProgram(&program));
  DRIVER(cuModuleGetFunction(&add, module, "add"));
  DRIVER(cuModuleGetFunction(&scale, module, "scale"));
  expect("a kernel that is not there", 0, cuModuleGetFunction(&none, module, "subtract"),
         CUDA_ERROR_NOT_FOUND);

  std::vector<float> h(n);
  for (int i = 0; i < n; i++) h[static_cast<size_t>(i)] = static_cast<float>(i);
  DRIVER(cuMemAlloc(&a, n * sizeof(float)));
  DRIVER(cuMemcpyHtoD(a, h.data(), n * sizeof(float)));
  float by = 3, three = 3;
  int count = n;
  DRIVER(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
  expect("bytes of the variable", 0, static_cast<double>(bytes), sizeof(float));
  DRIVER(cuMemcpyHtoD(factor, &three, sizeof three));
  void *add_arguments[] = {&a, &by, &count}, *arguments[] = {&a};
  DRIVER(cuLaunchKernel(add, 2, 1, 1, 32, 1, 1, 0, nullptr, add_arguments, nullptr));
  DRIVER(cuLaunchKernel(turn, 1, 1, 1, n, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuLaunchKernel(scale, 1, 1, 1, n, 1, 1, n * sizeof(float), nullptr, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  DRIVER(cuMemcpyDtoH(h.data(), a, n * sizeof(float)));
  for (int i = 0; i < n; i++) expect("a", i, h[static_cast<size_t>(i)], 3 * (n - 1 - i + 2 * (by + 1)));
  refused();
  DRIVER(cuMemFree(a));
  DRIVER(cuModuleUnload(module));
  DRIVER(cuCtxDestroy(context));
}

/* Mistakes in and around kernels that are compiled at run time; the argument says which. */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <string.h>
#include <string>

static const struct {
  const char *name, *source;
} texts[] = {{"race", "extern \"C\" __global__ void k(int *p) {\n"
                      "  int i = threadIdx.x;\n"
                      "  p[0] = i;\n"
                      "}\n"},
             {"unset", "extern \"C\" __global__ void k(int *p) {\n"
                       "  p[threadIdx.x] = p[threadIdx.x + 64];\n"
                       "}\n"},
             {"barrier", "extern \"C\" __global__ void k(int *p) {\n"
                         "  if (threadIdx.x < 20)\n"
                         "    __syncthreads();\n"
                         "  p[threadIdx.x] = 0;\n"
                         "}\n"},
             {"tile", "extern \"C\" __global__ void k(int *p) {\n"
                      "  __shared__ int tile[64];\n"
                      "  tile[threadIdx.x + 1] = 1;\n"
                      "  p[threadIdx.x] = 0;\n"
                      "}\n"}};

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "", *source = texts[0].source;
  for (const auto &text : texts)
    if (!strcmp(text.name, which)) source = text.source;
  nvrtcProgram program;
  size_t size;
  CUmodule module;
  CUfunction k;
  CUdeviceptr p;
  if (cuInit(0) || nvrtcCreateProgram(&program, source, "text.cu", 0, nullptr, nullptr) ||
      nvrtcCompileProgram(program, 0, nullptr) || nvrtcGetPTXSize(program, &size))
    return 1;
  std::string ptx(size, 0);
  if (nvrtcGetPTX(program, &ptx[0]) || cuModuleLoadData(&module, ptx.data()) ||
      cuModuleGetFunction(&k, module, "k") || cuMemAlloc(&p, 128 * sizeof(int)))
    return 1;
  if (!strcmp(which, "unloaded")) cuModuleUnload(module);
  void *arguments[] = {&p}, *values[] = {reinterpret_cast<void *>(p)};
  if (strcmp(which, "leak"))
    printf("%d\n", cuLaunchKernel(k, 1, 1, 1, 64, 1, 1, 0, nullptr,
                                  strcmp(which, "value") ? arguments : values, nullptr)); /* the launch */
  cuCtxSynchronize();
  if (!strcmp(which, "leak")) return cuMemFree(p);
  if (strcmp(which, "unloaded")) cuModuleUnload(module);
  nvrtcDestroyProgram(&program);
  cuMemFree(p);
}

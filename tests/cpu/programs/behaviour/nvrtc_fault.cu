/* A fault in a kernel that was compiled at run time: the report names the text's own line. */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] = "extern \"C\" __global__ void fill(int *p, int n) {\n"
                             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  if (i <= n) p[i] = i;\n"
                             "}\n";

int main() {
  nvrtcProgram program;
  size_t size;
  CUmodule module;
  CUfunction fill;
  CUdeviceptr p;
  int n = 32;
  if (nvrtcCreateProgram(&program, source, "late.cu", 0, nullptr, nullptr) ||
      nvrtcCompileProgram(program, 0, nullptr) || nvrtcGetPTXSize(program, &size))
    return 1;
  char *ptx = static_cast<char *>(malloc(size));
  if (nvrtcGetPTX(program, ptx) || cuInit(0) || cuModuleLoadData(&module, ptx) ||
      cuModuleGetFunction(&fill, module, "fill") || cuMemAlloc(&p, 32 * sizeof(int)))
    return 1;
  void *arguments[] = {&p, &n};
  cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  printf("%d\n", static_cast<int>(cuCtxSynchronize()));
  nvrtcDestroyProgram(&program);
  free(ptx);
}

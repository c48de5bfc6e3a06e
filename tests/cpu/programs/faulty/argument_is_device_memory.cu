// expect: memcheck: -
// says: kernel fill was not launched: entry 0 of its array of arguments is a pointer into device memory
// flags: -lnvrtc -lcuda
/* The driver's launch gets the device pointer itself, not its address. */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] = "extern \"C\" __global__ void fill(int *p, int n) {\n"
                             "  if (threadIdx.x < n) p[threadIdx.x] = threadIdx.x;\n"
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
#ifdef FIXED
  void *arguments[] = {&p, &n};
#else
  void *arguments[] = {reinterpret_cast<void *>(p), &n};
#endif
  cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr); // <- at
  cuCtxSynchronize();
  cuMemFree(p);
  cuModuleUnload(module);
  nvrtcDestroyProgram(&program);
  free(ptx);
}

/* What the parts of the driver API share: cuda.c, cuda_modules.c, cuda_functions.c; and nvrtc.c, which makes images. */
#ifndef CUCC_CUDA_INNER_H
#define CUCC_CUDA_INNER_H

#include "cuda.h"
#include "base/base.h"

/* An image is what NVRTC gives for a shared object: a text with its number in this process. (Names that begin
 * with cucc can be used by another library.) */
int cucc_image_add(const char *shared_object, int architecture, bool is_virtual);
char *cucc_image_ptx(int image); /* new strings */
char *cucc_image_cubin(int image);

/* The module of an image; `call` is the caller's name, a constant. */
CUresult module_load(CUmodule *module, const void *image, const char *call, uintptr_t site);
CUresult module_unload(CUmodule module, const char *call, uintptr_t site);
/* A kernel of it by its name. */
CUresult module_kernel(CUfunction *function, CUmodule module, const char *name, const char *call);
CUresult module_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
CUresult module_kernel_count(unsigned *count, CUmodule module);
/* The module that a kernel's code is in, loaded or no more; NULL: of the program itself. */
CUmodule module_of_code(const void *code);
bool module_is_loaded(CUmodule module);

#endif

/*
 * NVRTC as the CPU backend has it (link with -lnvrtc -lcuda): CUDA C++ compiled while the program runs, by
 * cucc itself, which must still be where it was when the program was linked. For C and C++.
 *
 * Names and values are the toolkit's (CUDA 13); NVIDIA's manual says what each call does. The "PTX" is a
 * small text that names a shared object in a temporary folder: cuModuleLoadData of the same process
 * understands it, until the process ends. A worker of the harness, which may run no compiler, sends the program
 * to the process that has started it (cucc.h, cucc_compile_through). The log has NVRTC's form, with cucc's
 * messages.
 */
#ifndef __NVRTC_H__
#define __NVRTC_H__
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetSupportedArchs(int *list);
/* The texts are copied. name may be NULL; headers are found by their include names. */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
                               const char *const *header_texts, const char *const *include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int options, const char *const *option_texts);
/* Sizes with the final NUL. The CUBIN has the size 0 where the architecture is virtual (compute_80, or none). */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
/* Kernels that are no extern "C": asked for before compiling, by an expression as `scale<float>`, and found
 * afterwards by the lowered name, which lives as long as the program. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **lowered);

#ifdef __cplusplus
}
#endif
#endif

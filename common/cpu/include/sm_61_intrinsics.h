/* Part of cuda_runtime.h here; the name exists because programs include it. */
#include "cuda_runtime.h"

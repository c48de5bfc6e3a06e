/* What stands in front of every text that is compiled at run time (NVRTC): as first.h, but smaller, since each
 * compilation reads it. */
#include <cuda_runtime.h>

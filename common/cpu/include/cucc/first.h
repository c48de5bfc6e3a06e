/* What stands in front of every .cu file, as with nvcc. A header of its own, because g++ reads a precompiled
 * one only once: programs include <cuda_runtime.h> themselves, this never. <memory> is there for files that
 * forget to include it; for a text that is compiled at run time, module.h does without. */
#include <cuda_runtime.h>
#include <memory>

/* What stands in front of every .cu file, as with nvcc. A header of its own, because g++ reads a precompiled
 * one only once: programs include <cuda_runtime.h> themselves, this never. */
#include <cuda_runtime.h>

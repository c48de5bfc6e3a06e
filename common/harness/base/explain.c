/* base/explain.c: see base/explain.h. */
#include "base/explain.h"
#include <string.h>

static const struct {
  const char *name, *cause;
} causes[] = {
    {"cudaErrorIllegalAddress",
     "a kernel touched memory that isn't its own: an index past the end of an array, in device memory or in "
     "mapped host memory, or the address of host memory that isn't mapped%s"},
    {"cudaErrorMisalignedAddress",
     "a pointer was cast to a wider type, and the address is no multiple of that type's size"},
    {"cudaErrorInvalidConfiguration", "the launch is invalid on every device: 0 blocks, 0 threads, more "
                                      "than 65535 blocks in y or z, or more than "
                                      "1024 threads in a block"},
    {"cudaErrorInvalidValue", "a launch with 0 blocks, more than 65535 in y or z, or more than 1024 threads "
                              "in a block; or a copy with a null or freed "
                              "pointer, a size past the end of the allocation, or the wrong direction"},
    {"cudaErrorInvalidDevicePointer",
     "a pointer that isn't device memory (any more): freed twice, or a host pointer"},
    {"cudaErrorInvalidMemcpyDirection", "the copy's direction doesn't fit its pointers"},
    {"cudaErrorInvalidResourceHandle",
     "a stream or event that doesn't exist (any more), or a launch of what is no kernel"},
    {"cudaErrorMemoryAllocation", "no memory left: is everything freed that was allocated?"},
    {"cudaErrorLaunchOutOfResources",
     "the kernel's threads need more registers or shared memory than a block has: "
     "use fewer threads"},
    {"cudaErrorLaunchTimeout", "a kernel ran longer than this device allows: an endless loop?"},
    {"cudaErrorLaunchFailure",
     "a kernel crashed: an index past the end of shared or local memory, or a failed "
     "trap%s"},
    {"cudaErrorIllegalInstruction", "a kernel met an invalid instruction"},
    {"cudaErrorAssert", "an assert in a kernel failed; its line is in the output"},
    {"cudaErrorNoKernelImageForDevice",
     "the program was built for another GPU: build it again here, or with ARCH=fat"},
    {"cudaErrorInvalidDeviceFunction",
     "the program was built for another GPU: build it again here, or with ARCH=fat"},
    {"cudaErrorUnsupportedPtxVersion", "the driver is older than the toolkit that built the program"},
    {"cudaErrorHostMemoryAlreadyRegistered",
     "this host memory is page-locked already: by the harness, or by a call that never unregistered it"},
    {"cudaErrorHostMemoryNotRegistered", "this host memory was never page-locked, or was unregistered"},
    {"cudaErrorStreamCaptureUnsupported", "a call that isn't allowed while a stream is captured"},
};

const char *wb_explain(const char *error_name) {
  for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
    if (strcmp(causes[i].name, error_name) == 0) return causes[i].cause;
  return "";
}

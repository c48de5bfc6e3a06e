/* The older name of nvtx3/nvToolsExt.h; names of the driver's objects are not in the CPU backend. */
#include "nvtx3/nvToolsExt.h"

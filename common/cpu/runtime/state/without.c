/* Parts of the device that do nothing for a while: see cucc_without in include/cucc.h. */
#include "state/without.h"

#include "base/base.h"

int without_parts;

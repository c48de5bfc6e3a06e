/* arch.h: preprocessor lines that ask for __CUDA_ARCH__. */
#ifndef CUCC_REWRITE_ARCH_H
#define CUCC_REWRITE_ARCH_H

#include "unit.h"

/* Whether a preprocessor line among the tokens [i, end) asks whether this is the device's compilation. */
bool asks_for_device(const rewrite_unit *unit, size_t i, size_t end);
/* Adds the edits of groups at file scope that hold functions of the device. */
void find_arch(rewrite_unit *unit);

#endif

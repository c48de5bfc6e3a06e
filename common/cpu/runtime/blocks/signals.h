#ifndef CUCC_BLOCKS_SIGNALS_H
#define CUCC_BLOCKS_SIGNALS_H

#include "base/base.h"

/* Installs the handlers of signals. */
void signals_start(void);

#endif

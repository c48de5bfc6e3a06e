/* cpu.h: the work of a whole case on the host, for its time: wb_task.cpu. */
#ifndef CPU_H
#define CPU_H

#include "wb.h"

void sweeps_cpu(const wb_case *c);

#endif

/* cpu.h: the tasks as plain loops on the host, in float: wb_task.cpu. */
#ifndef CPU_H
#define CPU_H

#include "wb.h"

void forward_cpu(const wb_case *c);
void adam_cpu(const wb_case *c);
void train_cpu(const wb_case *c);

#endif

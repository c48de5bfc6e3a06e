/* cpu.h: lesson10's tasks as plain loops on the host, for wb_task.cpu. */
#ifndef CPU_H
#define CPU_H

#include "wb.h"

void integral_cpu(const wb_case *c);
void same_bits_cpu(const wb_case *c);
void points_cpu(const wb_case *c);

#endif

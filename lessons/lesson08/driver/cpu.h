/* cpu.h: lesson08's tasks as plain loops on the host, for wb_task.cpu. All plates are in host memory. */
#ifndef CPU_H
#define CPU_H

#include "wb.h"

void sweep_cpu(const wb_case *c);
void change_cpu(const wb_case *c);
void solve_cpu(const wb_case *c);
void sweeps_cpu(const wb_case *c);

#endif

/* run/without.h: calls without a part of the device. */
#ifndef WB_WITHOUT_H
#define WB_WITHOUT_H

#include "run/runner.h"

/*
 * A task that is right is called again on the CPU backend at the size of its timeline, each time in a worker
 * of its own, and a part of the device does nothing (wb_without):
 *
 *     kernels                           with wb_task.in_kernels; if the answer is right all the same, the host has
 *                                       computed it, and the task is wrong
 *     kernels of each device            with wb_task.devices, where the size needs several; if the answer is
 *                                       right, the others have computed it, which `asked` of the result says
 *     products of cuBLAS                likewise, with wb_task.in_library
 *     kernels beside copies             likewise, with wb_task.beside_copies: those that run while data
 *                                       travels
 *
 * Whatever else happens in these calls says nothing.
 *
 * Then it is called once for each window of numbers that count as 0 (wb_task.zeros): values of the header's function, or
 * factors of products by cuBLAS. These calls must come to their end, and the answer must be the one that follows;
 * if not, `asked` says so: a part of it has come from elsewhere. Where few numbers count as 0, a look at some of them
 * does not tell this call from others.
 */
void wb_without_run(wb_runner *runner, uint64_t key);

/*
 * The call whose counters are kept, in which the host cannot reach memory of the device, ended with a fault.
 * If the same call returns where the host can, a function or a structure has read or written there unseen:
 * the task is wrong, and the message says so. Opens a worker in the place of the one that ended.
 */
void wb_without_host_access(wb_runner *runner);

#endif

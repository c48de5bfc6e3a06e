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
 *     values of the header's function   likewise, with wb_task.given_calls
 *     memory of the device for the host if the call ends with a fault, a function or a structure has read or written
 *                                       there unseen, and the task is wrong
 *
 * Whatever else happens in these calls says nothing.
 */
void wb_without_run(wb_runner *runner, uint64_t key);

#endif

/*
 * run/least.h: is a time too short to be true? A right answer to new inputs must have read each byte that it
 * depends on, and written each byte of the answer, at a rate that the device has. If a time is shorter than
 * that, by a wide margin, something was kept from before the call, left out, or done outside the timed part.
 */
#ifndef WB_LEAST_H
#define WB_LEAST_H

#include "model/results.h"

/* The ceilings that the lesson's tasks need (device/ceilings.h). */
int wb_needed_ceilings(const wb_results *run);

/* The time in ms that no right call of this size can go below; 0 if it is not known. least.c has the
 * margins. */
double wb_least_ms(const wb_results *run, const wb_task *task, const wb_case *c);

/*
 * Sets too_fast of a task that was timed if its median is below wb_least_ms. The ceilings may have been too
 * low because the device was asleep or busy, so they are measured again, in a process of their own, before a
 * time is called too short; the higher value counts.
 */
void wb_judge_time(const wb_results *run, wb_task_result *result, const wb_case *c);

#endif

/*
 * caller.h: calls the learner's function as a suspicious caller would. The harness's own code.
 */
#ifndef CALLER_H
#define CALLER_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Calls function(c) and returns its status. For up to half a million elements, so never while a time is
 * measured, it does two things that only a caller can do:
 *
 * - d_work, work_count elements, is new memory, so that the CPU backend's initcheck detects a kernel that
 *   reads elements that were never copied in.
 * - The answer is the content of h_out at the moment of the return. A copy that is still in progress then no
 *   longer changes it; on the CPU backend racecheck reports that copy.
 */
int call_and_look(const wb_case *c, int (*function)(const wb_case *), size_t work_count);

#ifdef __cplusplus
}
#endif
#endif

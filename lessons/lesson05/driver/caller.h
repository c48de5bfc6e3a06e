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
 * Calls function(c) and returns its status. Up to half a million elements, so never while time is taken, two
 * things are done that only a caller can do:
 *
 * - d_work, work_count elements, is fresh memory, so that the CPU backend's initcheck sees a kernel that
 * reads what no copy has brought.
 * - What h_out holds at the moment of the return is the answer. A copy that is still under way then changes
 *   nothing any more; on the CPU backend racecheck reports it.
 */
int call_and_look(const wb_case *c, int (*function)(const wb_case *), size_t work_count);

#ifdef __cplusplus
}
#endif
#endif

/* device/trace.h: recording what a GPU does, through NVIDIA's CUPTI library (device/trace_cupti.c). */
#ifndef WB_TRACE_H
#define WB_TRACE_H

#include "model/timeline.h"

/* Starts recording copies, memsets and kernels of this process. Returns false with a reason when the
 * program was built without CUPTI, or when CUPTI isn't found now or refuses. */
bool wb_cupti_begin(char *reason, size_t reason_size);

/*
 * Stops recording. Returns the number of activities and writes at most `capacity` of them. Writes counters
 * as a JSON object, with those members of common/cpu's counters that CUPTI can see. The device must be
 * idle.
 */
size_t wb_cupti_end(wb_activity *list, size_t capacity, char *counters, size_t counters_size);

#endif

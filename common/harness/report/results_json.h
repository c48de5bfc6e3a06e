/* report/results_json.h: run.json; common/README.md describes its fields. */
#ifndef WB_RESULTS_JSON_H
#define WB_RESULTS_JSON_H

#include "model/results.h"

/* The whole run. */
void wb_results_json(const wb_results *run, wb_text *json);

/* The device as --probe prints it. */
void wb_device_json(const wb_device_info *device, wb_text *json);

#endif

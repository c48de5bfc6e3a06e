/* report/csv.h: the table as comma-separated values. */
#ifndef WB_CSV_H
#define WB_CSV_H

#include "model/results.h"

/* A header line, then one row for each task and one for each baseline. */
void wb_csv(const wb_results *run, wb_text *csv);

#endif

/* causes.h: names the mistake in a wrong element of lesson04, where its value shows it. */
#ifndef CAUSES_H
#define CAUSES_H

#include "wb.h"

/* The driver's `cause` of its four tasks: NULL where no known mistake gives
 * this value. */
const char *cause_trips(const wb_case *c, int array, size_t i, double got);
const char *cause_gather(const wb_case *c, int array, size_t j, double got);
const char *cause_slide(const wb_case *c, int array, size_t i, double got);
const char *cause_upload(const wb_case *c, int array, size_t i, double got);

#endif

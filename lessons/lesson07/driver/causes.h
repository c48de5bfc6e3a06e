/* causes.h: names the mistake in a wrong element of a product of lesson07, where its value shows it. */
#ifndef CAUSES_H
#define CAUSES_H

#include "wb.h"

/* For wb_task.cause, of floats and of doubles. */
const char *cause_product(const wb_case *c, int array, size_t i, double got);
const char *cause_product_double(const wb_case *c, int array, size_t i, double got);

#endif

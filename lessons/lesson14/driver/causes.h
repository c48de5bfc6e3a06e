/* causes.h: what is wrong with a value, where the value shows it: wb_task.cause of the tasks. */
#ifndef CAUSES_H
#define CAUSES_H

#include "wb.h"

const char *cause_forward(const wb_case *c, int array, size_t i, double got);
/* Where a gradient was never written. */
const char *cause_of_no_gradient(const wb_case *c, int array, size_t i);
const char *cause_backward(const wb_case *c, int array, size_t i, double got);
const char *cause_adam(const wb_case *c, int array, size_t i, double got);
const char *cause_train(const wb_case *c, int array, size_t i, double got);
const char *cause_conv_forward(const wb_case *c, int array, size_t i, double got);
const char *cause_train_rank(const wb_case *c, int array, size_t i, double got);

#endif

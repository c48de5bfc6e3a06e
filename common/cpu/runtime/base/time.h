#ifndef CUCC_BASE_TIME_H
#define CUCC_BASE_TIME_H

#include "base/base.h"

double now_ms(void);
double clock_ms(clockid_t clock);

#endif

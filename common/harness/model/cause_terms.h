/* model/cause_terms.h: for drivers whose results are sums of terms: which of them a wrong result has. */
#ifndef WB_CAUSE_TERMS_H
#define WB_CAUSE_TERMS_H

#include "wb.h"

/* Term number p of element i. */
typedef double wb_term(const wb_case *c, size_t i, size_t p);

/* Names the cause where element i of a case, which must be the sum of `count` terms, is the sum of the first or
 * the last of them: "it is the sum of the first 32 of 33 terms: the last one is left out". NULL: it is not, or
 * that may be chance. `epsilon`: the largest relative error of one rounding. For wb_task.cause. */
const char *wb_cause_of_terms(const wb_case *c, size_t i, wb_term *term, size_t count, double got,
                              double epsilon);

#endif

#ifndef CUCC_CHECKER_MISUSE_H
#define CUCC_CHECKER_MISUSE_H

#include "base/base.h"
#include "base/check.h"

/* A fill whose value is no byte. */
CHECK(void check_fill_value(const char *call, double value, uintptr_t site))
/* An allocation's call writes its result here. */
CHECK(void check_result(void **pointer, uintptr_t site))

/* A call that was refused because of a handle: "CALL is given …"; origin: where the handle was made or
 * destroyed (0: unknown). */
CHECK(void check_bad_handle(const char *call, const char *what, const char *cause, uintptr_t site,
                            uintptr_t origin))
/* Why a handle may name nothing that was ever created. */
#define WITHOUT_VALUE "a variable without a value: the call that creates it was not made, or it failed"
/* A CUDA call within a function that a stream calls, which was given to the stream at `site`. */
CHECK(void check_callback_calls(const char *call, uintptr_t site))

#endif

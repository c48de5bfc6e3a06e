#ifndef CUCC_CHECKER_REFUSED_H
#define CUCC_CHECKER_REFUSED_H

#include "base/base.h"
#include "base/check.h"

/* A launch that the device refused; the program asked for its last error; it ends. Only what was never asked
 * for is reported. */
CHECK(void check_bad_launch(const char *kernel, const char *reason, const char *cause, const char *file,
                            int line))
/* An entry of the arguments of a launch by address points to nothing that the host can read; `what` it is. */
CHECK(void check_bad_argument(const char *kernel, int number, const char *what, const char *file, int line))
/* cudaEventElapsedTime knows a time, or the device has not come to the event: kept in the same way, and
 * forgotten when the same line gets a time after all. */
CHECK(void check_time(uintptr_t site, bool known))
CHECK(void check_error_seen(void))
CHECK(void check_program_ends(void))

#endif

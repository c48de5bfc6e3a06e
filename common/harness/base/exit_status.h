/* base/exit_status.h: how a process ended, in plain words. */
#ifndef WB_EXIT_STATUS_H
#define WB_EXIT_STATUS_H

#include "base/text.h"

/* Adds how a process ended, by its status as waitpid gives it: "crashed: segmentation fault (SIGSEGV): ...". */
void wb_exit_status(int status, wb_text *text);

#endif

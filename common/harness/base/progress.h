/* base/progress.h: one line that shows what the program is doing, when it takes longer than two seconds. */
#ifndef WB_PROGRESS_H
#define WB_PROGRESS_H

/* Shows a line on standard error in place of the last one, if that is a terminal and the program has run
 * for two seconds. */
void wb_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Removes the line. Call it before you print anything else. */
void wb_progress_clear(void);

#endif

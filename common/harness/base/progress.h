/* base/progress.h: one line that says what is going on, for what takes longer than two seconds. */
#ifndef WB_PROGRESS_H
#define WB_PROGRESS_H

/* Shows a line on standard error, over the last one, when that is a terminal and the program runs for more
 * than two seconds. */
void wb_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes the line away; before anything else is printed. */
void wb_progress_clear(void);

#endif

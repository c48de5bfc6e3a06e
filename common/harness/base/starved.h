/* base/starved.h: how long a process has waited for a processor. */
#ifndef WB_STARVED_H
#define WB_STARVED_H

#include <sys/types.h>

/* Milliseconds that the thread which waited longest was ready to run, but other programs had the processors,
 * since it began; 0 where the kernel does not tell. A thread that sleeps does not wait in this sense. */
double wb_starved_ms(pid_t process);

#endif

/* watched.h: on the CPU backend, which options NVRTC got, and where a kernel was launched. */
#ifndef WATCHED_H
#define WATCHED_H

#include <stdint.h>

typedef struct watched {
  uint64_t compilations, in_default_stream;
} watched;

watched watched_now(void); /* all 0 on a GPU */

/* If a text was compiled since `before`: complains unless NVRTC got the option for the architecture, after it the
 * given options in their order, and no other. */
void judge_options(watched before, const char *const *options, int count);

/* A kernel was launched since `before`: complains if it is not in the default stream. */
void judge_stream(watched before);

#endif

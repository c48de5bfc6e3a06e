/* base/write.h: files that appear whole or not at all. */
#ifndef WB_WRITE_H
#define WB_WRITE_H

#include <stdbool.h>

/* Writes text to a file that appears whole or not at all. Returns false with errno. */
bool wb_write_whole(const char *path, const char *text);

/* Whether that would work. Ask before the work whose result you want to write. Returns false with errno. */
bool wb_write_possible(const char *path);

#endif

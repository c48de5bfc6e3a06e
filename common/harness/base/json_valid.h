/* base/json_valid.h: checking JSON that another process wrote. */
#ifndef WB_JSON_VALID_H
#define WB_JSON_VALID_H

#include <stdbool.h>

/* Whether `text` is exactly one JSON value, at most 32 levels deep, in valid UTF-8. */
bool wb_json_valid(const char *text);

#endif

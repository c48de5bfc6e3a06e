#ifndef CUCC_BASE_JSON_H
#define CUCC_BASE_JSON_H

#include "base/text.h" /* of common/harness: the growing string */

/* Adds s as a JSON string with quotes; null when s is NULL. */
void json_string(wb_text *t, const char *s);
/* Copies the text to the caller's buffer, frees it, and returns the size needed. */
size_t json_give(wb_text *t, char *buffer, size_t size);

#endif

/* model/cause.h: names the cause of a wrong answer where the form of its error shows it. */
#ifndef WB_CAUSE_H
#define WB_CAUSE_H

#include "base/text.h"
#include "model/check.h"

/*
 * Compares the wrong elements of the first wrong array with what common mistakes give: a rest or all but a
 * quarter left out, values of a neighbour, rows and columns exchanged, a constant ratio or difference, a
 * fraction cut off, a number without its upper bits, a sum of fewer elements. Adds a line to `text` and
 * returns true where all wrong elements agree with one of them; else it adds nothing.
 *
 * `got` is as in wb_check. Nothing is named of an array of which only a sample was checked, or of more
 * than WB_CAUSE_MOST elements.
 */
#define WB_CAUSE_MOST ((size_t)1 << 17)
bool wb_cause(const wb_task *task, const wb_case *inputs, void *const *got, wb_verdict *verdict,
              wb_text *text);

/* The same where the values of a rest after whole groups (of a block, of a vector) are wrong and nothing
 * else shows why: says that they are not left out. */
bool wb_cause_of_rest(const wb_task *task, const wb_case *inputs, void *const *got, wb_verdict *verdict,
                      wb_text *text);

/* Adds a line where the wrong elements are in bands of columns that repeat, such as the ends of tiles. */
void wb_bands(const wb_task *task, const wb_case *inputs, void *const *got, wb_verdict *verdict,
              wb_text *text);

#endif

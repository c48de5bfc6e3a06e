/* model/picture.h: where the wrong elements are, as sentences and as a map. */
#ifndef WB_PICTURE_H
#define WB_PICTURE_H

#include "base/text.h"
#include "model/check.h"

/* One sentence: "c[1000] is 0 instead of 1.5 (21 of 1021 elements are wrong)". For a wrong verdict. */
void wb_describe(const wb_task *task, const wb_verdict *verdict, wb_text *text);

/* "c[1000]"; of a matrix "c[3][17]", or "the padding after row 3 of c". */
void wb_add_place(wb_text *text, const char *name, const wb_matrix *shape, size_t i);

/* Further lines: what the wrong elements have in common, and a map of where they are. */
void wb_picture(const wb_task *task, const wb_verdict *verdict, wb_text *text);

#endif

/* base/explain.h: the usual causes of CUDA errors. */
#ifndef WB_EXPLAIN_H
#define WB_EXPLAIN_H

/* The usual cause of an error in plain words ("a kernel touched ..."), "" for an unknown name. A trailing %s is
 * to be replaced by the tool that can name the source line. */
const char *wb_explain(const char *error_name);

#endif

/* Kernels at sizes that nobody has time for: only a few of their blocks run. */
#include "state/sample.h"

#include <stdio.h>

#include "cucc.h"

char sample_words[160];

void cucc_sample(const char *words) { snprintf(sample_words, sizeof sample_words, "%s", words ? words : ""); }

/* Calls of a header's function that are missing at a size of thousands of millions: cucc_sample_calls. */
#include <stdio.h>

#include "state/sample.h"
#include "checker/findings.h"
#include "cucc.h"

void cucc_sample_calls(uint64_t needs) {
  if (!sampling()) return;
  struct finding f = {.tool = TOOL_MEM, .warning = true};
  const uint64_t wanted = sample_needs, calls = sample_calls(&f.at);
  sample_needs = needs;
  /* Half of the share of each block that ran: what other blocks do is not known. */
  if (needs || !f.at.line || calls >= wanted / 2 || !checking(TOOL_MEM)) return;
  snprintf(f.sentence, sizeof f.sentence,
           "%.130s: the kernels make about %llu calls of the function that the header gives, where %llu are "
           "needed",
           sample_words, (unsigned long long)calls, (unsigned long long)wanted);
  f.cause = "a number of cells or points that is computed in 32 bits and wraps around: compute it in size_t, "
            "and count in size_t";
  sample_begin(NULL); /* else nothing but accesses is kept */
  finding_add(&f);
}

#ifndef CUCC_CHECKER_PROFILE_REPORT_H
#define CUCC_CHECKER_PROFILE_REPORT_H

#include "base/base.h"
#include "base/text.h"
#include "base/places.h"
#include "checker/profile.h"

/* What the instructions of one source line did, of one kind. */
struct row {
  struct place at;
  enum profile_kind kind;
  struct figures sum;
  int instructions;
  double least, most; /* sectors or wavefronts per request, of the instructions */
};
void profile_text(wb_text *t);

#endif

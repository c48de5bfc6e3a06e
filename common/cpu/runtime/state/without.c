/* Parts of the device that do nothing for a while, and numbers that count as 0: see cucc_without and cucc_zeros in
 * include/cucc.h. */
#include "state/without.h"

#include "base/base.h"

#include "cucc.h"

int without_parts;
double zeros_low, zeros_high;

void cucc_zeros(double low, double high) {
  zeros_low = low;
  zeros_high = high;
}

/* Double arithmetic in a given direction: __dadd_ru and its relatives. Volatile, because compilers do not
 * know that the rounding mode matters. */
#include "base/base.h"

#include <math.h>
#include <fenv.h>

enum operation { SUM, PRODUCT, QUOTIENT, ROOT, FMA };
enum direction { TO_ZERO, UP, DOWN };

double cucc_rounded(enum operation operation, enum direction direction, double a, double b, double c);

double cucc_rounded(enum operation operation, enum direction direction, double a, double b, double c) {
  static const int modes[] = {[TO_ZERO] = FE_TOWARDZERO, [UP] = FE_UPWARD, [DOWN] = FE_DOWNWARD};
  const int before = fegetround();
  volatile double x = a, y = b, z = c, result;
  fesetround(modes[direction]);
  switch (operation) {
  case SUM:
    result = x + y;
    break;
  case PRODUCT:
    result = x * y;
    break;
  case QUOTIENT:
    result = x / y;
    break;
  case ROOT:
    result = sqrt(x);
    break;
  default:
    result = fma(x, y, z);
    break;
  }
  fesetround(before);
  return result;
}

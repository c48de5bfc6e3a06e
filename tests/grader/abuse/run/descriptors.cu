// says: graded|holds what no answer
// walled: graded
#include <unistd.h>
static void abuse(void) {
  while (dup(1) >= 0) {
  }
}

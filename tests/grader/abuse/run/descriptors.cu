// says: graded|holds what no answer
// sandbox: graded
#include <unistd.h>
static void abuse(void) {
  while (dup(1) >= 0) {
  }
}

// says: graded|was rejected without being run
// sandbox: graded
#include <unistd.h>
static void abuse(void) {
  while (dup(1) >= 0) {
  }
}

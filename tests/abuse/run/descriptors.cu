// says: graded|holds what no answer
#include <unistd.h>
static void abuse(void) {
  while (dup(1) >= 0) {
  }
}

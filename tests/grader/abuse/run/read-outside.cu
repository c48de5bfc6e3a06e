// says: graded|was rejected without being run
// sandbox: graded
// needs: bwrap
// hides: found it
#include <cstdio>
static void abuse(void) {
  if (fopen("@ROOT@/solutions/lesson02/kernels.cu", "r") || fopen("/etc/passwd", "r")) puts("found it");
}

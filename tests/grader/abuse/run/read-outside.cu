<<<<<<< HEAD
// says: graded|was rejected without being run
// walled: graded
=======
// says: graded|holds what no answer
// sandbox: graded
>>>>>>> 0103d67ea7c3dd119df29b45c6c46ed0b7e3081f
// needs: bwrap
// hides: found it
#include <cstdio>
static void abuse(void) {
  if (fopen("@ROOT@/solutions/lesson02/kernels.cu", "r") || fopen("/etc/passwd", "r")) puts("found it");
}

<<<<<<< HEAD
// says: graded|was rejected without being run
// walled: graded
=======
// says: graded|holds what no answer
// sandbox: graded
>>>>>>> 0103d67ea7c3dd119df29b45c6c46ed0b7e3081f
// needs: bwrap
#include <cstdio>
static void abuse(void) {
  FILE *f = fopen("@OUTSIDE@/written", "w");
  if (f) fclose(f);
}

// says: graded|was rejected without being run
// sandbox: graded
// needs: bwrap
#include <cstdio>
static void abuse(void) {
  FILE *f = fopen("@OUTSIDE@/written", "w");
  if (f) fclose(f);
}

// says: graded|holds what no answer
#include <cstdio>
static void abuse(void) {
  FILE *f = fopen("@OUTSIDE@/written", "w");
  if (f) fclose(f);
}

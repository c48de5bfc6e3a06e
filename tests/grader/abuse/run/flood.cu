// says: graded|MiB
// sandbox: MiB of output|graded
#include <cstdio>
static void abuse(void) {
  for (int i = 0; i < 1 << 20; i++) printf("\033[2J\033]0;owned\007 all of a line, again and again %d\n", i);
}

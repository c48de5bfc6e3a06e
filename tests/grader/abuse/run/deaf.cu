// says: no answer after|did not end within|was rejected without being run
// sandbox: no answer after|did not end within
#include <csignal>
#include <unistd.h>
static void abuse(void) {
  for (int s = 1; s < 32; s++) signal(s, SIG_IGN);
  for (;;) sleep(77);
}

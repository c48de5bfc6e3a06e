<<<<<<< HEAD
// says: no answer after|did not end within|was rejected without being run
// walled: no answer after|did not end within
=======
// says: no answer after|did not end within|holds what no answer
// sandbox: no answer after|did not end within
>>>>>>> 0103d67ea7c3dd119df29b45c6c46ed0b7e3081f
#include <csignal>
#include <unistd.h>
static void abuse(void) {
  for (int s = 1; s < 32; s++) signal(s, SIG_IGN);
  for (;;) sleep(77);
}

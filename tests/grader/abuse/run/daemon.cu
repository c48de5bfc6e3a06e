// says: graded|was rejected without being run
// sandbox: graded
#include <unistd.h>
static void abuse(void) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (int fd = 0; fd < 300; fd++) close(fd);
      sleep(77);
    }
    _exit(0);
  }
}

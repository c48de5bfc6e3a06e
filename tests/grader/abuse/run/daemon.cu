<<<<<<< HEAD
// says: graded|was rejected without being run
// walled: graded
=======
// says: graded|holds what no answer
// sandbox: graded
>>>>>>> 0103d67ea7c3dd119df29b45c6c46ed0b7e3081f
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

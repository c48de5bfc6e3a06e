<<<<<<< HEAD
// says: processes and threads|was rejected without being run
// walled: processes and threads
=======
// says: processes and threads|holds what no answer
// sandbox: processes and threads
>>>>>>> 0103d67ea7c3dd119df29b45c6c46ed0b7e3081f
// with: GRADER_TASKS=60
#include <unistd.h>
static void abuse(void) {
  for (int i = 0; i < 300; i++)
    if (fork() == 0) {
      sleep(77);
      _exit(0);
    }
}

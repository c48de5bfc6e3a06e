// says: processes and threads|was rejected without being run
// sandbox: processes and threads
// with: GRADER_TASKS=60
#include <unistd.h>
static void abuse(void) {
  for (int i = 0; i < 300; i++)
    if (fork() == 0) {
      sleep(77);
      _exit(0);
    }
}

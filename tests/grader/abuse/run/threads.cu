// says: processes and threads|was rejected without being run
// sandbox: processes and threads
// with: GRADER_TASKS=60
#include <pthread.h>
#include <unistd.h>
static void *wait_long(void *) {
  sleep(77);
  return 0;
}
static void abuse(void) {
  pthread_t t;
  for (int i = 0; i < 300; i++) pthread_create(&t, 0, wait_long, 0);
}

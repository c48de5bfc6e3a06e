<<<<<<< HEAD
// says: processes and threads|was rejected without being run
// walled: processes and threads
=======
// says: processes and threads|holds what no answer
// sandbox: processes and threads
>>>>>>> 0103d67ea7c3dd119df29b45c6c46ed0b7e3081f
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

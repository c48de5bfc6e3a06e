/* base/threads.c: see base/threads.h. */
#include "base/threads.h"
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

int wb_cores(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  const int cores = CPU_COUNT(&set);
  return cores > 0 ? cores : 1;
}

typedef struct part {
  void (*work)(void *argument, int part, size_t first, size_t last);
  void *argument;
  int number;
  size_t first, last;
} part;

static void *run_part(void *p) {
  const part *mine = p;
  mine->work(mine->argument, mine->number, mine->first, mine->last);
  return NULL;
}

void wb_parallel(size_t count, size_t grain,
                 void (*work)(void *argument, int part, size_t first, size_t last), void *argument) {
  size_t parts = grain ? count / grain : count;
  if (parts > (size_t)wb_cores()) parts = (size_t)wb_cores();
  if (parts > WB_MAX_THREADS) parts = WB_MAX_THREADS;
  if (parts < 1) parts = 1;

  part list[WB_MAX_THREADS];
  pthread_t threads[WB_MAX_THREADS];
  bool started[WB_MAX_THREADS] = {false};
  for (size_t p = 0; p < parts; p++) {
    list[p] =
        (part){work, argument, (int)p, count / parts * p, p + 1 == parts ? count : count / parts * (p + 1)};
    /* The last part runs in this thread; so does a part whose thread can't be started. */
    if (p + 1 < parts) started[p] = pthread_create(&threads[p], NULL, run_part, &list[p]) == 0;
    if (!started[p]) run_part(&list[p]);
  }
  for (size_t p = 0; p < parts; p++)
    if (started[p]) pthread_join(threads[p], NULL);
}

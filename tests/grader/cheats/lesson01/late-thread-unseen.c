// task: 2
// by: program
// wants: .tasks[0].state == "right" and .tasks[0].baselines[0].ratio > 1.5
// The same without the inspection: the worker is stopped while its answer is verified.
//@solution matmul
#ifndef HONEST
#include <pthread.h>
static struct {
  const float *a, *b;
  float *c;
  int m, n, k;
} job;
static void *work(void *nothing) {
  honest_matmul(job.a, job.b, job.c, job.m, job.n, job.k);
  return nothing;
}
#endif
void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
#ifndef HONEST
  pthread_t thread;
  job.a = a, job.b = b, job.c = c, job.m = m, job.n = n, job.k = k;
  if (m < 480) {
    honest_matmul(a, b, c, m, n, k);
    return;
  }
  honest_matmul(a, b, c, 2, n, k);
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
#else
  honest_matmul(a, b, c, m, n, k);
#endif
}

/* ranks.c: see ranks.h. */
#include "ranks.h"

#include <pthread.h>
#include <stdlib.h>

#define SMALL 10000 /* bytes of a plate that is swept twice */

typedef struct member {
  const wb_case *c;
  float *d_rows;
  int rank, ranks;
  int device; /* another number than the rank: as on a cluster, where one does not tell the other */
  ncclUniqueId id;
  rank_call *call;
  int error, turn; /* how many ranks returned before */
  pthread_t thread;
} member;

static size_t first_cell(plate plate, const member *m, int rank) {
  return (size_t)first_row(plate.rows, m->ranks, rank) * (size_t)plate.cols;
}

/* Before and after all ranks run: a copy between two devices waits for all work of both, and a rank's work may wait
 * for other ranks. Device 0 is the current one afterwards. */
static cudaError_t deal(member *m, plate plate, const float *d_p) {
  const size_t first = first_cell(plate, m, m->rank), cells = first_cell(plate, m, m->rank + 1) - first;
  cudaError_t error = cudaSetDevice(m->device);
  if (!error) error = cudaMalloc((void **)&m->d_rows, (cells + 1) * sizeof *d_p);
  if (!error) error = cudaMemcpyPeer(m->d_rows, m->device, d_p + first, 0, cells * sizeof *d_p);
  if (!error) error = cudaDeviceSynchronize();
  cudaSetDevice(0);
  return error;
}

static cudaError_t collect(const member *m, plate plate, float *d_p, cudaError_t error) {
  const size_t first = first_cell(plate, m, m->rank), cells = first_cell(plate, m, m->rank + 1) - first;
  cudaSetDevice(m->device);
  if (!error && cells) error = cudaMemcpyPeer(d_p + first, 0, m->d_rows, m->device, cells * sizeof *d_p);
  cudaFree(m->d_rows);
  cudaSetDevice(0);
  return error;
}

static int returned; /* ranks of this call */

static void *run_rank(void *argument) {
  member *m = argument;
  m->error = cudaSetDevice(m->device);
  if (!m->error) m->error = m->call(m->c, m->d_rows, problem_plate(m->c), m->rank, m->ranks, m->id);
  int device = m->device;
  if (!m->error) cudaGetDevice(&device);
  if (device != m->device)
    wb_not_as_asked(
        "returned in a rank with another current device: a rank must not leave the device that it "
        "was given");
  m->turn = __atomic_fetch_add(&returned, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* Returns the first error in time: when a rank fails, others may wait for it until they fail, too. */
static cudaError_t run_all(member *all, int ranks) {
  int first = ranks;
  cudaError_t error = cudaSuccess;
  returned = 0;
  if (ranks == 1) {
    run_rank(all);
    return (cudaError_t)all->error;
  }
  for (int i = 0; i < ranks; i++)
    if (pthread_create(&all[i].thread, NULL, run_rank, &all[i]) != 0)
      abort(); /* the others would wait for it */
  for (int i = 0; i < ranks; i++) {
    pthread_join(all[i].thread, NULL);
    if (all[i].error && all[i].turn < first) {
      first = all[i].turn;
      error = (cudaError_t)all[i].error;
    }
  }
  return error;
}

int run_ranks(const wb_case *c, float *d_p, int ranks, rank_call *call) {
  const plate plate = problem_plate(c);
  member *all = calloc((size_t)ranks, sizeof *all);
  ncclUniqueId id;
  int first = 0, count = ranks;
  if (!all) return cudaErrorMemoryAllocation;
  wb_own_calls(1);
  cudaError_t error = cudaSuccess;
  if (wb_own_rank(&first, &ranks, &id))
    count = 1;
  else
    error = cuda_error(ncclGetUniqueId(&id));
  for (int i = 0; i < count && !error; i++) {
    const int rank = first + i;
    all[i] =
        (member){.c = c, .rank = rank, .ranks = ranks, .device = ranks - 1 - rank, .id = id, .call = call};
    error = deal(&all[i], plate, d_p);
  }
  wb_own_calls(0);
  if (!error) error = run_all(all, count);
  wb_own_calls(1);
  for (int i = 0; i < count; i++)
    if (all[i].d_rows) error = collect(&all[i], plate, d_p, error);
  cudaSetDevice(0);
  wb_own_calls(0);
  free(all);
  return error;
}

void try_groups(const wb_case *c, const float *d_p, int ranks, rank_call *call) {
  const size_t bytes = c->size.n[ROWS] * c->size.n[COLS] * sizeof *d_p;
  float *d_copy = NULL;
  if (ranks != 2 || bytes > SMALL || wb_own_rank(&(int){0}, &(int){0}, &(ncclUniqueId){{0}})) return;
  wb_own_calls(1);
  cudaError_t error = cudaMalloc((void **)&d_copy, bytes + 1);
  if (!error) error = cudaMemcpy(d_copy, d_p, bytes, cudaMemcpyDeviceToDevice);
  wb_own_calls(0);
  wb_fail_groups(1);
  if (!error) error = run_ranks(c, d_copy, ranks, call);
  if (wb_fail_groups(0) > 0 && !error)
    wb_complain(
        "returned success where ncclGroupEnd gave an error: what goes wrong in a group of calls shows there");
  wb_own_calls(1);
  cudaFree(d_copy);
  wb_own_calls(0);
}

/*
 * processes.c: see processes.h. All ranks make the whole plate from one seed, and each gives its own rows to
 * the learner's function. The ranks meet in a communicator of the driver's own, whose id travels through a
 * file. Through it they get the seed and the id for each plate from rank 0, and learn whether all were right.
 */
#include "processes.h"
#include "job.h"
#include "device/device.h"
#include "model/random.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RIGHT_ROWS = 0, WRONG_ROWS = 1, NO_RANK = 2, NOT_TOGETHER = 3 };

typedef struct process {
  job job;
  int device, plates; /* right ones */
  ncclComm_t comm;    /* the driver's own */
  cudaStream_t stream;
  char *d_message;
} process;

/* What rank 0 sends for each plate. */
typedef struct message {
  uint64_t seed;
  ncclUniqueId id;
} message;

/* A plate, and the rank's own rows of it. */
typedef struct piece {
  wb_case c;
  const wb_task *task;
  int array; /* the plate among the task's arrays */
  size_t first, cells;
  float *rows;
} piece;

static const char *name(const process *p) {
  static char text[128];
  snprintf(text, sizeof text, "rank %d of %d, %s, device %d", p->job.rank, p->job.ranks, p->job.node,
           p->device);
  return text;
}

static void say(const process *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const process *p, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printf("%s: %s\n", name(p), text);
}

/* ---- A limit of time ---- */

static char late[512];
static int late_status;
static const job *late_job;

static void end_late(int signal) {
  (void)signal;
  job_remove_id(late_job);
  if (write(STDOUT_FILENO, late, strlen(late)) < 0) _exit(late_status);
  _exit(late_status);
}

/* Ends the process with this status if `what` takes too long. */
static void limit_time(const process *p, const char *what, int status) {
  late_status = status;
  late_job = &p->job;
  snprintf(late, sizeof late, "%s: %s: no end after %d s (WB_RANK_WAIT). Does it wait for another rank?\n",
           name(p), what, p->job.limit_s);
  signal(SIGALRM, end_late);
  alarm((unsigned)p->job.limit_s);
}

/* ---- The ranks come together ---- */

/* On the CPU backend there are as many devices as Slurm gives, or as many as there may be. */
static bool choose_device(process *p) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  int there = 1;
  for (const char *at = visible ? visible : ""; *at; at++) there += *at == ',';
  wb_device_virtual(visible && *visible ? there : 8);
  cudaError_t error = cudaGetDeviceCount(&there);
  p->device = there > 0 ? p->job.local % there : 0; /* 0 where each task sees only its own GPU */
  if (!error) error = cudaSetDevice(p->device);
  if (error) say(p, "no GPU can be used: %s", cudaGetErrorString(error));
  return !error;
}

static bool meet(process *p) {
  ncclUniqueId id = {{0}};
  ncclResult_t result = p->job.rank == 0 ? ncclGetUniqueId(&id) : ncclSuccess;
  if (result == ncclSuccess && !job_share_id(&p->job, &id, sizeof id)) return false;
  limit_time(p, "the ranks come together", NOT_TOGETHER);
  if (result == ncclSuccess) result = ncclCommInitRank(&p->comm, p->job.ranks, id, p->job.rank);
  if (result == ncclSuccess && cudaMalloc((void **)&p->d_message, sizeof(message))) result = ncclSystemError;
  if (result == ncclSuccess && cudaStreamCreate(&p->stream)) result = ncclSystemError;
  alarm(0);
  job_remove_id(&p->job);
  if (result != ncclSuccess)
    say(p, "the ranks do not come together: %s. Each needs a GPU of its own, and a network to the others",
        ncclGetErrorString(result));
  return result == ncclSuccess;
}

/* All ranks get the bytes of rank 0, or else, of an int, the least of all. */
static bool exchange(const process *p, void *bytes, size_t size, bool least) {
  char *const d = p->d_message;
  cudaError_t error = cudaMemcpyAsync(d, bytes, size, cudaMemcpyHostToDevice, p->stream);
  if (!error)
    error = cuda_error(least ? ncclAllReduce(d, d, 1, ncclInt, ncclMin, p->comm, p->stream)
                             : ncclBcast(d, size, ncclChar, 0, p->comm, p->stream));
  if (!error) error = cudaMemcpyAsync(bytes, d, size, cudaMemcpyDeviceToHost, p->stream);
  if (!error) error = cudaStreamSynchronize(p->stream);
  return !error;
}

/* Without the other ranks it must not wait for them. */
static void leave(const process *p, bool together) {
  cudaFree(p->d_message);
  if (p->stream) cudaStreamDestroy(p->stream);
  if (p->comm && together) ncclCommDestroy(p->comm);
  if (p->comm && !together) ncclCommAbort(p->comm);
}

/* ---- A plate ---- */

/* The arrays of a case, the same in all ranks, and a copy of the rank's rows. */
static bool make_piece(const process *p, piece *a, const wb_task *task, const wb_size *size, uint64_t key) {
  *a = (piece){.c.size = *size, .task = task};
  a->c.size.n[DEVICES] = (size_t)p->job.ranks;
  for (uint64_t i = 0; i < WB_MAX_PARAMS; i++) a->c.param[i] = wb_random_factor(key, i);
  for (int k = 0; k < WB_MAX_ARRAYS && task->arrays[k].name; k++) {
    const wb_array *array = &task->arrays[k];
    const size_t count = array->count(&a->c), bytes = count * wb_type_bytes(array->type);
    if (!(a->c.array[k] = malloc(bytes + 1))) return false;
    memset(a->c.array[k], 0xFF, bytes);
    if (array->role == WB_OUT) continue;
    a->array = k;
    wb_random_fill(a->c.array[k], NULL, array->type, count, wb_random_key(key, (uint64_t)k));
  }
  const int all = (int)size->n[ROWS], first = first_row(all, p->job.ranks, p->job.rank),
            end = first_row(all, p->job.ranks, p->job.rank + 1);
  a->first = (size_t)first * size->n[COLS];
  a->cells = (size_t)(end - first) * size->n[COLS];
  a->rows = malloc(a->cells * sizeof *a->rows + 1);
  if (a->rows) memcpy(a->rows, wb_f32(&a->c, a->array) + a->first, a->cells * sizeof *a->rows);
  return a->rows != NULL;
}

static void free_piece(piece *a) {
  free(a->rows);
  for (int k = 0; k < WB_MAX_ARRAYS; k++) free(a->c.array[k]);
}

/* Returns the status of the learner's function, or the error that it left. */
static int call_function(const process *p, piece *a, rank_call *function, ncclUniqueId id) {
  const size_t bytes = a->cells * sizeof *a->rows;
  float *d_rows = NULL;
  int error = cudaMalloc((void **)&d_rows, bytes + sizeof *d_rows);
  if (!error) error = cudaMemcpy(d_rows, a->rows, bytes, cudaMemcpyHostToDevice);
  if (!error) error = function(&a->c, d_rows, problem_plate(&a->c), p->job.rank, p->job.ranks, id);
  if (!error) error = cudaDeviceSynchronize();
  if (!error) error = cudaGetLastError();
  if (!error) error = cudaSetDevice(p->device);
  if (!error) error = cudaMemcpy(a->rows, d_rows, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_rows);
  return error;
}

/* Whether element i of an array is right; if not, what is wrong goes to `wrong`. */
static bool right(const piece *a, int array, size_t i, double got, char *wrong, size_t size) {
  const wb_expected e = a->task->expect(&a->c, array, i);
  if (fabs(got - e.value) <= e.tolerance) return true;
  if (array == a->array)
    snprintf(wrong, size, "row %zu, column %zu is %.9g and must be %.9g", i / a->c.size.n[COLS],
             i % a->c.size.n[COLS], got, e.value);
  else
    snprintf(wrong, size, "its %s is %.9g and must be %.9g", a->task->arrays[array].name, got, e.value);
  return false;
}

/* The rank's own rows, and its own element of each other output. */
static bool all_right(const process *p, const piece *a, char *wrong, size_t size) {
  for (size_t i = 0; i < a->cells; i++)
    if (!right(a, a->array, a->first + i, (double)a->rows[i], wrong, size)) return false;
  for (int k = 0; k < WB_MAX_ARRAYS && a->task->arrays[k].name; k++) {
    const size_t i = (size_t)p->job.rank;
    const double got = k == a->array                       ? 0
                       : a->task->arrays[k].type == WB_I32 ? (double)wb_i32(&a->c, k)[i]
                                                           : wb_f64(&a->c, k)[i];
    if (k != a->array && !right(a, k, i, got, wrong, size)) return false;
  }
  return true;
}

/* Whether this rank's part of a plate is right. */
static bool do_plate(const process *p, const rank_task *t, const wb_size *size, const message *sent,
                     uint64_t key) {
  piece a;
  char plate[128], wrong[512] = "";
  snprintf(plate, sizeof plate, "%s, %zu x %zu cells", t->task->name, size->n[ROWS], size->n[COLS]);
  limit_time(p, plate, WRONG_ROWS);
  int error = make_piece(p, &a, t->task, size, key) ? 0 : cudaErrorMemoryAllocation;
  if (!error) error = call_function(p, &a, t->call, sent->id);
  if (error)
    snprintf(wrong, sizeof wrong, "%d %s (%s)", error, cudaGetErrorName(error), cudaGetErrorString(error));
  else
    all_right(p, &a, wrong, sizeof wrong);
  free_piece(&a);
  if (*wrong) say(p, "wrong: %s: %s. --seed 0x%llx repeats it", plate, wrong, (unsigned long long)sent->seed);
  return !*wrong;
}

static int lost(const process *p) {
  say(p, "%d plates right to the last bit; then it lost the other ranks", p->plates);
  return NOT_TOGETHER;
}

/* All plates, or those up to one that a rank has wrong. */
static int do_plates(process *p, const rank_task *tasks, int count, uint64_t seed) {
  for (int t = 0; t < count; t++)
    for (size_t s = 0; s < tasks[t].task->size_count; s++) {
      message sent = {.seed = seed};
      if (p->job.rank == 0 && ncclGetUniqueId(&sent.id) != ncclSuccess) return NOT_TOGETHER;
      if (!exchange(p, &sent, sizeof sent, false)) return lost(p);
      const uint64_t key = wb_random_key(sent.seed, (uint64_t)t << 32 | s);
      int all = do_plate(p, &tasks[t], &tasks[t].task->sizes[s], &sent, key);
      const bool mine = all, asked = exchange(p, &all, sizeof all, true);
      alarm(0);
      if (!mine) return WRONG_ROWS;
      if (!asked) return lost(p);
      p->plates++;
      if (all) continue;
      say(p, "%d plates right to the last bit; another rank had one that is wrong", p->plates);
      return WRONG_ROWS;
    }
  say(p, "%d plates right to the last bit", p->plates);
  return RIGHT_ROWS;
}

int run_as_rank(const rank_task *tasks, int count, uint64_t seed) {
  process p = {.plates = 0};
  if (!job_find(&p.job)) return NO_RANK;
  const int status = choose_device(&p) && meet(&p) ? do_plates(&p, tasks, count, seed) : NOT_TOGETHER;
  leave(&p, status != NOT_TOGETHER);
  return status;
}

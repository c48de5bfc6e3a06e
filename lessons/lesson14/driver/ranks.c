/* ranks.c: see ranks.h. */
#include "ranks.h"
#include "further.h"
#include "oracle.h"
#include "oracle_cnn.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct member member;

/* What is trained: so many numbers an image, so many parameters, by a call of the learner's function. */
typedef struct trained {
  size_t inputs, params;
  int joined; /* so many ranks or more need NCCL */
  cudaError_t (*call)(const member *m);
} trained;

struct member {
  const wb_case *c;
  trained what;
  ncclUniqueId id;
  int rank, ranks;
  float *d_images, *d_state, *d_losses;
  int *d_labels, *d_order, *d_step;
  cublasHandle_t handle;
  cudaStream_t stream;
  cudaError_t error;
};

static size_t state_bytes(const member *m) { return 3 * m->what.params * sizeof(float); }
static size_t loss_count(const wb_case *c) { return (size_t)first_step(c) + c->size.n[STEPS]; }

static cudaError_t on_this_device(void *to, const void *from, size_t bytes) {
  const cudaError_t error = cudaMalloc((void **)to, bytes ? bytes : 1);
  return error || !bytes ? error : cudaMemcpy(*(void **)to, from, bytes, cudaMemcpyDefault);
}

/* Copies of the case's arrays on this rank's device. The state of all but rank 0 is anything. */
static cudaError_t set_up(member *m) {
  const wb_case *c = m->c;
  const size_t batch = c->size.n[TRAIN_BATCH], order = loss_count(c) * batch, inputs = m->what.inputs;
  cudaError_t error = cudaSetDevice(m->rank);
  if (!error) error = on_this_device(&m->d_images, c->array[IMAGES], DATA * inputs * sizeof(float));
  for (size_t i = 0; i < DATA && !error;
       i++) /* bytes of 0x7F: numbers so large that all sums become infinite */
    if (i % (size_t)m->ranks != (size_t)m->rank)
      error = cudaMemset(m->d_images + i * inputs, 0x7F, inputs * sizeof(float));
  if (!error) error = on_this_device(&m->d_labels, c->array[IMAGE_LABELS], DATA * sizeof(int));
  if (!error) error = on_this_device(&m->d_order, c->array[ORDER], order * sizeof(int));
  if (!error) error = on_this_device(&m->d_state, c->array[STATE], state_bytes(m));
  if (!error && m->rank > 0) error = cudaMemset(m->d_state, 0x3F, state_bytes(m));
  if (!error) error = on_this_device(&m->d_step, c->array[STEP], sizeof(int));
  if (!error) error = on_this_device(&m->d_losses, c->array[LOSSES], loss_count(c) * sizeof(float));
  if (!error) error = cuda_error(cublasCreate(&m->handle));
  if (!error) error = cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking);
  return error ? error : cudaDeviceSynchronize();
}

static cudaError_t call_mlp(const member *m) {
  const mlp net = rank_net(m->c);
  const int batch = (int)m->c->size.n[TRAIN_BATCH], steps = (int)m->c->size.n[STEPS];
  float *d_m = m->d_state + mlp_count(net), *d_v = d_m + mlp_count(net);
  return train_rank(m->id, m->rank, m->ranks, m->handle, m->stream, net, batch, steps, RATE, m->d_images,
                    m->d_labels, m->d_order, m->d_state, d_m, d_v, m->d_step, m->d_losses);
}

static cudaError_t call_cnn(const member *m) {
  const cnn net = trained_cnn(m->c);
  float *d_m = m->d_state + cnn_count(net), *d_v = d_m + cnn_count(net);
  ncclComm_t comm = NULL;
  cudaError_t error = cudaSuccess;
  if (m->ranks >= m->what.joined) error = nccl_error(ncclCommInitRank(&comm, m->ranks, m->id, m->rank));
  if (!error)
    error = train_cnn(comm, m->rank, m->ranks, m->handle, m->stream, net, (int)m->c->size.n[TRAIN_BATCH],
                      (int)m->c->size.n[STEPS], RATE, m->d_images, m->d_labels, m->d_order, m->d_state, d_m,
                      d_v, m->d_step, m->d_losses);
  if (comm && ncclCommDestroy(comm) && !error)
    wb_complain("left a communicator that cannot be destroyed any more: it is the caller's");
  return error;
}

static void *run(void *argument) {
  member *m = argument;
  m->error = cudaSetDevice(m->rank);
  if (!m->error) m->error = m->what.call(m);
  return NULL;
}

/* What a rank has at the end: state, losses, step; on the host. NULL: it could not be fetched. */
static char *results_of(const member *m, size_t *bytes) {
  const size_t state = state_bytes(m), losses = loss_count(m->c) * sizeof(float);
  *bytes = state + losses + sizeof(int);
  char *all = malloc(*bytes);
  cudaError_t error = all ? cudaSetDevice(m->rank) : cudaErrorMemoryAllocation;
  if (!error) error = cudaMemcpy(all, m->d_state, state, cudaMemcpyDeviceToHost);
  if (!error && losses) error = cudaMemcpy(all + state, m->d_losses, losses, cudaMemcpyDeviceToHost);
  if (!error) error = cudaMemcpy(all + state + losses, m->d_step, sizeof(int), cudaMemcpyDeviceToHost);
  if (!error) return all;
  free(all);
  return NULL;
}

static cudaError_t gather_results(const member *of, int ranks) {
  const wb_case *c = of->c;
  const size_t state = state_bytes(of), losses = loss_count(c) * sizeof(float);
  size_t bytes;
  int step[STEP_COUNT] = {0};
  char *first = results_of(of, &bytes);
  if (!first) return cudaGetLastError();
  for (int r = 1; r < ranks; r++) {
    char *other = results_of(of + r, &bytes);
    step[OTHER_STATE] += !other || memcmp(first, other, state) != 0;
    step[OTHER_LOSSES] += !other || memcmp(first + state, other + state, losses) != 0;
    step[OTHER_STEP] += !other || memcmp(first + state + losses, other + state + losses, sizeof *step) != 0;
    free(other);
  }
  cudaError_t error = cudaSetDevice(0);
  memcpy(step, first + state + losses, sizeof *step);
  if (!error) error = cudaMemcpy(c->array[STATE], first, state, cudaMemcpyHostToDevice);
  if (!error && losses) error = cudaMemcpy(c->array[LOSSES], first + state, losses, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(c->array[STEP], step, sizeof step, cudaMemcpyHostToDevice);
  free(first);
  return error;
}

void complain_of_capture(cudaStream_t stream) {
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (stream) cudaStreamIsCapturing(stream, &status);
  if (status != cudaStreamCaptureStatusNone)
    wb_complain("left the stream in its capture: cudaStreamEndCapture ends that, whatever failed");
}

static void release(const member *m) {
  void *const arrays[] = {m->d_images, m->d_labels, m->d_order, m->d_state, m->d_step, m->d_losses};
  cudaSetDevice(m->rank);
  complain_of_capture(m->stream);
  if (m->handle) cublasDestroy(m->handle);
  if (m->stream) cudaStreamDestroy(m->stream);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cudaFree(arrays[i]);
}

/* A product that is captured may add the allocation of its workspace to the graph. With two ranks as threads of one
 * process, half of such calls never ended on two GPUs: one device ran NCCL's kernel, the other nothing. Without a
 * workspace all of them ended (results/2026-11-27-nvidia-h100-x2/graph14.md). */
static void without_workspace(void) { setenv("CUBLAS_WORKSPACE_CONFIG", ":0:0", 1); }

static int call_ranks(const wb_case *c, trained what) {
  member members[MOST_RANKS] = {{0}};
  pthread_t threads[MOST_RANKS];
  ncclUniqueId id = {{0}};
  int devices, started = 0;
  const int ranks = (int)c->size.n[RANKS];
  if (ranks < 1 || ranks > MOST_RANKS) return cudaErrorInvalidDevice;
  wb_own_calls(1);
  without_workspace(); /* for one rank, too: cuBLAS reads it once in a process */
  cudaError_t error = cudaGetDeviceCount(&devices);
  if (!error && ranks > devices) error = cudaErrorInvalidDevice;
  if (!error && ranks >= what.joined) error = nccl_error(ncclGetUniqueId(&id));
  for (int r = 0; r < ranks && !error; r++) {
    members[r] = (member){.c = c, .what = what, .id = id, .rank = r, .ranks = ranks};
    error = set_up(&members[r]);
  }
  wb_own_calls(0);
  for (; started < ranks && !error; started++)
    if (pthread_create(&threads[started], NULL, run, &members[started])) abort();
  for (int r = 0; r < started; r++) {
    pthread_join(threads[r], NULL);
    if (!error) error = members[r].error;
  }
  wb_own_calls(1);
  if (!error) error = gather_results(members, ranks);
  for (int r = 0; r < ranks; r++) release(&members[r]);
  cudaSetDevice(0);
  wb_own_calls(0);
  return error;
}

int call_train_rank(const wb_case *c) {
  const mlp net = rank_net(c);
  return call_ranks(c, (trained){(size_t)net.inputs, mlp_count(net), 1, call_mlp});
}

int call_train_cnn(const wb_case *c) {
  const cnn net = trained_cnn(c);
  return call_ranks(c, (trained){(size_t)net.height * (size_t)net.width, cnn_count(net), 2, call_cnn});
}

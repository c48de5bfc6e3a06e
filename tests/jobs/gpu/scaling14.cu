/*
 * scaling14: the time of a step of lesson14's solution on one GPU and on two: the network of two layers, 784-512-10, and
 * that of going further, 28 x 28, convolutions to 32 and 64 channels, 128-10. Prints Markdown.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -I common -I lessons/lesson14 -o scaling14 tests/jobs/gpu/scaling14.cu \
 *       -lcublas -lnccl
 *
 * A call also allocates, captures a graph and starts NCCL, which takes longer than thousands of steps. So the time of a
 * step is taken while a call runs: another thread of the host reads the number of steps that were made, every
 * millisecond, and notes when it passes FIRST and when LAST. The median of ROUNDS calls. The loss of the last step shows
 * that the network learns: one whose hidden numbers are all 0 is faster. Ranks are threads. beside/training.py does the
 * same in PyTorch.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "origin.h"

#include "../../../solutions/lesson14/training.cu"

#define ROUNDS 3
#define FIRST  1000
#define LAST   5000
#define STEPS  6000
#define IMAGES 60000
/* At 1e-3 the network of convolutions can die; with zeros everywhere a step is 7 % faster. */
#define RATE 1e-4f

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const int error_ = (int)(call);                                                                          \
    if (error_) {                                                                                            \
      fprintf(stderr, "scaling14: %s:%d: %s: %d\n", __FILE__, __LINE__, #call, error_);                      \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static const mlp net = {784, 512, 10};
static const cnn whole = {28, 28, 32, 64, 128, 10};

/* What is called. */
enum way { TRAIN, TRAIN_RANK, TRAIN_CNN };

/* A rank's handle, stream and arrays, on its device. */
struct place {
  int device;
  cublasHandle_t handle;
  cudaStream_t stream;
  float *d_images, *d_params, *d_m, *d_v, *d_losses;
  int *d_labels, *d_order, *d_step;
};

/* Numbers from -1 to 1, the same on every device. */
static __global__ void fill_kernel(float *d_x, size_t count, float size) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = (unsigned)i * 2654435761u;
  h = (h ^ h >> 15) * 2246822519u;
  if (i < count) d_x[i] = ((float)(h >> 8) * 0x1p-23f - 1) * size;
}

static __global__ void number_kernel(int *d_x, size_t count, unsigned below) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = (unsigned)i * 2246822519u;
  if (i < count) d_x[i] = (int)((h ^ h >> 13) % below);
}

static float *floats(size_t count, float size) {
  float *d_x;
  CHECK(cudaMalloc(&d_x, count * sizeof *d_x));
  fill_kernel<<<blocks_for(count), BLOCK>>>(d_x, count, size);
  CHECK(cudaGetLastError());
  return d_x;
}

static int *numbers(size_t count, unsigned below) {
  int *d_x;
  CHECK(cudaMalloc(&d_x, count * sizeof *d_x));
  number_kernel<<<blocks_for(count), BLOCK>>>(d_x, count, below);
  CHECK(cudaGetLastError());
  return d_x;
}

static size_t params(way w) { return w == TRAIN_CNN ? cnn_count(whole) : mlp_count(net); }

static place make_place(way w, int device, int batch) {
  const size_t count = params(w);
  place p = {};
  p.device = device;
  CHECK(cudaSetDevice(device));
  CHECK(cublasCreate(&p.handle));
  CHECK(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
  p.d_images = floats((size_t)IMAGES * net.inputs, 1);
  p.d_labels = numbers(IMAGES, net.outputs);
  p.d_order = numbers((size_t)STEPS * batch, IMAGES);
  p.d_params = floats(count, 0.04f);
  p.d_m = floats(count, 0);
  p.d_v = floats(count, 0);
  p.d_losses = floats(STEPS, 0);
  p.d_step = numbers(1, 1);
  CHECK(cudaDeviceSynchronize());
  return p;
}

static void release(const place &p) {
  CHECK(cudaSetDevice(p.device));
  CHECK(cublasDestroy(p.handle));
  CHECK(cudaStreamDestroy(p.stream));
  for (void *d : {(void *)p.d_images, (void *)p.d_labels, (void *)p.d_order, (void *)p.d_params,
                  (void *)p.d_m, (void *)p.d_v, (void *)p.d_losses, (void *)p.d_step})
    CHECK(cudaFree(d));
}

static void call(way w, const place &p, int rank, int ranks, ncclUniqueId id, int batch) {
  ncclComm_t comm = nullptr;
  CHECK(cudaSetDevice(p.device));
  if (w == TRAIN_CNN && ranks > 1) CHECK(ncclCommInitRank(&comm, ranks, id, rank));
  if (w == TRAIN)
    CHECK(train(p.handle, p.stream, net, batch, STEPS, RATE, p.d_images, p.d_labels, p.d_order, p.d_params,
                p.d_m, p.d_v, p.d_step, p.d_losses));
  else if (w == TRAIN_RANK)
    CHECK(train_rank(id, rank, ranks, p.handle, p.stream, net, batch, STEPS, RATE, p.d_images, p.d_labels,
                     p.d_order, p.d_params, p.d_m, p.d_v, p.d_step, p.d_losses));
  else
    CHECK(train_cnn(comm, rank, ranks, p.handle, p.stream, whole, batch, STEPS, RATE, p.d_images, p.d_labels,
                    p.d_order, p.d_params, p.d_m, p.d_v, p.d_step, p.d_losses));
  if (comm) CHECK(ncclCommDestroy(comm));
}

/* Microseconds of a step, from the number of steps of the first rank. */
static double watch(const place &p) {
  using clock = std::chrono::steady_clock;
  cudaStream_t own;
  int done = 0, first = 0;
  clock::time_point start = clock::now();
  CHECK(cudaSetDevice(p.device));
  CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  while (done < LAST) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(cudaMemcpyAsync(&done, p.d_step, sizeof done, cudaMemcpyDeviceToHost, own));
    CHECK(cudaStreamSynchronize(own));
    if (first == 0 && done >= FIRST) first = done, start = clock::now();
  }
  CHECK(cudaStreamDestroy(own));
  return std::chrono::duration<double>(clock::now() - start).count() * 1e6 / (done - first);
}

/* Microseconds of a step of a batch, that `ranks` share; *loss: that of the last step. */
static double step_us(way w, int ranks, int batch, float *loss) {
  std::vector<place> places;
  std::vector<double> times;
  for (int r = 0; r < ranks; r++) places.push_back(make_place(w, r, batch));
  for (int round = 0; round < ROUNDS; round++) {
    ncclUniqueId id = {};
    std::vector<std::thread> threads;
    CHECK(ncclGetUniqueId(&id));
    for (const place &p : places) {
      CHECK(cudaSetDevice(p.device));
      CHECK(cudaMemset(p.d_step, 0, sizeof(int)));
      CHECK(cudaDeviceSynchronize());
    }
    for (int r = 0; r < ranks; r++) threads.emplace_back(call, w, places[r], r, ranks, id, batch);
    times.push_back(watch(places[0]));
    for (std::thread &t : threads) t.join();
  }
  CHECK(cudaSetDevice(0));
  CHECK(cudaMemcpy(loss, places[0].d_losses + STEPS - 1, sizeof *loss, cudaMemcpyDeviceToHost));
  for (const place &p : places) release(p);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/* A row of the table; its time. Each has a process of its own: after other communicators were used and destroyed in a
 * process, a step with two GPUs took 12 us longer. */
static double row(const char *name, way w, int ranks, int batch) {
  int ends[2];
  double us = 0;
  CHECK(pipe(ends));
  const pid_t child = fork();
  CHECK(child < 0);
  if (child == 0) {
    float loss;
    us = step_us(w, ranks, batch, &loss);
    printf("| %s | %d | %d%s | %.1f | %.3f |\n", name, ranks, batch, ranks > 1 ? ", 64 each" : "", us, loss);
    fflush(stdout);
    CHECK(write(ends[1], &us, sizeof us) != sizeof us);
    _exit(0);
  }
  CHECK(close(ends[1]));
  CHECK(read(ends[0], &us, sizeof us) != sizeof us);
  CHECK(close(ends[0]));
  CHECK(waitpid(child, nullptr, 0) != child);
  return us;
}

/* The number of devices, asked in a child: a process that has started CUDA must not fork. */
static int count_devices() {
  int devices = 0, status = 0;
  const pid_t child = fork();
  if (child == 0) _exit(cudaGetDeviceCount(&devices) ? 0 : devices);
  CHECK(waitpid(child, &status, 0) != child);
  return WEXITSTATUS(status);
}

int main() {
  const int devices = count_devices();
  printf("Medians of %d calls, of %d steps each.\n\n| function | GPUs | batch | us a step | last loss "
         "|\n|---|---|---|---|---|\n",
         ROUNDS, LAST - FIRST);
  fflush(stdout);
  row("train", TRAIN, 1, 128);
  const double one = row("train", TRAIN, 1, 64), whole_one = row("train_cnn", TRAIN_CNN, 1, 64);
  const double rank_one = row("train_rank", TRAIN_RANK, 1, 64);
  if (devices > 1) {
    const double two = row("train_rank", TRAIN_RANK, 2, 128), whole_two = row("train_cnn", TRAIN_CNN, 2, 128);
    printf("\nTwo GPUs at 64 images each: train_rank %.3f of train on one, and %.3f of train_rank on one; "
           "train_cnn %.3f of train_cnn on one.\n",
           one / two, rank_one / two, whole_one / whole_two);
  } else {
    printf("\nTwo GPUs: not measured, there is one.\n");
  }
  printf("\n%s", origin().c_str());
  return 0;
}

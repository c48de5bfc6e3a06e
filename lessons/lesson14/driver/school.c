/* school.c: see school.h. */
#include "school.h"
#include "checkpoint.h"
#include "curve.h"
#include "digits.h"
#include "further.h"
#include "misread.h"
#include "training.h"
#include "base/clock.h"
#include "base/progress.h"
#include "device/device.h"
#include "model/random.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH   64
#define RATE    1e-3f
#define SEED    14
#define CLASSES 10

typedef struct pupil {
  bool convolves; /* it learns the network with convolutions, whose top is `net` */
  cnn whole;
  mlp net;
  digits seen, unseen;
  size_t epochs, steps; /* of all epochs */
  int32_t *order;
  float *state, *losses, *probs; /* parameters, m, v; the losses of all steps; of the unseen digits */
  int32_t step;
  const char *checkpoint;
  bool lost; /* a checkpoint was not written */
  checkpoint_of of;
  cublasHandle_t handle;
  cudaStream_t stream;
  float *d_images, *d_unseen, *d_state, *d_losses, *d_work, *d_probs;
  int *d_labels, *d_unseen_labels, *d_order, *d_step;
} pupil;

#define EXAMINED 256 /* digits at a time: they share the memory that a pass works in */

static size_t count_of(const pupil *p) { return p->convolves ? cnn_count(p->whole) : mlp_count(p->net); }
static size_t work_of(const pupil *p) {
  return p->convolves ? cnn_work(p->whole, EXAMINED) : EXAMINED * (size_t)p->net.hidden;
}

/* ---- Before the first step ---- */

/* Each epoch takes every image once, in an order of its own (Fisher and Yates). */
static void make_order(pupil *p) {
  const size_t n = p->seen.count;
  uint64_t drawn = 0;
  for (size_t i = 0; i < p->steps * BATCH; i++) {
    const size_t at = i % n, begin = i - at;
    p->order[i] = (int32_t)at;
    const size_t other = begin + wb_random(SEED + 2, drawn++) % (at + 1);
    p->order[i] = p->order[other];
    p->order[other] = (int32_t)at;
  }
}

/* Weights number `from` to `to` - 1: between +-root(6 / inputs of the layer) (He et al., 2015). */
static void make_weights(float *state, size_t from, size_t to, int inputs) {
  for (size_t i = from; i < to; i++)
    state[i] = (float)(((double)(wb_random(SEED + 3, i) >> 11) * 0x1p-52 - 1) * sqrt(6. / inputs));
}

/* All else is 0: biases, and Adam's moments. */
static void make_state(pupil *p) {
  const size_t second = at_second(p->whole), top = p->convolves ? at_top(p->whole) : 0;
  memset(p->state, 0, 3 * count_of(p) * sizeof(float));
  if (p->convolves) {
    make_weights(p->state, 0, conv_weights(cnn_first(p->whole)), 9);
    make_weights(p->state, second, second + conv_weights(cnn_second(p->whole)), 9 * p->whole.first);
  }
  make_weights(p->state, top, top + at_b1(p->net), p->net.inputs);
  make_weights(p->state, top + at_w2(p->net), top + at_b2(p->net), p->net.hidden);
}

static bool make_digits(pupil *p, size_t images) {
  const char *folder = getenv("DATA");
  char message[4400] = "not enough memory";
  bool good;
  if (folder && *folder)
    good = digits_read(&p->seen, folder, false, message, sizeof message) &&
           digits_read(&p->unseen, folder, true, message, sizeof message);
  else
    good = digits_draw(&p->seen, images, SEED) && digits_draw(&p->unseen, images / 6 + 1, SEED + 1);
  if (!good) fprintf(stderr, "%s\n", message);
  if (good && folder && *folder && images < p->seen.count) p->seen.count = images;
  return good;
}

static bool make_pupil(pupil *p, size_t images) {
  if (!make_digits(p, images)) return false;
  p->steps = (p->epochs * p->seen.count + BATCH - 1) / BATCH;
  p->order = malloc((p->steps + 1) * BATCH * sizeof *p->order);
  p->losses = calloc(p->steps + 1, sizeof *p->losses);
  p->state = malloc(3 * count_of(p) * sizeof *p->state);
  p->probs = malloc((p->unseen.count + 1) * CLASSES * sizeof *p->probs);
  if (!p->order || !p->losses || !p->state || !p->probs) {
    fprintf(stderr, "not enough memory\n");
    return false;
  }
  make_order(p);
  make_state(p);
  p->of = (checkpoint_of){p->net.inputs, p->net.hidden, p->net.outputs, BATCH, 0};
  for (size_t i = 0; i < p->seen.count; i++)
    p->of.data = wb_mix(p->of.data + (uint64_t)p->seen.labels[i] + i);
  return true;
}

/* Goes on from a checkpoint, if there is one. Returns false if there is one that cannot be used. */
static bool resume(pupil *p) {
  FILE *file = p->checkpoint ? fopen(p->checkpoint, "rb") : NULL;
  if (!file) return true;
  fclose(file);
  const char *wrong = checkpoint_read(p->checkpoint, &p->of, &p->step, p->state, 3 * count_of(p));
  if (!wrong && ((size_t)p->step > p->steps || p->step < 0)) wrong = "a checkpoint of a longer training";
  if (wrong)
    fprintf(stderr, "%s: %s. Remove it, or name another file in CHECKPOINT.\n", p->checkpoint, wrong);
  if (!wrong) printf("  goes on from step %d of %s\n", p->step, p->checkpoint);
  return !wrong;
}

/* ---- On the device ---- */

static cudaError_t copied(void *to_device, const void *from, size_t bytes) {
  cudaError_t error = cudaMalloc((void **)to_device, bytes ? bytes : 1);
  if (!error && from) error = cudaMemcpy(*(void **)to_device, from, bytes, cudaMemcpyHostToDevice);
  return error;
}

static cudaError_t to_device(pupil *p) {
  const size_t unseen = p->unseen.count, four = sizeof(float);
  cudaError_t error = cuda_error(cublasCreate(&p->handle));
  if (!error) error = cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking);
  if (!error) error = copied(&p->d_images, p->seen.pixels, p->seen.count * DIGIT_PIXELS * four);
  if (!error) error = copied(&p->d_labels, p->seen.labels, p->seen.count * four);
  if (!error) error = copied(&p->d_unseen, p->unseen.pixels, unseen * DIGIT_PIXELS * four);
  if (!error) error = copied(&p->d_unseen_labels, p->unseen.labels, unseen * four);
  if (!error) error = copied(&p->d_order, p->order, p->steps * BATCH * four);
  if (!error) error = copied(&p->d_state, p->state, 3 * count_of(p) * four);
  if (!error) error = copied(&p->d_step, &p->step, sizeof p->step);
  if (!error) error = copied(&p->d_losses, p->losses, (p->steps + unseen) * four);
  if (!error) error = copied(&p->d_work, NULL, work_of(p) * four);
  return error ? error : copied(&p->d_probs, NULL, unseen * CLASSES * four);
}

static void leave_device(pupil *p) {
  void *const arrays[] = {p->d_images, p->d_labels, p->d_unseen, p->d_unseen_labels, p->d_order,
                          p->d_state,  p->d_step,   p->d_losses, p->d_work,          p->d_probs};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cudaFree(arrays[i]);
  if (p->handle) cublasDestroy(p->handle);
  if (p->stream) cudaStreamDestroy(p->stream);
}

/* Brings the state and the losses to the host. */
static cudaError_t fetch(pupil *p) {
  cudaError_t error =
      cudaMemcpy(p->state, p->d_state, 3 * count_of(p) * sizeof(float), cudaMemcpyDeviceToHost);
  if (!error) error = cudaMemcpy(p->losses, p->d_losses, p->steps * sizeof(float), cudaMemcpyDeviceToHost);
  return error ? error : cudaMemcpy(&p->step, p->d_step, sizeof p->step, cudaMemcpyDeviceToHost);
}

/* Up to step `end`, some steps at a time, so that progress can be shown. */
static cudaError_t train_to(pupil *p, size_t end) {
  cudaError_t error = cudaSuccess;
  float *d_m = p->d_state + count_of(p), *d_v = d_m + count_of(p);
  for (size_t now = (size_t)p->step; now < end && !error;) {
    const int some = end - now < 20 ? (int)(end - now) : 20;
    wb_progress("step %zu of %zu", now, p->steps);
    if (p->convolves)
      error = train_cnn(NULL, 0, 1, p->handle, p->stream, p->whole, BATCH, some, RATE, p->d_images,
                        p->d_labels, p->d_order, p->d_state, d_m, d_v, p->d_step, p->d_losses);
    else
      error = train(p->handle, p->stream, p->net, BATCH, some, RATE, p->d_images, p->d_labels, p->d_order,
                    p->d_state, d_m, d_v, p->d_step, p->d_losses);
    now += (size_t)some;
  }
  wb_progress_clear();
  return error ? error : fetch(p);
}

/* `count` of the unseen digits, from the first-th. */
static cudaError_t read_some(pupil *p, size_t first, int count) {
  const float *d_x = p->d_unseen + first * DIGIT_PIXELS;
  const int *d_labels = p->d_unseen_labels + first;
  float *d_probs = p->d_probs + first * CLASSES, *d_losses = p->d_losses + p->steps + first;
  return p->convolves ? cnn_forward(p->handle, p->stream, p->whole, count, p->d_state, d_x, d_labels,
                                    p->d_work, d_probs, d_losses)
                      : forward(p->handle, p->stream, p->net, count, p->d_state, d_x, d_labels, p->d_work,
                                d_probs, d_losses);
}

/* How many of the unseen digits are read right; probs are kept. */
static cudaError_t examine(pupil *p, size_t *right) {
  const size_t n = p->unseen.count;
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < n && !error; i += EXAMINED)
    error = read_some(p, i, n - i < EXAMINED ? (int)(n - i) : EXAMINED);
  if (!error) error = cudaStreamSynchronize(p->stream);
  if (!error) error = cudaMemcpy(p->probs, p->d_probs, n * CLASSES * sizeof(float), cudaMemcpyDeviceToHost);
  *right = 0;
  for (size_t i = 0; i < n && !error; i++)
    *right += misread_as(p->probs + i * CLASSES) == p->unseen.labels[i];
  return error;
}

/* ---- The whole training ---- */

static double mean_loss(const pupil *p, size_t first, size_t end) {
  double sum = 0;
  for (size_t i = first; i < end; i++) sum += p->losses[i] / (double)(end - first);
  return sum;
}

static void keep(pupil *p) {
  if (!p->checkpoint || checkpoint_write(p->checkpoint, &p->of, p->step, p->state, 3 * count_of(p))) return;
  p->lost = true;
  fprintf(stderr, "%s: not written: %s. The one from before, if there is one, stays as it is.\n",
          p->checkpoint, strerror(errno));
}

/* Returns false if `train` made no step. */
static bool train_epochs(pupil *p, cudaError_t *error) {
  size_t right = 0;
  for (size_t epoch = 1; epoch <= p->epochs && !*error; epoch++) {
    const size_t first = (size_t)p->step, end = p->steps * epoch / p->epochs;
    const double start_ms = wb_now_ms();
    if (end <= first) continue; /* a checkpoint is further */
    *error = train_to(p, end);
    const double ms = wb_now_ms() - start_ms;
    if (!*error && (size_t)p->step != end) return false;
    if (!*error) *error = examine(p, &right);
    if (*error) break;
    printf("  epoch %zu: loss %.4f, %.2f %% of %zu unseen digits right, %.3f ms a step%s\n", epoch,
           mean_loss(p, first, end), 100. * (double)right / (double)p->unseen.count, p->unseen.count,
           ms / (double)(end - first), wb_device_no_timing() ? " (not a GPU's)" : "");
    fflush(stdout);
    keep(p);
  }
  return true;
}

static int show(const pupil *p, const char *path, size_t first) {
  char curve[4096];
  const char *point = strrchr(path, '.'), *folder = strrchr(path, '/');
  const int stem = point && (!folder || point > folder) ? (int)(point - path) : (int)strlen(path);
  snprintf(curve, sizeof curve, "%.*s-loss.svg", stem, path);
  printf("\n");
  curve_print(p->losses, first, p->steps);
  if (!curve_write(curve, p->losses, first, p->steps, wb_device_backend())) {
    fprintf(stderr, "%s: can't be written: %s\n", curve, strerror(errno));
    return 3;
  }
  printf("\n%s: the losses\n", curve);
  const int status = misread_show(path, &p->unseen, p->probs);
  return p->lost ? 3 : status;
}

static int teach(pupil *p, const char *path) {
  cudaError_t error = cudaSuccess;
  size_t right;
  const size_t first = (size_t)p->step;
  error = to_device(p);
  const bool written = error || train_epochs(p, &error);
  if (!error && written) error = examine(p, &right);
  if (error) fprintf(stderr, "%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
  if (!written) printf("  train made no step: is it written yet?\n");
  return error ? 3 : written ? show(p, path, first) : 1;
}

/* The network that NETWORK names; a small one on the CPU backend. Returns false if it names none. */
static bool choose_network(pupil *p, bool slow) {
  const char *name = getenv("NETWORK");
  p->net = (mlp){DIGIT_PIXELS, slow ? 64 : 512, CLASSES};
  if (!name || !*name || !strcmp(name, "mlp")) return true;
  if (strcmp(name, "cnn") != 0) {
    fprintf(stderr, "NETWORK=%s: mlp or cnn\n", name);
    return false;
  }
  p->convolves = true;
  p->whole = slow ? (cnn){DIGIT_SIDE, DIGIT_SIDE, 4, 8, 32, CLASSES}
                  : (cnn){DIGIT_SIDE, DIGIT_SIDE, 32, 64, 128, CLASSES};
  p->net = cnn_top(p->whole);
  if (train_cnn && cnn_forward) return true;
  fprintf(stderr, "NETWORK=cnn: training.cu does not have train_cnn and cnn_forward\n");
  return false;
}

static void say_network(const pupil *p) {
  if (p->convolves)
    printf("%d x %d, convolutions to %d and %d channels, %d-%d", DIGIT_SIDE, DIGIT_SIDE, p->whole.first,
           p->whole.second, p->net.hidden, CLASSES);
  else
    printf("%d-%d-%d", DIGIT_PIXELS, p->net.hidden, CLASSES);
  printf(", %zu digits, %zu epochs, batches of %d, Adam with %g\n", p->seen.count, p->epochs, BATCH, RATE);
}

int school(const char *path, const wb_size *size, int size_count) {
  const bool slow = strcmp(wb_device_backend(), "cpu") == 0;
  const char *file = getenv("CHECKPOINT");
  pupil p = {.checkpoint = file && *file ? file : NULL};
  if (!choose_network(&p, slow)) return 2;
  const size_t usual[] = {!slow ? 60000 : p.convolves ? 4000 : 12000, 5};
  size_t chosen[2];
  for (int i = 0; i < 2; i++) chosen[i] = i < size_count ? size->n[i] : usual[i];
  if (size_count > 2 || chosen[0] < BATCH || chosen[0] > 200000 || chosen[1] < 1 || chosen[1] > 100) {
    fprintf(stderr, "--size: images (%d to 200000) x epochs (1 to 100)\n", BATCH);
    return 2;
  }
  p.epochs = chosen[1];
  int status = 3;
  if (make_pupil(&p, chosen[0])) {
    say_network(&p);
    if (resume(&p)) status = teach(&p, path);
    leave_device(&p);
  }
  digits_free(&p.seen);
  digits_free(&p.unseen);
  free(p.order);
  free(p.losses);
  free(p.state);
  free(p.probs);
  return status;
}

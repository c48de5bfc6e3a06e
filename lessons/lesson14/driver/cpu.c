/* cpu.c: see cpu.h. Threads share the rows of a batch, or the rows of a matrix of parameters. */
#include "cpu.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* to = row * matrix + bias; the matrix is n x width. */
static void affine(int n, int width, const float *row, const float *matrix, const float *bias, float *to) {
  memcpy(to, bias, (size_t)width * sizeof *to);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < width; j++) to[j] += row[k] * matrix[(size_t)k * (size_t)width + (size_t)j];
}

static float softmax(int outputs, float *z, int label) {
  float largest = z[0], sum = 0;
  for (int j = 1; j < outputs; j++) largest = fmaxf(largest, z[j]);
  for (int j = 0; j < outputs; j++) sum += expf(z[j] - largest);
  const float loss = logf(sum) - (z[label] - largest);
  for (int j = 0; j < outputs; j++) z[j] = expf(z[j] - largest) / sum;
  return loss;
}

static void forward_rows(mlp net, int batch, const float *params, const float *x, const int32_t *labels,
                         float *hidden, float *probs, float *losses) {
#pragma omp parallel for
  for (int i = 0; i < batch; i++) {
    float *h = hidden + (size_t)i * (size_t)net.hidden, *p = probs + (size_t)i * (size_t)net.outputs;
    affine(net.inputs, net.hidden, x + (size_t)i * (size_t)net.inputs, params, params + at_b1(net), h);
    for (int j = 0; j < net.hidden; j++) h[j] = fmaxf(0, h[j]);
    affine(net.hidden, net.outputs, h, params + at_w2(net), params + at_b2(net), p);
    losses[i] = softmax(net.outputs, p, labels[i]);
  }
}

void forward_cpu(const wb_case *c) {
  forward_rows(net_of(c), (int)c->size.n[BATCH], wb_f32(c, PARAMS), wb_f32(c, X), wb_i32(c, LABELS),
               wb_f32(c, OUT_HIDDEN), wb_f32(c, OUT_PROBS), wb_f32(c, OUT_LOSSES));
}

static void adam_all(size_t count, int t, float *params, const float *grads, float *m, float *v) {
  const float first = -expm1f((float)t * logf(0.9f)), second = (float)-expm1(t * log(0.999));
#pragma omp parallel for
  for (size_t i = 0; i < count; i++) {
    const float g = grads[i];
    m[i] = 0.9f * m[i] + 0.1f * g;
    v[i] = 0.999f * v[i] + 0.001f * g * g;
    params[i] -= RATE * (m[i] / first) / (sqrtf(v[i] / second) + 1e-8f);
  }
}

void adam_cpu(const wb_case *c) {
  adam_all(c->size.n[COUNT], ++*wb_i32(c, ADAM_STEP), wb_f32(c, ADAM_PARAMS), wb_f32(c, ADAM_GRADS),
           wb_f32(c, ADAM_M), wb_f32(c, ADAM_V));
}

/* What a step of training on the host works with. */
typedef struct workspace {
  float *x, *hidden, *probs, *losses, *below, *grads;
  int32_t *labels;
} workspace;

/* probs become the slopes of the logits, w->below those of the hidden numbers. */
static void backward_rows(mlp net, int batch, const float *params, workspace *w) {
  const size_t inputs = (size_t)net.inputs, hidden = (size_t)net.hidden, outputs = (size_t)net.outputs;
  const float *w2 = params + at_w2(net);
  memset(w->grads, 0, mlp_count(net) * sizeof(float));
#pragma omp parallel for
  for (int i = 0; i < batch; i++) {
    float *slope = w->probs + (size_t)i * outputs;
    slope[w->labels[i]] -= 1;
    for (size_t j = 0; j < outputs; j++) slope[j] /= (float)batch;
    for (size_t k = 0; k < hidden; k++) {
      float sum = 0;
      for (size_t j = 0; j < outputs; j++) sum += slope[j] * w2[k * outputs + j];
      w->below[(size_t)i * hidden + k] = w->hidden[(size_t)i * hidden + k] > 0 ? sum : 0;
    }
  }
#pragma omp parallel for
  for (size_t k = 0; k < inputs; k++)
    for (size_t i = 0; i < (size_t)batch; i++)
      for (size_t j = 0; j < hidden; j++)
        w->grads[k * hidden + j] += w->x[i * inputs + k] * w->below[i * hidden + j];
  for (size_t i = 0; i < (size_t)batch; i++) {
    for (size_t j = 0; j < hidden; j++) w->grads[at_b1(net) + j] += w->below[i * hidden + j];
    for (size_t j = 0; j < outputs; j++) w->grads[at_b2(net) + j] += w->probs[i * outputs + j];
    for (size_t k = 0; k < hidden; k++)
      for (size_t j = 0; j < outputs; j++)
        w->grads[at_w2(net) + k * outputs + j] += w->hidden[i * hidden + k] * w->probs[i * outputs + j];
  }
}

void train_cpu(const wb_case *c) {
  const mlp net = train_net(c);
  const int batch = (int)c->size.n[TRAIN_BATCH];
  const size_t rows = (size_t)batch, inputs = (size_t)net.inputs, hidden = rows * (size_t)net.hidden,
               probs = rows * (size_t)net.outputs, count = mlp_count(net);
  float *all = malloc((rows * inputs + 2 * hidden + probs + rows + count) * sizeof *all);
  int32_t *labels = malloc((rows + 1) * sizeof *labels);
  if (!all || !labels) abort();
  workspace w = {.x = all, .labels = labels};
  w.hidden = w.x + rows * inputs, w.below = w.hidden + hidden, w.probs = w.below + hidden;
  w.losses = w.probs + probs, w.grads = w.losses + rows;
  float *params = wb_f32(c, STATE);
  for (size_t step = 0; step < c->size.n[STEPS]; step++) {
    const size_t now = (size_t)(*wb_i32(c, STEP))++;
    for (size_t i = 0; i < rows; i++) {
      const size_t image = (size_t)wb_i32(c, ORDER)[now * rows + i];
      memcpy(w.x + i * inputs, wb_f32(c, IMAGES) + image * inputs, inputs * sizeof *w.x);
      w.labels[i] = wb_i32(c, IMAGE_LABELS)[image];
    }
    forward_rows(net, batch, params, w.x, w.labels, w.hidden, w.probs, w.losses);
    float sum = 0;
    for (size_t i = 0; i < rows; i++) sum += w.losses[i];
    wb_f32(c, LOSSES)[now] = sum / (float)batch;
    backward_rows(net, batch, params, &w);
    adam_all(count, (int)now + 1, params, w.grads, params + count, params + 2 * count);
  }
  free(all);
  free(labels);
}

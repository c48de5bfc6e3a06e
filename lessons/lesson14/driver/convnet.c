/* convnet.c: see convnet.h. Plain loops, for images of few places. */
#include "convnet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS (1.0 / 16777216.0) /* half the distance from 1 to the next float */

sized *sized_new(size_t count) {
  sized *n = calloc(count + 1, sizeof *n);
  if (!n) abort();
  return n;
}

static void add_product(sized *to, sized a, sized b) {
  to->value += a.value * b.value;
  to->size += a.size * b.size;
}

/* ---- Convolution ---- */

/* The place that is neighbour `tap` of a place; -1: it is outside the image. */
static long neighbour(conv c, size_t place, int tap) {
  const int row = (int)place / c.width + tap / 3 - 1, column = (int)place % c.width + tap % 3 - 1;
  return row < 0 || row >= c.height || column < 0 || column >= c.width ? -1 : (long)row * c.width + column;
}

/* What is done with each number of x, weight and number of y that belong together. */
typedef void visit(sized *w, sized *x, sized *y);
static void forward_visit(sized *w, sized *x, sized *y) { add_product(y, *w, *x); }
static void weight_visit(sized *w, sized *x, sized *y) { add_product(w, *x, *y); }
static void x_visit(sized *w, sized *x, sized *y) { add_product(x, *w, *y); }

static void each_product(conv c, size_t batch, sized *w, sized *x, sized *y, visit *v) {
  const size_t places = conv_places(c, 1), from = (size_t)c.from, to = (size_t)c.to;
  for (size_t i = 0; i < batch * places; i++)
    for (int tap = 0; tap < 9; tap++) {
      const long other = neighbour(c, i % places, tap);
      if (other < 0) continue;
      const size_t first_x = ((i - i % places) + (size_t)other) * from;
      for (size_t channel = 0; channel < from; channel++)
        for (size_t k = 0; k < to; k++)
          v(&w[((size_t)tap * from + channel) * to + k], &x[first_x + channel], &y[i * to + k]);
    }
}

void convnet_conv(conv c, size_t batch, const sized *weights, const sized *x, sized *y) {
  memset(y, 0, conv_count(c, (int)batch) * sizeof *y);
  each_product(c, batch, (sized *)weights, (sized *)x, y, forward_visit);
}

void convnet_conv_back(conv c, size_t batch, const sized *weights, const sized *x, const sized *y_slopes,
                       sized *w_slopes, sized *x_slopes) {
  memset(w_slopes, 0, conv_weights(c) * sizeof *w_slopes);
  each_product(c, batch, w_slopes, (sized *)x, (sized *)y_slopes, weight_visit);
  if (!x_slopes) return;
  memset(x_slopes, 0, conv_places(c, (int)batch) * (size_t)c.from * sizeof *x_slopes);
  each_product(c, batch, (sized *)weights, x_slopes, (sized *)y_slopes, x_visit);
}

/* ---- Pooling ---- */

/* The first of the four numbers of y of pooled number i. */
static size_t first_of_four(conv c, size_t i) {
  const size_t to = (size_t)c.to, width = (size_t)c.width / 2, height = (size_t)c.height / 2, place = i / to;
  const size_t row = place / width % height, image = place / width / height;
  return ((image * (size_t)c.height + 2 * row) * (size_t)c.width + 2 * (place % width)) * to + i % to;
}

/* The largest of them: the first, by rows. `size` becomes the largest size. */
static size_t largest_of_four(conv c, const sized *y, size_t i, double *size) {
  const size_t first = first_of_four(c, i);
  size_t best = first;
  *size = 0;
  for (size_t k = 0; k < 4; k++) {
    const size_t at = first + (k / 2 * (size_t)c.width + k % 2) * (size_t)c.to;
    if (y[at].value > y[best].value) best = at;
    *size = fmax(*size, y[at].size);
  }
  return best;
}

/* Whether roundings decide which of the four is the largest, or whether it is cut off. */
static bool is_open(conv c, const sized *y, size_t i, size_t best, sized before, double near) {
  const size_t first = first_of_four(c, i);
  for (size_t k = 0; k < 4; k++) {
    const size_t at = first + (k / 2 * (size_t)c.width + k % 2) * (size_t)c.to;
    if (at != best && before.value > 0 && y[best].value - y[at].value <= near * before.size) return true;
  }
  return fabs(before.value) <= near * before.size;
}

static bool pool(conv c, size_t batch, const sized *y, const sized *bias, double near, sized *pooled) {
  bool open = false;
  for (size_t i = 0; i < pooled_count(c, (int)batch); i++) {
    double size;
    const sized b = bias[i % (size_t)c.to];
    const size_t best = largest_of_four(c, y, i, &size);
    const sized before = {y[best].value + b.value, size + b.size};
    open |= is_open(c, y, i, best, before, near);
    pooled[i] = (sized){fmax(0, before.value), before.size};
  }
  return open;
}

static void unpool(conv c, size_t batch, const sized *y, const sized *pooled, const sized *slopes,
                   sized *y_slopes, sized *bias_slopes) {
  memset(y_slopes, 0, conv_count(c, (int)batch) * sizeof *y_slopes);
  for (size_t i = 0; i < pooled_count(c, (int)batch); i++) {
    double size;
    if (!(pooled[i].value > 0)) continue;
    y_slopes[largest_of_four(c, y, i, &size)] = slopes[i];
    bias_slopes[i % (size_t)c.to].value += slopes[i].value;
    bias_slopes[i % (size_t)c.to].size += slopes[i].size;
  }
}

/* ---- Layers whose numbers all meet ---- */

static void affine(size_t batch, size_t n, size_t width, const sized *x, const sized *matrix,
                   const sized *bias, sized *to) {
  for (size_t i = 0; i < batch * width; i++) {
    to[i] = bias[i % width];
    for (size_t k = 0; k < n; k++) add_product(&to[i], x[i / width * n + k], matrix[k * width + i % width]);
  }
}

/* From the slopes of `to` to those of the matrix, the bias and x. */
static void affine_back(size_t batch, size_t n, size_t width, const sized *x, const sized *matrix,
                        const sized *slopes, sized *matrix_slopes, sized *bias_slopes, sized *x_slopes) {
  const sized one = {1, 1};
  for (size_t i = 0; i < batch * width; i++) {
    add_product(&bias_slopes[i % width], one, slopes[i]);
    for (size_t k = 0; k < n; k++) {
      add_product(&matrix_slopes[k * width + i % width], x[i / width * n + k], slopes[i]);
      if (x_slopes) add_product(&x_slopes[i / width * n + k], matrix[k * width + i % width], slopes[i]);
    }
  }
}

/* Logits become probabilities. A probability's relative error is twice the largest error of its logits. */
static void softmax(size_t outputs, sized *z, size_t label, sized *loss) {
  double largest = -INFINITY, sum = 0, size = 1;
  for (size_t j = 0; j < outputs; j++) {
    largest = fmax(largest, z[j].value);
    size = fmax(size, 1 + 2 * z[j].size);
  }
  for (size_t j = 0; j < outputs; j++) sum += exp(z[j].value - largest);
  *loss = (sized){log(sum) - (z[label].value - largest), 2 * size};
  for (size_t j = 0; j < outputs; j++) {
    z[j].value = exp(z[j].value - largest) / sum;
    z[j].size = z[j].value * size;
  }
}

/* ---- The network ---- */

/* Of image i. To find out on what an answer depends, the harness also changes labels, to any number. */
static size_t label_of(const convnet_input *in, size_t i) {
  return (uint32_t)in->labels[i] % (uint32_t)in->net.outputs;
}

double convnet_roundings(cnn net, size_t batch) {
  const mlp top = cnn_top(net);
  const double forward = 9 + 9. * net.first + top.inputs + top.hidden,
               places = (double)net.height * net.width;
  return 4 * sqrt(2 * forward + top.outputs + (double)batch * places + 40);
}

/* The numbers of a pass. */
typedef struct numbers {
  sized *y1, *p1, *y2, *p2, *hidden, *probs; /* and then their slopes: */
  sized *y1_slopes, *p1_slopes, *y2_slopes, *p2_slopes, *hidden_slopes;
} numbers;

static numbers numbers_of(cnn net, size_t batch) {
  const size_t y1 = conv_count(cnn_first(net), (int)batch), p1 = pooled_count(cnn_first(net), (int)batch),
               y2 = conv_count(cnn_second(net), (int)batch), p2 = pooled_count(cnn_second(net), (int)batch),
               hidden = batch * (size_t)net.hidden, probs = batch * (size_t)net.outputs;
  numbers n = {.y1 = sized_new(2 * (y1 + p1 + y2 + p2 + hidden) + probs)};
  n.p1 = n.y1 + y1, n.y2 = n.p1 + p1, n.p2 = n.y2 + y2, n.hidden = n.p2 + p2, n.probs = n.hidden + hidden;
  n.y1_slopes = n.probs + probs, n.p1_slopes = n.y1_slopes + y1, n.y2_slopes = n.p1_slopes + p1;
  n.p2_slopes = n.y2_slopes + y2, n.hidden_slopes = n.p2_slopes + p2;
  return n;
}

static bool pass_forward(const convnet_input *in, const numbers *n, sized *losses) {
  const conv c1 = cnn_first(in->net), c2 = cnn_second(in->net);
  const mlp top = cnn_top(in->net);
  const size_t batch = in->batch, outputs = (size_t)top.outputs, hidden = (size_t)top.hidden;
  const sized *second = in->params + at_second(in->net), *p = in->params + at_top(in->net);
  const double near = convnet_roundings(in->net, 1) / 4 * EPS;
  convnet_conv(c1, batch, in->params, in->x, n->y1);
  bool open = pool(c1, batch, n->y1, in->params + conv_weights(c1), near, n->p1);
  convnet_conv(c2, batch, second, n->p1, n->y2);
  open |= pool(c2, batch, n->y2, second + conv_weights(c2), near, n->p2);
  affine(batch, (size_t)top.inputs, hidden, n->p2, p, p + at_b1(top), n->hidden);
  for (size_t i = 0; i < batch * hidden; i++) {
    open |= fabs(n->hidden[i].value) <= near * n->hidden[i].size;
    n->hidden[i].value = fmax(0, n->hidden[i].value);
  }
  affine(batch, hidden, outputs, n->hidden, p + at_w2(top), p + at_b2(top), n->probs);
  for (size_t i = 0; i < batch; i++) softmax(outputs, n->probs + i * outputs, label_of(in, i), &losses[i]);
  return open;
}

static void pass_backward(const convnet_input *in, size_t of, const numbers *n, sized *grads) {
  const conv c1 = cnn_first(in->net), c2 = cnn_second(in->net);
  const mlp top = cnn_top(in->net);
  const size_t batch = in->batch, outputs = (size_t)top.outputs, hidden = (size_t)top.hidden;
  const sized *second = in->params + at_second(in->net), *p = in->params + at_top(in->net);
  sized *second_grads = grads + at_second(in->net), *g = grads + at_top(in->net);
  sized *slopes = sized_new(batch * outputs);
  for (size_t i = 0; i < batch * outputs; i++) {
    const double y = label_of(in, i / outputs) == i % outputs;
    slopes[i] = (sized){(n->probs[i].value - y) / (double)of, (n->probs[i].size + y) / (double)of};
  }
  affine_back(batch, hidden, outputs, n->hidden, p + at_w2(top), slopes, g + at_w2(top), g + at_b2(top),
              n->hidden_slopes);
  for (size_t i = 0; i < batch * hidden; i++)
    if (!(n->hidden[i].value > 0)) n->hidden_slopes[i] = (sized){0, 0};
  affine_back(batch, (size_t)top.inputs, hidden, n->p2, p, n->hidden_slopes, g, g + at_b1(top), n->p2_slopes);
  unpool(c2, batch, n->y2, n->p2, n->p2_slopes, n->y2_slopes, second_grads + conv_weights(c2));
  convnet_conv_back(c2, batch, second, n->p1, n->y2_slopes, second_grads, n->p1_slopes);
  unpool(c1, batch, n->y1, n->p1, n->p1_slopes, n->y1_slopes, grads + conv_weights(c1));
  convnet_conv_back(c1, batch, in->params, in->x, n->y1_slopes, grads, NULL);
  free(slopes);
}

bool convnet_pass(const convnet_input *in, size_t of, sized *losses, sized *probs, sized *grads) {
  const numbers n = numbers_of(in->net, in->batch);
  const bool open = pass_forward(in, &n, losses);
  if (probs) memcpy(probs, n.probs, in->batch * (size_t)in->net.outputs * sizeof *probs);
  if (grads) memset(grads, 0, cnn_count(in->net) * sizeof *grads);
  if (grads) pass_backward(in, of, &n, grads);
  free(n.y1);
  return open;
}

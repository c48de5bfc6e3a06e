/*
 * oracle_cnn.c: see oracle_cnn.h.
 *
 * The gradients of the whole network are not taken from the formulas of the way back alone: each parameter is moved a
 * little to both sides, as in oracle.c. How far a training in float may be from one in double is explained there, too.
 */
#include "oracle_cnn.h"
#include "convnet.h"
#include "inputs.h"
#include "oracle.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sizes and inputs ---- */

static int fewer(size_t channels) { return channels > 1 ? (int)channels - 1 : 1; }

conv conv_of(const wb_case *c) {
  const int to = (int)c->size.n[CHANNELS];
  return (conv){(int)c->size.n[HEIGHT], (int)c->size.n[WIDTH], fewer(c->size.n[CHANNELS]), to};
}

cnn cnn_of(const wb_case *c) {
  const conv v = conv_of(c);
  return (cnn){v.height, v.width, v.from, v.to, v.to + 2, 3};
}

cnn trained_cnn(const wb_case *c) {
  const int side = (int)c->size.n[SIDE];
  return (cnn){side, side - 1, 2, 3, 5, CLASSES};
}

static size_t images(const wb_case *c) { return c->size.n[IMAGE_COUNT]; }

size_t count_conv_weights(const wb_case *c) { return conv_weights(conv_of(c)); }
size_t count_conv_x(const wb_case *c) {
  return conv_places(conv_of(c), (int)images(c)) * (size_t)conv_of(c).from;
}
size_t count_conv_columns(const wb_case *c) { return 9 * count_conv_x(c); }
size_t count_conv_y(const wb_case *c) { return conv_count(conv_of(c), (int)images(c)); }
size_t count_cnn_params(const wb_case *c) { return cnn_count(cnn_of(c)); }
size_t count_cnn_x(const wb_case *c) { return images(c) * c->size.n[HEIGHT] * c->size.n[WIDTH]; }
size_t count_cnn_labels(const wb_case *c) { return images(c); }
/* The work, and room for the probabilities. */
size_t count_cnn_work(const wb_case *c) {
  const cnn net = cnn_of(c);
  return cnn_work(net, (int)images(c)) + images(c) * (size_t)net.outputs;
}
size_t count_cnn_images(const wb_case *c) { return DATA * c->size.n[SIDE] * (c->size.n[SIDE] - 1); }
size_t count_cnn_state(const wb_case *c) { return 3 * cnn_count(trained_cnn(c)); }

int shape_cnn(const wb_case *c, int array, void *values) {
  int32_t *labels = values;
  float *params = values;
  for (size_t i = 0; array == CNN_LABELS && i < images(c); i++)
    labels[i] = (int32_t)((uint32_t)labels[i] % (uint32_t)cnn_of(c).outputs);
  for (size_t i = 0; array == CNN_PARAMS && i < count_cnn_params(c); i++) params[i] *= 0.5f;
  return array == CNN_LABELS || array == CNN_PARAMS;
}

int shape_train_cnn(const wb_case *c, int array, void *values) {
  const cnn net = trained_cnn(c);
  const int changed =
      shape_training(c, array, values, (size_t)net.height * (size_t)net.width, cnn_count(net));
  share_images(c, array, values);
  return changed;
}

static sized *widened(const float *from, size_t count) {
  sized *to = sized_new(count);
  for (size_t i = 0; i < count; i++) to[i] = (sized){from[i], fabs(from[i])};
  return to;
}

/* With the error that `roundings` may add. */
static void append(net_numbers *to, size_t *at, const sized *from, size_t count, double roundings) {
  for (size_t i = 0; i < count; i++, ++*at) {
    to->value[*at] = from[i].value;
    to->error[*at] = roundings * WB_EPS32 * from[i].size + 1e-37;
  }
}

/* ---- A convolution ---- */

static net_numbers make_conv(const wb_case *c) {
  const conv v = conv_of(c);
  const size_t y = count_conv_y(c);
  sized *weights = widened(wb_f32(c, CONV_WEIGHTS), conv_weights(v)),
        *x = widened(wb_f32(c, CONV_X), count_conv_x(c)), *to = sized_new(y);
  net_numbers all = numbers_new(y);
  size_t at = 0;
  convnet_conv(v, images(c), weights, x, to);
  append(&all, &at, to, y, 1.01 * (9. * v.from + 2));
  free(weights);
  free(x);
  free(to);
  return all;
}

wb_expected expect_conv_forward(const wb_case *c, int array, size_t i) {
  (void)array;
  return reference_number(c, make_conv, i);
}

static net_numbers make_conv_back(const wb_case *c) {
  const conv v = conv_of(c);
  const size_t x_count = count_conv_x(c), w_count = conv_weights(v);
  sized *weights = widened(wb_f32(c, CONV_WEIGHTS), w_count), *x = widened(wb_f32(c, CONV_X), x_count),
        *slopes = widened(wb_f32(c, CONV_SLOPES), count_conv_y(c)), *w_slopes = sized_new(w_count),
        *x_slopes = sized_new(x_count);
  net_numbers all = numbers_new(w_count + x_count);
  size_t at = 0;
  convnet_conv_back(v, images(c), weights, x, slopes, w_slopes, x_slopes);
  append(&all, &at, w_slopes, w_count, 1.01 * ((double)conv_places(v, (int)images(c)) + 2));
  append(&all, &at, x_slopes, x_count, 1.01 * (9. * v.to + 2));
  free(weights);
  free(x);
  free(slopes);
  free(w_slopes);
  free(x_slopes);
  return all;
}

wb_expected expect_conv_backward(const wb_case *c, int array, size_t i) {
  return reference_number(c, make_conv_back, array == WEIGHT_SLOPES ? i : count_conv_weights(c) + i);
}

/* ---- The whole network ---- */

static double mean_loss(const convnet_input *in, sized *losses) {
  double sum = 0;
  convnet_pass(in, in->batch, losses, NULL, NULL);
  for (size_t i = 0; i < in->batch; i++) sum += losses[i].value;
  return sum / (double)in->batch;
}

/* Differences of losses in the place of the formulas, where max has no corner in between. */
static void differences(const convnet_input *in, sized *params, net_numbers *grads) {
  const double h = 1e-5;
  sized *losses = sized_new(in->batch);
  for (size_t k = 0; k < cnn_count(in->net); k++) {
    const double p = params[k].value;
    params[k].value = p + h;
    const double above = mean_loss(in, losses);
    params[k].value = p - h;
    const double slope = (above - mean_loss(in, losses)) / (2 * h);
    params[k].value = p;
    if (fabs(slope - grads->value[k]) < 1e-7 * (1 + fabs(slope))) grads->value[k] = slope;
    grads->error[k] += 1e-7 * (1 + fabs(slope));
  }
  free(losses);
}

/* The losses, then the gradients. */
static net_numbers make_cnn(const wb_case *c) {
  const cnn net = cnn_of(c);
  const size_t batch = images(c), count = cnn_count(net);
  sized *params = widened(wb_f32(c, CNN_PARAMS), count), *x = widened(wb_f32(c, CNN_X), count_cnn_x(c)),
        *losses = sized_new(batch), *grads = sized_new(count);
  const convnet_input in = {net, batch, params, x, wb_i32(c, CNN_LABELS)};
  net_numbers all = numbers_new(batch + count);
  size_t at = 0;
  const bool open = convnet_pass(&in, batch, losses, NULL, grads);
  append(&all, &at, losses, batch, convnet_roundings(net, 1));
  append(&all, &at, grads, count, open ? 1 / WB_EPS32 : convnet_roundings(net, batch));
  net_numbers of_grads = {all.value + batch, all.error + batch};
  differences(&in, params, &of_grads);
  free(params);
  free(x);
  free(losses);
  free(grads);
  return all;
}

wb_expected expect_cnn(const wb_case *c, int array, size_t i) {
  return reference_number(c, make_cnn, array == CNN_LOSSES ? i : images(c) + i);
}

/* ---- Training ---- */

/* A training in double. */
typedef struct training {
  cnn net;
  size_t batch, count;
  net_numbers all; /* the state (parameters, m, v), then the losses of all steps */
  sized *params, *x, *losses, *grads;
  int32_t *labels;
  double *slopes, *way; /* of each parameter: its gradient, and the length of all its steps */
  bool open;
} training;

static training training_new(const wb_case *c, size_t losses) {
  const cnn net = trained_cnn(c);
  const size_t batch = c->size.n[CNN_BATCH], count = cnn_count(net);
  training t = {.net = net, .batch = batch, .count = count, .all = numbers_new(3 * count + losses)};
  t.params = sized_new(count);
  t.x = sized_new(batch * (size_t)net.height * (size_t)net.width);
  t.losses = sized_new(batch);
  t.grads = sized_new(count);
  t.labels = malloc((batch + 1) * sizeof *t.labels);
  t.slopes = calloc(2 * count, sizeof *t.slopes);
  if (!t.labels || !t.slopes) abort();
  t.way = t.slopes + count;
  return t;
}

static void training_free(training *t) {
  free(t->params);
  free(t->x);
  free(t->losses);
  free(t->grads);
  free(t->labels);
  free(t->slopes);
}

static void gather(training *t, const wb_case *c, size_t step) {
  const size_t inputs = (size_t)t->net.height * (size_t)t->net.width;
  for (size_t i = 0; i < t->batch; i++) {
    const size_t image = (uint32_t)wb_i32(c, ORDER)[step * t->batch + i] % DATA;
    t->labels[i] = wb_i32(c, IMAGE_LABELS)[image];
    for (size_t k = 0; k < inputs; k++) {
      const double pixel = wb_f32(c, IMAGES)[image * inputs + k];
      t->x[i * inputs + k] = (sized){pixel, fabs(pixel)};
    }
  }
}

static void make_step(training *t, size_t step, size_t loss) {
  double *p = t->all.value, sum = 0, ways = 0;
  for (size_t i = 0; i < t->count; i++) t->params[i] = (sized){p[i], fabs(p[i])};
  const convnet_input in = {t->net, t->batch, t->params, t->x, t->labels};
  t->open |= convnet_pass(&in, t->batch, t->losses, NULL, t->grads);
  for (size_t i = 0; i < t->batch; i++) sum += t->losses[i].value;
  for (size_t i = 0; i < t->count; i++) ways += fabs(t->slopes[i] = t->grads[i].value) * t->way[i];
  const double mean = sum / (double)t->batch;
  t->all.value[loss] = mean;
  t->all.error[loss] = 1e-5 * (1 + mean) + (1e-5 + (double)t->batch * WB_EPS32) * ways;
  network_adam(t->count, RATE, (int)step + 1, p, t->slopes, p + t->count, p + 2 * t->count);
  for (size_t i = 0; i < t->count; i++) t->way[i] += fabs(p[i] - t->params[i].value);
}

/* An open decision moves a slope of one image to another place: a part of a gradient, and of a step. */
static net_numbers make_train_cnn(const wb_case *c) {
  const size_t first = (size_t)first_step(c), end = first + c->size.n[STEPS];
  training t = training_new(c, end);
  const size_t losses = 3 * t.count;
  for (size_t i = 0; i < losses; i++) t.all.value[i] = wb_f32(c, STATE)[i];
  for (size_t i = 0; i < first; i++) t.all.value[losses + i] = wb_f32(c, LOSSES)[i];
  for (size_t step = first; step < end; step++) {
    gather(&t, c, step);
    make_step(&t, step, losses + step);
  }
  for (size_t i = 0; end > first && i < t.count; i++) {
    t.all.error[i] = 2e-5 + (t.open ? RATE : 0);
    t.all.error[t.count + i] = 2e-5 + (t.open ? 0.1 : 0);
    t.all.error[2 * t.count + i] = 1e-7 + (t.open ? 1e-2 : 1e-4) * t.all.value[2 * t.count + i];
  }
  training_free(&t);
  return t.all;
}

wb_expected expect_train_cnn(const wb_case *c, int array, size_t i) {
  const double steps = first_step(c) + (double)c->size.n[STEPS];
  if (array == STEP) return (wb_expected){.value = i ? 0 : steps, .tolerance = 0};
  return reference_number(c, make_train_cnn, array == STATE ? i : 3 * cnn_count(trained_cnn(c)) + i);
}

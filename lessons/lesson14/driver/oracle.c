/*
 * oracle.c: see oracle.h.
 *
 * `gradients` is forward and backward one after the other. What it must give is not computed by the formulas of
 * the backward pass: each parameter is moved a little to both sides, and the difference of the losses, divided
 * by the distance, is the slope. Only where max(0, x) has its corner in between, the formula decides.
 *
 * Float's roundings change the path of a training. How far may it be from the one in double?
 *
 * A step of Adam in float is off by a part of its length. 0.999f is off by 1.3e-8, so 1 - 0.999f^t by 1.3e-5 of itself,
 * and the step by half of that, since the root halves it; sqrt, the powers and the products add some eps. The gradient
 * is a sum over the batch, off by at most batch * eps of its terms. Together: (1e-5 + batch * eps) of the step. If a
 * parameter is off by e, a later loss is off by |its slope| * e. So a loss may be off by
 *
 *     1e-5 (1 + loss) + (1e-5 + batch * eps) * sum over all parameters of |slope| * way
 *
 * where `way` is the length of all steps that the parameter made before, and the first term is for the forward pass
 * itself. Measured in 40 trainings in float, in two orders of additions, of the sizes here and of 784 x 512 x 128 x 50:
 * at most 1e-6 without steps, and 4e-6 of the sum; parameters at most 3e-7 off, but for what follows.
 *
 * A hidden number can be so near 0 that the roundings decide its sign. Then its slope counts for that image, or not. It
 * is at most 2 |w2| / batch, and so much may be in a gradient of this hidden number's weights (`open`). A tenth of that
 * comes into m. It moves a parameter by rate * open / root of v: the root is 0.02 or more, since v does not begin as
 * 0 in the longer runs. For the same reason no gradient that is nothing but rounding decides the direction of a whole
 * step. From then on the parameters of that hidden number may be off by so much (`way_off`): a later loss by |its
 * slope| times that, and the hidden number itself by root of (1 + the squares of x) times that, so that the next
 * signs are open, too.
 */
#include "oracle.h"
#include "network.h"
#include "reference.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

mlp net_of(const wb_case *c) {
  return (mlp){(int)c->size.n[INPUTS], (int)c->size.n[HIDDEN], (int)c->size.n[OUTPUTS]};
}

int mean_over(const wb_case *c) {
  const int batch = (int)c->size.n[BATCH];
  return batch % 2 ? batch + 7 : batch > 0 ? batch : 1;
}

mlp train_net(const wb_case *c) {
  return (mlp){(int)c->size.n[TRAIN_INPUTS], (int)c->size.n[TRAIN_HIDDEN], CLASSES};
}

mlp rank_net(const wb_case *c) {
  return (mlp){8 + (int)c->size.n[RANKS], (int)c->size.n[TRAIN_HIDDEN], CLASSES};
}

int first_step(const wb_case *c) { return c->size.n[STEPS] == 1 ? 0 : (int)(c->size.n[STEPS] % 3) + 1; }

static double *widened(const float *from, size_t count) {
  double *to = malloc((count + 1) * sizeof *to);
  if (!to) abort();
  for (size_t i = 0; i < count; i++) to[i] = from[i];
  return to;
}

static net_input input_of(const wb_case *c) {
  const mlp net = net_of(c);
  const size_t batch = c->size.n[BATCH];
  return (net_input){net,
                     batch,
                     widened(wb_f32(c, PARAMS), mlp_count(net)),
                     widened(wb_f32(c, X), batch * (size_t)net.inputs),
                     wb_i32(c, LABELS),
                     c->zeros};
}

static void input_free(net_input *in) {
  free((double *)in->params);
  free((double *)in->x);
}

static void append(net_numbers *to, size_t *at, const net_numbers *from, size_t count) {
  memcpy(to->value + *at, from->value, count * sizeof(double));
  memcpy(to->error + *at, from->error, count * sizeof(double));
  *at += count;
}

/* ---- Forward ---- */

static net_numbers make_forward(const wb_case *c) {
  net_input in = input_of(c);
  const size_t hidden = in.batch * (size_t)in.net.hidden, probs = in.batch * (size_t)in.net.outputs;
  net_states s = states_new(in.net, in.batch);
  net_numbers all = numbers_new(hidden + probs + in.batch);
  size_t at = 0;
  network_forward(&in, &s);
  append(&all, &at, &s.hidden, hidden);
  append(&all, &at, &s.probs, probs);
  append(&all, &at, &s.losses, in.batch);
  states_free(&s);
  input_free(&in);
  return all;
}

wb_expected expect_forward(const wb_case *c, int array, size_t i) {
  const mlp net = net_of(c);
  const size_t hidden = c->size.n[BATCH] * (size_t)net.hidden, probs = c->size.n[BATCH] * (size_t)net.outputs;
  const size_t before = array == OUT_HIDDEN ? 0 : array == OUT_PROBS ? hidden : hidden + probs;
  return reference_number(c, make_forward, before + i);
}

/* ---- Backward ---- */

static net_numbers make_backward(const wb_case *c) {
  net_input in = input_of(c);
  const size_t hidden = in.batch * (size_t)in.net.hidden, probs = in.batch * (size_t)in.net.outputs;
  net_states s = states_new(in.net, in.batch);
  net_numbers grads = numbers_new(mlp_count(in.net));
  for (size_t i = 0; i < hidden; i++) s.before.value[i] = s.hidden.value[i] = wb_f32(c, STATES)[i];
  for (size_t i = 0; i < probs; i++) s.probs.value[i] = wb_f32(c, STATES)[hidden + i];
  network_backward(&in, (size_t)mean_over(c), &s, &grads);
  states_free(&s);
  input_free(&in);
  return grads;
}

wb_expected expect_backward(const wb_case *c, int array, size_t i) {
  /* the states are the caller's, and stay as they are */
  if (array == STATES) return (wb_expected){.value = wb_f32(c, STATES)[i], .tolerance = 0};
  return reference_number(c, make_backward, i);
}

/* The losses, then the gradients. */
static net_numbers make_gradients(const wb_case *c) {
  const double h = 1e-5;
  net_input in = input_of(c);
  const size_t count = mlp_count(in.net);
  net_states s = states_new(in.net, in.batch);
  net_numbers grads = numbers_new(count), all = numbers_new(in.batch + count);
  size_t at = 0;
  network_forward(&in, &s);
  network_backward(&in, in.batch, &s, &grads);
  double *params = (double *)in.params;
  for (size_t k = 0; k < count; k++) {
    const double p = params[k];
    params[k] = p + h;
    const double above = network_loss(&in);
    params[k] = p - h;
    const double slope = (above - network_loss(&in)) / (2 * h);
    params[k] = p;
    if (fabs(slope - grads.value[k]) < 1e-7 * (1 + fabs(grads.value[k]))) grads.value[k] = slope;
    grads.error[k] += 1e-7 * (1 + fabs(grads.value[k]));
  }
  append(&all, &at, &s.losses, in.batch);
  append(&all, &at, &grads, count);
  numbers_free(&grads);
  states_free(&s);
  input_free(&in);
  return all;
}

wb_expected expect_gradients(const wb_case *c, int array, size_t i) {
  return reference_number(c, make_gradients, array == SUM_LOSSES ? i : c->size.n[BATCH] + i);
}

/* ---- Adam ---- */

/* Some roundings in each moment. In float 1 - 0.999^t has a relative error of some 1e-5, or more if the power
 * comes from a fast function; half of that is in the step. */
wb_expected expect_adam(const wb_case *c, int array, size_t i) {
  const int t = (int)c->size.n[DONE] + 1;
  if (array == ADAM_STEP) return (wb_expected){.value = t, .tolerance = 0};
  const double before = wb_f32(c, ADAM_PARAMS)[i], g = wb_f32(c, ADAM_GRADS)[i], old_m = wb_f32(c, ADAM_M)[i],
               old_v = wb_f32(c, ADAM_V)[i];
  double p = before, m = old_m, v = old_v;
  network_adam(1, RATE, t, &p, &g, &m, &v);
  const double m_error = 4 * WB_EPS32 * (fabs(old_m) + fabs(g)) + 1e-38,
               v_error = 4 * WB_EPS32 * (old_v + g * g) + 1e-37;
  if (array == ADAM_M) return (wb_expected){.value = m, .tolerance = m_error};
  if (array == ADAM_V) return (wb_expected){.value = v, .tolerance = v_error};
  const double root = sqrt(v / (1 - pow(0.999, t))) + 1e-8;
  const double step_error = RATE * m_error / (1 - pow(0.9, t)) / root + 2e-4 * fabs(p - before);
  return (wb_expected){.value = p, .tolerance = 2 * WB_EPS32 * fabs(before) + step_error};
}

/* ---- Training ---- */

/* A training in double. */
typedef struct training {
  mlp net;
  size_t batch, count;
  net_numbers all;   /* the state (parameters, m, v), then the losses of all steps */
  net_numbers grads; /* of the step at hand, and so are the next three */
  net_states s;
  double *x;
  int32_t *labels;
  double *way;  /* of each parameter */
  double *open; /* of each hidden number: what may be in gradients, or not */
} training;

static training training_new(const wb_case *c, mlp net, size_t losses) {
  const size_t batch = c->size.n[TRAIN_BATCH], count = mlp_count(net);
  training t = {.net = net,
                .batch = batch,
                .count = count,
                .all = numbers_new(3 * count + losses),
                .grads = numbers_new(count),
                .s = states_new(net, batch),
                .x = malloc((batch * (size_t)net.inputs + 1) * sizeof *t.x),
                .labels = malloc((batch + 1) * sizeof *t.labels),
                .way = calloc(count + 1, sizeof *t.way),
                .open = calloc((size_t)net.hidden + 1, sizeof *t.open)};
  if (!t.x || !t.labels || !t.way || !t.open) abort();
  return t;
}

static void training_free(training *t) {
  states_free(&t->s);
  numbers_free(&t->grads);
  free(t->x);
  free(t->labels);
  free(t->way);
  free(t->open);
}

static void gather(training *t, const wb_case *c, size_t step) {
  const size_t inputs = (size_t)t->net.inputs;
  for (size_t i = 0; i < t->batch; i++) {
    const size_t image = (size_t)wb_i32(c, ORDER)[step * t->batch + i];
    t->labels[i] = wb_i32(c, IMAGE_LABELS)[image];
    for (size_t k = 0; k < inputs; k++) t->x[i * inputs + k] = wb_f32(c, IMAGES)[image * inputs + k];
  }
}

/* How far the parameters that lead to hidden number j may be off, since its slope was open. */
static double way_off(const training *t, size_t j) { return RATE * fmin(1, t->open[j] / 0.02); }

static double length_of(const double *x, size_t n) {
  double sum = 1; /* for the bias */
  for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* Errors of a sum of n numbers are taken as root n times eps here: n times, the bound, is never seen. */
static void note_open(training *t) {
  const size_t inputs = (size_t)t->net.inputs, hidden = (size_t)t->net.hidden,
               outputs = (size_t)t->net.outputs;
  const double *w2 = t->all.value + at_w2(t->net), root = sqrt((double)inputs + 2);
  for (size_t i = 0; i < t->batch; i++) {
    const double length = length_of(t->x + i * inputs, inputs);
    for (size_t k = 0; k < hidden; k++) {
      const double before = t->s.before.value[i * hidden + k], error = t->s.before.error[i * hidden + k];
      if (fabs(before) > error / root + way_off(t, k) * length) continue;
      double largest = 0;
      for (size_t j = 0; j < outputs; j++) largest = fmax(largest, fabs(w2[k * outputs + j]));
      t->open[k] += 2 * largest / (double)t->batch;
    }
  }
}

/* The mean loss before the step, with its error, into place `loss`. b1 lies after the rows of W1. */
static void note_loss(training *t, size_t loss) {
  double sum = 0, ways = 0, opened = 0;
  for (size_t i = 0; i < t->batch; i++) sum += t->s.losses.value[i];
  for (size_t i = 0; i < t->count; i++) ways += fabs(t->grads.value[i]) * t->way[i];
  for (size_t i = 0; i < at_w2(t->net); i++)
    opened += fabs(t->grads.value[i]) * way_off(t, i % (size_t)t->net.hidden);
  const double mean = sum / (double)t->batch;
  t->all.value[loss] = mean;
  t->all.error[loss] = 1e-5 * (1 + mean) + (1e-5 + (double)t->batch * WB_EPS32) * ways + opened;
}

static void move(training *t, int step) {
  double *p = t->all.value, *before = t->grads.error; /* which nothing needs any more */
  memcpy(before, p, t->count * sizeof *p);
  network_adam(t->count, RATE, step, p, t->grads.value, p + t->count, p + 2 * t->count);
  for (size_t i = 0; i < t->count; i++) t->way[i] += fabs(p[i] - before[i]);
}

/* What is open in one hidden number reaches the others, and W2 and b2, by the slopes that it changes. */
static void note_state_errors(training *t) {
  double *error = t->all.error, most = 0;
  const size_t hidden = (size_t)t->net.hidden;
  for (size_t j = 0; j < hidden; j++) most = fmax(most, way_off(t, j));
  for (size_t i = 0; i < t->count; i++) {
    const double open = i < at_w2(t->net) ? t->open[i % hidden] : 0;
    error[i] = 2e-5 + most;
    error[t->count + i] = 2e-5 + 0.1 * open + 2 * most;
    error[2 * t->count + i] =
        1e-7 + 1e-4 * t->all.value[2 * t->count + i] + 0.002 * (open * (1 + open) + most);
  }
}

static net_numbers trained(const wb_case *c, mlp net, bool moments) {
  const size_t first = (size_t)first_step(c), end = first + c->size.n[STEPS];
  training t = training_new(c, net, end);
  const size_t losses = 3 * t.count;
  for (size_t i = 0; i < (moments ? losses : t.count); i++) t.all.value[i] = wb_f32(c, STATE)[i];
  for (size_t i = 0; i < first; i++) t.all.value[losses + i] = wb_f32(c, LOSSES)[i];
  for (size_t step = first; step < end; step++) {
    gather(&t, c, step);
    const net_input in = {net, t.batch, t.all.value, t.x, t.labels, {0}};
    network_forward(&in, &t.s);
    network_backward(&in, t.batch, &t.s, &t.grads);
    note_loss(&t, losses + step); /* with the parameters as the steps before left them */
    note_open(&t);
    move(&t, (int)step + 1);
  }
  if (end > first) note_state_errors(&t);
  training_free(&t);
  return t.all;
}

double first_losses(const wb_case *c, mlp net, size_t images, int other_labels) {
  training t = training_new(c, net, 0);
  double sum = 0;
  for (size_t i = 0; i < t.count; i++) t.all.value[i] = wb_f32(c, STATE)[i];
  gather(&t, c, (size_t)first_step(c));
  for (size_t i = 0; i < t.batch && other_labels; i++) t.labels[i] = wb_i32(c, IMAGE_LABELS)[i];
  const net_input in = {net, t.batch, t.all.value, t.x, t.labels, {0}};
  network_forward(&in, &t.s);
  for (size_t i = 0; i < images && i < t.batch; i++) sum += t.s.losses.value[i];
  numbers_free(&t.all);
  training_free(&t);
  return sum;
}

double loss_without_moments(const wb_case *c, size_t i) {
  const mlp net = train_net(c);
  net_numbers all = trained(c, net, false);
  const double loss = all.value[3 * mlp_count(net) + i];
  numbers_free(&all);
  return loss;
}

static net_numbers make_train(const wb_case *c) { return trained(c, train_net(c), true); }
static net_numbers make_train_rank(const wb_case *c) { return trained(c, rank_net(c), true); }

static wb_expected expect_trained(const wb_case *c, int array, size_t i, mlp net, make_reference *make) {
  const double steps = first_step(c) + (double)c->size.n[STEPS];
  if (array == STEP) return (wb_expected){.value = i ? 0 : steps, .tolerance = 0};
  return reference_number(c, make, array == STATE ? i : 3 * mlp_count(net) + i);
}

wb_expected expect_train(const wb_case *c, int array, size_t i) {
  return expect_trained(c, array, i, train_net(c), make_train);
}

wb_expected expect_train_rank(const wb_case *c, int array, size_t i) {
  return expect_trained(c, array, i, rank_net(c), make_train_rank);
}

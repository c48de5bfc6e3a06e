/*
 * oracle.c: see oracle.h.
 *
 * `gradients` is forward and backward one after the other. What it must give is not computed by the formulas of
 * the backward pass: each parameter is moved a little to both sides, and the difference of the losses, divided
 * by the distance, is the slope. Only where max(0, x) has its corner in between, the formula decides.
 *
 * Float's roundings change the path of a training. In 12 runs of the reference solution no loss was further than
 * 3e-7 of 1 + loss from that in double after 50 steps, no parameter further than 1e-5; allowed are 1e-5 and 2e-5.
 * The moments do not begin as 0 in the longer runs: a gradient that is nothing but rounding would decide the
 * direction of a whole first step.
 */
#include "oracle.h"
#include "network.h"

#include <math.h>
#include <pthread.h>
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

/* ---- The reference of a whole case ---- */

/* The reference of the most recent case. The first thread that asks for it computes it, while the others wait;
 * the harness checks one case at a time. */
typedef struct reference {
  const void *made_by; /* NULL: there is none yet */
  wb_size size;
  double param[WB_MAX_PARAMS]; /* random, new for every call: they distinguish the cases of one size */
  net_numbers numbers;
} reference;

typedef net_numbers make_reference(const wb_case *c);

static bool is_of(const reference *r, const wb_case *c, make_reference *make) {
  return r->made_by == (const void *)make && memcmp(&r->size, &c->size, sizeof r->size) == 0 &&
         memcmp(r->param, c->param, sizeof r->param) == 0;
}

/* Each thread takes the lock only once for a case. A copy in `seen` never outlives its memory: the harness
 * creates new threads for each check, and the calling thread, which stays, takes part in every check. */
static const net_numbers *reference_of(const wb_case *c, make_reference *make) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static reference last;
  static _Thread_local reference seen;
  if (is_of(&seen, c, make)) return &seen.numbers;
  pthread_mutex_lock(&lock);
  if (!is_of(&last, c, make)) {
    numbers_free(&last.numbers);
    last = (reference){(const void *)make, c->size, {0}, make(c)};
    memcpy(last.param, c->param, sizeof last.param);
  }
  seen = last;
  pthread_mutex_unlock(&lock);
  return &seen.numbers;
}

static wb_expected number(const net_numbers *n, size_t i) {
  return (wb_expected){.value = n->value[i], .tolerance = n->error[i]};
}

static double *widened(const float *from, size_t count) {
  double *to = malloc((count + 1) * sizeof *to);
  if (!to) abort();
  for (size_t i = 0; i < count; i++) to[i] = from[i];
  return to;
}

static net_input input_of(const wb_case *c) {
  const mlp net = net_of(c);
  const size_t batch = c->size.n[BATCH];
  return (net_input){net, batch, widened(wb_f32(c, PARAMS), mlp_count(net)),
                     widened(wb_f32(c, X), batch * (size_t)net.inputs), wb_i32(c, LABELS)};
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
  return number(reference_of(c, make_forward), before + i);
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
  return number(reference_of(c, make_backward), i);
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
  return number(reference_of(c, make_gradients), array == SUM_LOSSES ? i : c->size.n[BATCH] + i);
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

/* The state (parameters, m, v), then the losses of all steps. */
static net_numbers trained(const wb_case *c, mlp net) {
  const size_t *n = c->size.n, batch = n[TRAIN_BATCH], inputs = (size_t)net.inputs;
  const size_t count = mlp_count(net), first = (size_t)first_step(c), losses = first + n[STEPS];
  net_numbers all = numbers_new(3 * count + losses), grads = numbers_new(count);
  net_states s = states_new(net, batch);
  double *x = malloc((batch * inputs + 1) * sizeof *x);
  int32_t *labels = malloc((batch + 1) * sizeof *labels);
  if (!x || !labels) abort();
  for (size_t i = 0; i < 3 * count; i++) all.value[i] = wb_f32(c, STATE)[i];
  for (size_t i = 0; i < first; i++) all.value[3 * count + i] = wb_f32(c, LOSSES)[i];
  for (size_t step = first; step < losses; step++) {
    for (size_t i = 0; i < batch; i++) {
      const size_t image = (size_t)wb_i32(c, ORDER)[step * batch + i];
      labels[i] = wb_i32(c, IMAGE_LABELS)[image];
      for (size_t k = 0; k < inputs; k++) x[i * inputs + k] = wb_f32(c, IMAGES)[image * inputs + k];
    }
    const net_input in = {net, batch, all.value, x, labels};
    double sum = 0;
    network_forward(&in, &s);
    for (size_t i = 0; i < batch; i++) sum += s.losses.value[i];
    all.value[3 * count + step] = sum / (double)batch;
    all.error[3 * count + step] = 1e-5 * (1 + sum / (double)batch);
    network_backward(&in, batch, &s, &grads);
    network_adam(count, RATE, (int)step + 1, all.value, grads.value, all.value + count,
                 all.value + 2 * count);
  }
  for (size_t i = 0; i < 3 * count && n[STEPS] > 0; i++)
    all.error[i] = i < 2 * count ? 2e-5 : 1e-7 + 1e-4 * all.value[i];
  free(x);
  free(labels);
  states_free(&s);
  numbers_free(&grads);
  return all;
}

static net_numbers make_train(const wb_case *c) { return trained(c, train_net(c)); }
static net_numbers make_train_rank(const wb_case *c) { return trained(c, rank_net(c)); }

static wb_expected expect_trained(const wb_case *c, int array, size_t i, mlp net, make_reference *make) {
  const double steps = first_step(c) + (double)c->size.n[STEPS];
  if (array == STEP) return (wb_expected){.value = i ? 0 : steps, .tolerance = 0};
  return number(reference_of(c, make), array == STATE ? i : 3 * mlp_count(net) + i);
}

wb_expected expect_train(const wb_case *c, int array, size_t i) {
  return expect_trained(c, array, i, train_net(c), make_train);
}

/* Element 1 of STEP: how many ranks have other bits than rank 0. */
wb_expected expect_train_rank(const wb_case *c, int array, size_t i) {
  return expect_trained(c, array, i, rank_net(c), make_train_rank);
}

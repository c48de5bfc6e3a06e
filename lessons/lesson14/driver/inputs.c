/* inputs.c: see inputs.h. */
#include "inputs.h"
#include "oracle.h"

#include <math.h>
#include <stdint.h>

size_t count_x(const wb_case *c) { return c->size.n[BATCH] * c->size.n[INPUTS]; }
size_t count_params(const wb_case *c) { return mlp_count(net_of(c)); }
size_t count_hidden(const wb_case *c) { return c->size.n[BATCH] * c->size.n[HIDDEN]; }
size_t count_probs(const wb_case *c) { return c->size.n[BATCH] * c->size.n[OUTPUTS]; }
size_t count_batch(const wb_case *c) { return c->size.n[BATCH]; }
size_t count_states(const wb_case *c) { return count_hidden(c) + count_probs(c); }
size_t count_sum_work(const wb_case *c) { return 2 * count_states(c); }
size_t count_adam(const wb_case *c) { return c->size.n[COUNT]; }
size_t count_one(const wb_case *c) { return (void)c, 1; }
size_t count_images(const wb_case *c) { return DATA * c->size.n[TRAIN_INPUTS]; }
size_t count_data(const wb_case *c) { return (void)c, DATA; }
size_t count_losses(const wb_case *c) { return (size_t)first_step(c) + c->size.n[STEPS]; }
size_t count_order(const wb_case *c) { return count_losses(c) * c->size.n[TRAIN_BATCH]; }
size_t count_step_of_ranks(const wb_case *c) { return (void)c, STEP_COUNT; }
size_t count_rank_images(const wb_case *c) { return DATA * (size_t)rank_net(c).inputs; }
size_t count_rank_state(const wb_case *c) { return 3 * mlp_count(rank_net(c)); }
size_t count_state(const wb_case *c) { return 3 * mlp_count(train_net(c)); }

/* Numbers larger than 1, which no probability minus a label is; then, twice, few of them, near an image's number
 * at a random place: a look at some results shows nothing unusual then. */
int zeros_of_batch(const wb_case *c, int which, wb_window *zeros) {
  const float *x = wb_f32(c, X), least = 1.05f;
  const size_t count = count_x(c);
  size_t i = (size_t)((c->param[which % WB_MAX_PARAMS] - 0.5) / 1.5 * (double)count);
  for (size_t n = 0; n < count && fabsf(x[i]) < least; n++) i = (i + 1) % count;
  *zeros = (wb_window){.low = fabs(x[i]) * (1 - 0x1p-9), .high = fabs(x[i]) * (1 + 0x1p-9)};
  if (which == 0) *zeros = (wb_window){.low = least, .high = INFINITY};
  return which < 3;
}

static void modulo(int32_t *values, size_t count, int32_t n) {
  for (size_t i = 0; i < count; i++) values[i] = (int32_t)((uint32_t)values[i] % (uint32_t)n);
}

static void scale(float *values, size_t count, float by) {
  for (size_t i = 0; i < count; i++) values[i] *= by;
}

/* At one size all logits are below -100, or far below -10000: with the largest of each row subtracted, no exp
 * underflows. */
int shape_forward(const wb_case *c, int array, void *values) {
  const mlp net = net_of(c);
  float *b2 = (float *)values + at_b2(net);
  if (array != PARAMS || net.outputs != FAR_BELOW) return shape_labels(c, array, values);
  for (int j = 0; j < net.outputs; j++) b2[j] -= net.inputs == 200 ? 150 : 3e4f;
  return 1;
}

int shape_labels(const wb_case *c, int array, void *values) {
  if (array == LABELS) modulo(values, count_batch(c), (int32_t)c->size.n[OUTPUTS]);
  return array == LABELS;
}

/* Half of the hidden numbers are 0, some are tiny, and each row of probabilities has the sum 1, or nearly. */
int shape_states(const wb_case *c, int array, void *values) {
  if (array != STATES) return shape_labels(c, array, values);
  float *hidden = values, *probs = hidden + count_hidden(c);
  const size_t outputs = c->size.n[OUTPUTS];
  for (size_t i = 0; i < count_hidden(c); i++) hidden[i] = fmaxf(0, hidden[i]) * (i % 7 == 3 ? 1e-12f : 1);
  for (size_t row = 0; row < count_batch(c); row++) {
    float sum = 0;
    for (size_t j = 0; j < outputs; j++) sum += fabsf(probs[row * outputs + j]);
    for (size_t j = 0; j < outputs; j++) probs[row * outputs + j] = fabsf(probs[row * outputs + j]) / sum;
  }
  return 1;
}

/* Numbers around 1, for which differences of losses are exact enough. */
int shape_gradients(const wb_case *c, int array, void *values) {
  if (array == PARAMS) scale(values, count_params(c), 0.4f);
  return array == PARAMS || shape_labels(c, array, values);
}

/* Gradients from 1 down to 1e-10, where the 1e-8 counts, and some that are 0 or -0; moments that fit them, and 0
 * before the first step. */
int shape_adam(const wb_case *c, int array, void *values) {
  float *f = values;
  wb_part part[WB_MAX_PARTS];
  if (array == ADAM_STEP) return *(int32_t *)values = (int32_t)c->size.n[DONE], 1;
  if (array == ADAM_PARAMS) return 0;
  const int parts = wb_parts(c, array, part);
  for (int p = 0; p < parts; p++)
    for (size_t i = part[p].first; i < part[p].last; i++) {
      const float size = array == ADAM_GRADS || c->size.n[DONE] ? ldexpf(1, -(int)(i * 7 % 34)) : 0;
      f[i] = array == ADAM_V ? f[i] * f[i] * size * size : f[i] * size;
      if (array == ADAM_GRADS && i % 11 == 5) f[i] = i % 2 ? 0.f : -0.f;
    }
  return 1;
}

/* Images and parameters small enough that no class is sure: the more inputs a sum has, the smaller. A pixel is dark in
 * all images, so its gradients are 0. Moments as after some steps. */
int shape_training(const wb_case *c, int array, void *values, size_t inputs, size_t count) {
  const float size = inputs > 100 ? 1 / sqrtf((float)inputs) : 0.25f;
  float *state = values;
  switch (array) {
  case IMAGES:
    scale(values, DATA * inputs, 0.5f);
    for (size_t i = 0; inputs > 2 && i < DATA; i++) state[i * inputs + 1] = 0;
    return 1;
  case IMAGE_LABELS:
    modulo(values, DATA, CLASSES);
    return 1;
  case ORDER:
    modulo(values, count_order(c), DATA);
    return 1;
  case STATE:
    scale(state, count, size);
    scale(state + count, count, first_step(c) ? 0.01f : 0);
    for (size_t i = 2 * count; i < 3 * count; i++) state[i] *= first_step(c) ? 1e-4f * state[i] : 0;
    return 1;
  case STEP:
    *(int32_t *)values = first_step(c);
    return 1;
  default:
    return 0;
  }
}

int shape_train(const wb_case *c, int array, void *values) {
  const mlp net = train_net(c);
  return shape_training(c, array, values, (size_t)net.inputs, mlp_count(net));
}

void share_images(const wb_case *c, int array, void *values) {
  const size_t batch = c->size.n[TRAIN_BATCH], ranks = c->size.n[RANKS];
  int32_t *order = values;
  for (size_t i = 0; array == ORDER && i < count_order(c); i++) {
    size_t rank = 0;
    while (i % batch >= batch * (rank + 1) / ranks) rank++;
    order[i] = (int32_t)((size_t)order[i] % (DATA / ranks) * ranks + rank);
  }
  for (int i = OTHER_STATE; array == STEP && i < STEP_COUNT; i++) order[i] = 0;
}

int shape_train_rank(const wb_case *c, int array, void *values) {
  const mlp net = rank_net(c);
  const int changed = shape_training(c, array, values, (size_t)net.inputs, mlp_count(net));
  share_images(c, array, values);
  return changed;
}

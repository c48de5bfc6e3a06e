/* causes.c: see causes.h. */
#include "causes.h"
#include "oracle.h"
#include "oracle_cnn.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static bool near(wb_expected right, double got, double value) {
  return fabs(got - value) <= fmax(right.tolerance, 1e-5 * fabs(value)) &&
         fabs(right.value - value) > right.tolerance;
}

/* ---- Forward ---- */

/* A hidden number without its bias, and before max(0, ...). */
static double before_bias(const wb_case *c, size_t i) {
  const mlp net = net_of(c);
  const size_t row = i / (size_t)net.hidden, j = i % (size_t)net.hidden;
  double sum = 0;
  for (size_t k = 0; k < (size_t)net.inputs; k++)
    sum += (double)wb_f32(c, X)[row * (size_t)net.inputs + k] * wb_f32(c, PARAMS)[k * (size_t)net.hidden + j];
  return sum;
}

/* Of a row's probabilities: the largest, which is 1 / (the sum of exp(logit - largest)); and the sum of what
 * they would be in proportion to, if exp2 made them. */
static double largest_of(const wb_case *c, size_t row) {
  const size_t outputs = (size_t)net_of(c).outputs;
  double largest = 0;
  for (size_t o = 0; o < outputs; o++)
    largest = fmax(largest, expect_forward(c, OUT_PROBS, row * outputs + o).value);
  return largest;
}

/* The largest logit of a row. */
static double largest_logit(const wb_case *c, size_t row) {
  const mlp net = net_of(c);
  const size_t hidden = (size_t)net.hidden, outputs = (size_t)net.outputs;
  const float *w2 = wb_f32(c, PARAMS) + at_w2(net), *b2 = wb_f32(c, PARAMS) + at_b2(net);
  double largest = -INFINITY;
  for (size_t o = 0; o < outputs; o++) {
    double logit = b2[o];
    for (size_t j = 0; j < hidden; j++)
      logit += expect_forward(c, OUT_HIDDEN, row * hidden + j).value * w2[j * outputs + o];
    largest = fmax(largest, logit);
  }
  return largest;
}

static double sum_by_exp2(const wb_case *c, size_t row) {
  const size_t outputs = (size_t)net_of(c).outputs;
  double sum = 0;
  for (size_t o = 0; o < outputs; o++)
    sum += pow(expect_forward(c, OUT_PROBS, row * outputs + o).value, M_LN2);
  return sum;
}

/* A probability whose lane divides by what it has after a sum by __shfl_down_sync: lane 0 alone has that of all. A
 * lane from whose place on there is no other one gets its own number. */
static double divided_by_a_part(const wb_case *c, size_t row, size_t o) {
  const size_t outputs = (size_t)net_of(c).outputs;
  double sum[32] = {0};
  for (size_t k = 0; k < outputs; k++) sum[k % 32] += expect_forward(c, OUT_PROBS, row * outputs + k).value;
  for (size_t apart = 16; apart > 0; apart /= 2)
    for (size_t lane = 0; lane < 32; lane++) sum[lane] += sum[lane + apart < 32 ? lane + apart : lane];
  return expect_forward(c, OUT_PROBS, row * outputs + o).value / sum[o % 32];
}

/* The loss by a logarithm of base 2 or 10: of the probability, or of the sum alone. */
static const char *cause_of_base(const wb_case *c, size_t row, wb_expected right, double got) {
  const double ln_sum = -log(largest_of(c, row));
  if (near(right, got, right.value / M_LN2) || near(right, got, right.value + ln_sum / M_LN2 - ln_sum))
    return "it is made by log2f: the loss takes the natural logarithm, logf";
  if (near(right, got, right.value / M_LN10) || near(right, got, right.value + ln_sum / M_LN10 - ln_sum))
    return "it is made by log10f: the loss takes the natural logarithm, logf";
  return NULL;
}

const char *cause_forward(const wb_case *c, int array, size_t i, double got) {
  const wb_expected right = expect_forward(c, array, i);
  const mlp net = net_of(c);
  if (array == OUT_HIDDEN) {
    const size_t hidden = (size_t)net.hidden;
    const double sum = before_bias(c, i), bias = wb_f32(c, PARAMS)[at_b1(net) + i % hidden];
    if (near(right, got, sum + bias)) return "it is negative: max(0, ...) comes last, after the bias";
    if (got < 0 && got > (sum + bias) / 2)
      return "it is a part of a negative number: max(0, ...) makes 0 of each";
    if (got != 0 && near(right, got, sum))
      return "it is without the bias: is the bias added, and after the product, in the same stream "
             "(cublasSetStream)?";
    if (got != 0 && near(right, got, fmax(0, sum) + bias)) return "the bias comes after max(0, ...)";
    if (got != 0 && near(right, got, sum + wb_f32(c, PARAMS)[at_b1(net) + i / hidden % hidden]))
      return "it has the bias of another column: number j of b1 belongs to column j of every row";
    if (got == 0 && sum <= 0)
      return "it is 0, as without a bias, or with another one: number j of b1 belongs to column j";
    return NULL;
  }
  if (array == OUT_PROBS) {
    if (net.outputs > 1 && near(right, got, 1.0 / net.outputs))
      return "it is 1 / outputs: each logit was reduced by itself, and not by the largest of its row";
    if (isnan(got) || (got == 0 && right.value > right.tolerance))
      return "exp overflowed, or all exp underflowed: subtract the largest logit of this row first";
    if (near(right, got, pow(right.value, M_LN2) / sum_by_exp2(c, i / (size_t)net.outputs)))
      return "it is made by exp2f: a probability is in proportion to e to the power of its logit, by expf";
    if (near(right, got, divided_by_a_part(c, i / (size_t)net.outputs, i % (size_t)net.outputs)))
      return "it is divided by a part of the sum: after a sum by __shfl_down_sync lane 0 alone has that of "
             "all lanes, and each lane needs it";
    const double scale = exp(largest_logit(c, i / (size_t)net.outputs));
    if (near(right, got, right.value * scale) || near(right, got, right.value / scale))
      return "the largest logit is subtracted either in the sum or in what is divided by it: do so in both";
    return NULL;
  }
  if (isinf(got)) return "it is the logarithm of a probability that became 0: use the logits";
  if (isnan(got))
    return "exp overflowed, or all exp underflowed: subtract the largest logit of this row first";
  if (near(right, got, -right.value)) return "the sign is wrong: the loss is minus the logarithm";
  return cause_of_base(c, i, right, got);
}

/* ---- Backward ---- */

/* The gradient of parameter i of W1 or b1, if slopes pass where the hidden number is 0, too; or if W2 is
 * read as if it had a row for each output. */
static double spoiled_gradient(const wb_case *c, size_t i, bool unmasked, bool unturned) {
  const mlp net = net_of(c);
  const size_t batch = c->size.n[BATCH], hidden = (size_t)net.hidden, outputs = (size_t)net.outputs;
  const size_t j = i % hidden, k = i / hidden;
  const float *probs = wb_f32(c, STATES) + batch * hidden, *w2 = wb_f32(c, PARAMS) + at_w2(net);
  double sum = 0;
  for (size_t row = 0; row < batch; row++) {
    double slope = 0;
    for (size_t o = 0; o < outputs; o++)
      slope += ((double)probs[row * outputs + o] - ((size_t)wb_i32(c, LABELS)[row] == o)) *
               w2[unturned ? o * hidden + j : j * outputs + o];
    if (!unmasked && wb_f32(c, STATES)[row * hidden + j] <= 0) continue;
    sum += slope * (i < at_b1(net) ? (double)wb_f32(c, X)[row * (size_t)net.inputs + k] : 1);
  }
  return sum / mean_over(c);
}

const char *cause_backward(const wb_case *c, int array, size_t i, double got) {
  const wb_expected right = expect_backward(c, array, i);
  const double of = mean_over(c), batch = (double)c->size.n[BATCH];
  if (array == STATES) return "what forward gave must stay as it is: use d_work";
  if (isnan(got)) return NULL; /* the harness says more */
  if (got != 0 && fabs(got) < 1e-30 && fabs(right.value) > 1e-6)
    return "it is nearly 0: cudaMemset sets bytes, and a float with four bytes of 1 is 2.4e-38";
  if (batch > 0 && near(right, got, right.value * of / batch))
    return "it is the mean over this batch: `of` says over how many images to take it";
  if (near(right, got, right.value * of)) return "it is the sum over the images: divide it by `of`";
  if (near(right, got, -right.value))
    return "the sign is wrong: a slope is the probability, less 1 for the label";
  if (i < at_w2(net_of(c)) && near(right, got, spoiled_gradient(c, i, false, true)))
    return "the slopes are multiplied by W2 as if it had a row for each output: its transpose leads back";
  if (i < at_w2(net_of(c)) && near(right, got, spoiled_gradient(c, i, true, false)))
    return "a slope passed through a hidden number that is 0: where max(0, ...) cut, the slope is 0";
  return NULL;
}

const char *cause_of_no_gradient(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  return c->size.n[BATCH] == 0 ? "the batch is empty here, and then each gradient is 0: d_grads gets zeros"
                               : NULL;
}

/* ---- Adam ---- */

/* As near, without a part of the value: a step is much smaller than a parameter. */
static bool near_step(wb_expected right, double got, double value) {
  return fabs(got - value) <= right.tolerance && fabs(right.value - value) > right.tolerance;
}

typedef struct moments {
  double p, m, v; /* after the step, but p: before it */
} moments;

static double moved(moments a, double t, double power_m, double power_v, double inside, double outside) {
  (void)t;
  return a.p - RATE * (a.m / power_m) / (sqrt(a.v / power_v + inside) + outside);
}

/* A step with other constants, or with |g| for g^2: what it makes of `array`. */
static double other_step(const wb_case *c, int array, size_t i, double beta1, double beta2, bool squared) {
  const double t = (double)c->size.n[DONE] + 1, g = wb_f32(c, ADAM_GRADS)[i];
  const double m = beta1 * wb_f32(c, ADAM_M)[i] + (1 - beta1) * g;
  const double v = beta2 * wb_f32(c, ADAM_V)[i] + (1 - beta2) * (squared ? g * g : fabs(g));
  if (array != ADAM_PARAMS) return array == ADAM_M ? m : v;
  return wb_f32(c, ADAM_PARAMS)[i] -
         RATE * (m / (1 - pow(beta1, t))) / (sqrt(v / (1 - pow(beta2, t))) + 1e-8);
}

static const char *cause_of_constants(const wb_case *c, int array, size_t i, double got) {
  static const struct {
    double beta1, beta2;
    bool squared;
    const char *cause;
  } others[] = {{0.9, 0.999, false, "g is not squared in v"},
                {0.9, 0.99, true, "v is made with 0.99 and 0.01: they are 0.999 and 0.001"},
                {0.9, 0.9, true, "v is made with 0.9 and 0.1, which belong to m"},
                {0.99, 0.999, true, "m is made with 0.99 and 0.01: they are 0.9 and 0.1"},
                {0.999, 0.999, true, "m is made with 0.999 and 0.001, which belong to v"},
                {0.999, 0.9, true, "0.9 and 0.999 are exchanged"}};
  const wb_expected right = expect_adam(c, array, i);
  bool (*const fits)(wb_expected, double, double) = array == ADAM_PARAMS ? near_step : near;
  for (size_t k = 0; k < WB_COUNT(others); k++)
    if (fits(right, got, other_step(c, array, i, others[k].beta1, others[k].beta2, others[k].squared)))
      return others[k].cause;
  return NULL;
}

const char *cause_adam(const wb_case *c, int array, size_t i, double got) {
  const wb_expected right = expect_adam(c, array, i);
  const double t = (double)c->size.n[DONE] + 1, g = wb_f32(c, ADAM_GRADS)[i % (c->size.n[COUNT] + 1)];
  if (array == ADAM_STEP)
    return got == right.value - 1 ? "the step was not counted" : "one step was made, so count 1";
  if (g == 0 && got == (double)wb_f32(c, array)[i])
    return "its gradient is 0, but its moments are not: they shrink, and the parameter moves by them";
  const double m = expect_adam(c, ADAM_M, i).value, v = expect_adam(c, ADAM_V, i).value;
  const char *constants = cause_of_constants(c, array, i, got);
  if (constants) return constants;
  if (array == ADAM_M && near(right, got, right.value / (1 - pow(0.9, t))))
    return "the moment is kept after it was divided by 1 - 0.9^t: keep it as it was before";
  if (array == ADAM_M) return near(right, got, g) ? "the old moment has no part in it" : NULL;
  if (array == ADAM_V)
    return near(right, got, 0.999 * wb_f32(c, ADAM_V)[i] + 0.001 * g) ? "the gradient is not squared" : NULL;
  const moments a = {wb_f32(c, ADAM_PARAMS)[i], m, v};
  const double first = 1 - pow(0.9, t), second = 1 - pow(0.999, t);
  if (isnan(got) || isinf(got))
    return "a division by 0: the number of this step is *d_step + 1, and 1 - 0.9^t is 0 for t = 0";
  if (near_step(right, got, moved(a, t, first, second, 1e-8, 0)))
    return "1e-8 is within the root: it belongs to the root's result";
  if (near_step(right, got, a.p - RATE * sqrt(second) / first * m / (sqrt(v) + 1e-8)))
    return "1e-8 is added before v is divided by 1 - 0.999^t";
  if (near_step(right, got, moved(a, t, 1, 1, 0, 1e-8)))
    return "m and v are not divided by 1 - 0.9^t and 1 - 0.999^t";
  if (t > 1 && near_step(right, got, moved(a, t, 1 - pow(0.9, t - 1), 1 - pow(0.999, t - 1), 0, 1e-8)))
    return "the number of this step is *d_step + 1";
  if (near_step(right, got, moved(a, t, 1 - pow(0.9, t + 1), 1 - pow(0.999, t + 1), 0, 1e-8)))
    return "the step was counted before it was used: t is *d_step + 1, with the old *d_step";
  if (near_step(right, got, moved(a, t, first, first, 0, 1e-8)))
    return "both moments are divided by 1 - 0.9^t: v belongs to 1 - 0.999^t";
  if (near_step(right, got, a.p - RATE * (m / first) / (sqrt(v) / second + 1e-8)))
    return "v is divided by 1 - 0.999^t after its root is taken: divide first, then take the root";
  if (near_step(right, got, 2 * a.p - right.value)) return "the sign is wrong: a step goes down";
  if (near_step(right, got, a.p - RATE * (a.p - right.value)) && got != a.p)
    return "the step is shorter by a factor of `rate`: is it in the formula twice?";
  return got == a.p ? "the parameter did not move" : NULL;
}

/* ---- Training ---- */

/* Of the first step's loss. */
static const char *cause_of_first_loss(const wb_case *c, wb_expected right, double got) {
  const size_t batch = c->size.n[TRAIN_BATCH];
  const double warp = first_losses(c, train_net(c), 32, 0);
  if (near(right, got, warp / (double)batch) || near(right, got, warp / 32))
    return "the losses of the first 32 images alone are in it: a thread adds up every 32nd of the batch";
  for (size_t images = 64; images < batch; images *= 2)
    if (near(right, got, first_losses(c, train_net(c), images, 0) / (double)batch)) {
      static _Thread_local char sentence[160];
      snprintf(
          sentence, sizeof sentence,
          "the losses of the first %zu images alone are in it: a batch may have more images than a block "
          "has threads",
          images);
      return sentence;
    }
  if (near(right, got, first_losses(c, train_net(c), batch, 1) / (double)batch))
    return "the images are right, and their labels are not: a label belongs to the image that d_order names";
  return "it is the first step's: the wrong images, or the parameters moved before they were used";
}

/* The losses are right, or close to it. */
static const char *cause_of_state(size_t count, size_t i) {
  return i < count
             ? "the losses are right, but the parameters did not move as they must: are the gradients "
               "those of this step, and does it take `rate` and its own number?"
             : "the parameters are right, or nearly, and their moments are not: are the gradients those "
               "of this step, by the parameters that its loss was computed with?";
}

const char *cause_train(const wb_case *c, int array, size_t i, double got) {
  const size_t first = (size_t)first_step(c), steps = c->size.n[STEPS];
  if (array == STEP)
    return got == first                      ? "no step was counted"
           : got == first + 1.0 && steps > 1 ? "one step was counted"
                                             : NULL;
  if (array == STATE) return cause_of_state(mlp_count(train_net(c)), i);
  if (i < first) return "this loss is of a step that an earlier call made: it must stay as it is";
  const wb_expected right = expect_train(c, array, i);
  if (isnan(got)) return NULL; /* the harness says more */
  if (got == (double)wb_f32(c, LOSSES)[i]) return "this step wrote no loss: were all steps made?";
  if (near(right, got, right.value * (double)c->size.n[TRAIN_BATCH]))
    return "it is the sum of the batch's losses: the mean is asked for";
  if (i + 1 < first + steps && near(right, got, expect_train(c, array, i + 1).value))
    return "it is the loss of the next step";
  if (i > first && near(right, got, expect_train(c, array, i - 1).value))
    return "it is the loss of the step before";
  if (i == first) return cause_of_first_loss(c, right, got);
  if (near(right, got, loss_without_moments(c, i)))
    return "the moments began at 0: d_m and d_v are the state of the training, which goes on from there";
  return "the first steps' losses are right, so a step leaves something behind that it should not, or other "
         "images were asked for";
}

/* ---- Ranks ---- */

/* The losses are divided as if all parts of the batch were as large as the smallest. */
static const char *cause_of_divisor(const wb_case *c, wb_expected right, double got) {
  static _Thread_local char sentence[100];
  const size_t batch = c->size.n[TRAIN_BATCH], ranks = c->size.n[RANKS], divisor = batch / ranks * ranks;
  if (divisor == batch || divisor == 0 || !near(right, got, right.value * (double)batch / (double)divisor))
    return NULL;
  snprintf(sentence, sizeof sentence, "it is divided by %zu, and the batch has %zu images", divisor, batch);
  return sentence;
}

/* Of the first step's loss: rank 0's part of it, or the mean of the ranks' means. */
static const char *cause_of_first_of_ranks(const wb_case *c, wb_expected right, double got) {
  const mlp net = rank_net(c);
  const size_t batch = c->size.n[TRAIN_BATCH], ranks = c->size.n[RANKS];
  double means = 0, before = 0;
  for (size_t r = 0; r < ranks; r++) {
    const size_t images = batch * (r + 1) / ranks - batch * r / ranks;
    const double sum = first_losses(c, net, batch * (r + 1) / ranks, 0);
    if (images > 0) means += (sum - before) / (double)images / (double)ranks;
    before = sum;
  }
  if (ranks > 1 && near(right, got, first_losses(c, net, batch / ranks, 0) / (double)batch))
    return "it is the part of rank 0 alone: the losses of all ranks are to be added";
  if (ranks > 1 && near(right, got, means))
    return "it is the first step's, a mean of means of unequal parts: divide each sum by the whole batch";
  return cause_of_divisor(c, right, got);
}

#define OWN_IMAGES "for rank r those from batch * r / ranks to batch * (r + 1) / ranks - 1"

const char *cause_train_rank(const wb_case *c, int array, size_t i, double got) {
  const wb_expected right = expect_train_rank(c, array, i);
  const double ranks = (double)c->size.n[RANKS];
  if (array == STEP && i == OTHER_STATE)
    return "so many ranks have parameters or moments with other bits than rank 0's: did all begin with its "
           "state, and add up the same gradients?";
  if (array == STEP && i == OTHER_LOSSES)
    return "so many ranks have other losses than rank 0, and the same parameters: every rank writes the "
           "losses of the whole batch to its d_losses";
  if (array == STEP && i == OTHER_STEP)
    return "so many ranks have another *d_step than rank 0: every rank counts the steps";
  if (array == STEP) return NULL;
  if ((isnan(got) || isinf(got)) && !(array == LOSSES && i > (size_t)first_step(c)))
    return "a rank took pixels of images that are not its own, " OWN_IMAGES
           ", or something that was not written";
  if (array == LOSSES && i == (size_t)first_step(c) && cause_of_first_of_ranks(c, right, got))
    return cause_of_first_of_ranks(c, right, got);
  if (array == LOSSES && i >= (size_t)first_step(c) && ranks > 1 &&
      fabs(got / right.value / ranks - 1) < 0.05)
    return "it is larger by the number of ranks: each divides by the whole batch, then the sum is the mean";
  if (array == LOSSES && i >= (size_t)first_step(c) && ranks > 1 &&
      fabs(got / right.value * ranks - 1) < 0.05)
    return "it is smaller by the number of ranks: the sum of the parts is the mean, if each divides by the "
           "whole batch";
  if (array == LOSSES && i == (size_t)first_step(c))
    return "it is the first step's: other images than this batch's or than a rank's own, " OWN_IMAGES
           ", or other parameters than rank 0's";
  if (array == LOSSES && i > (size_t)first_step(c))
    return "the first step's loss is right: did all ranks begin with the parameters of rank 0, and both of "
           "its moments, and move by the same gradients?";
  return NULL;
}

/* ---- Convolutions ---- */

/* Wrong convolutions: with the weights turned by half a turn; with the border repeated outside the image; with the
 * next number in memory outside it, where there is one. */
typedef enum convolution { TURNED, REPEATED, FLAT } convolution;

/* Number i of y. */
static double convolved(const wb_case *c, size_t i, convolution how) {
  const conv v = conv_of(c);
  const int from = v.from, to = v.to, k = (int)(i % (size_t)to), places = v.height * v.width;
  const int place = (int)(i / (size_t)to % (size_t)places), image = (int)(i / (size_t)to / (size_t)places);
  const float *x = wb_f32(c, CONV_X) + (size_t)image * (size_t)places * (size_t)from;
  double sum = 0;
  for (int tap = 0; tap < 9; tap++) {
    int row = place / v.width + tap / 3 - 1, column = place % v.width + tap % 3 - 1;
    const bool is_flat = how == FLAT && row * v.width + column >= 0 && row * v.width + column < places;
    if (how == REPEATED) {
      row = row < 0 ? 0 : row < v.height ? row : v.height - 1;
      column = column < 0 ? 0 : column < v.width ? column : v.width - 1;
    }
    if (!is_flat && (row < 0 || row >= v.height || column < 0 || column >= v.width)) continue;
    for (int channel = 0; channel < from; channel++)
      sum += (double)x[(row * v.width + column) * from + channel] *
             wb_f32(c, CONV_WEIGHTS)[((how == TURNED ? 8 - tap : tap) * from + channel) * to + k];
  }
  return sum;
}

const char *cause_conv_forward(const wb_case *c, int array, size_t i, double got) {
  const wb_expected right = expect_conv_forward(c, array, i);
  if (isnan(got)) return NULL; /* the harness says more */
  if (near(right, got, convolved(c, i, TURNED)))
    return "the weights are turned by half a turn: weights[0][0] meets the neighbour above and to the left";
  if (near(right, got, convolved(c, i, REPEATED))) return "outside the image x is 0: here the border goes on";
  if (near(right, got, convolved(c, i, FLAT)))
    return "outside the image x is 0: here a number of the row before or after stands to the left or right "
           "of it";
  return NULL;
}

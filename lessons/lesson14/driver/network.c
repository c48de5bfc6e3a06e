/* network.c: see network.h. Inner loops go along rows, so that the compiler can use vectors. */
#include "network.h"
#include "base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS (1.0 / 16777216.0) /* half the distance from 1 to the next float */

net_numbers numbers_new(size_t count) {
  net_numbers n = {calloc(count + 1, sizeof(double)), calloc(count + 1, sizeof(double))};
  if (!n.value || !n.error) abort();
  return n;
}

void numbers_free(net_numbers *n) {
  free(n->value);
  free(n->error);
  *n = (net_numbers){0};
}

net_states states_new(mlp net, size_t batch) {
  const size_t hidden = batch * (size_t)net.hidden, probs = batch * (size_t)net.outputs;
  return (net_states){numbers_new(hidden), numbers_new(hidden), numbers_new(probs), numbers_new(batch)};
}

void states_free(net_states *s) {
  numbers_free(&s->before);
  numbers_free(&s->hidden);
  numbers_free(&s->probs);
  numbers_free(&s->losses);
}

/* The relative error of a float sum of n products. */
static double error_of_sum(size_t n) { return 1.01 * (double)(n + 2) * EPS; }

/* What half of the open terms of a sum may change (wb_share). */
static double open_part(double share, double term) { return share == 0.5 ? fabs(term) / 2 : 0; }

/* What affine adds up where the library takes factors in `zeros` for 0. A bias may be a factor, times 1, or none. */
static void affine_with_zeros(size_t n, size_t width, const double *row, const double *row_error,
                              const double *matrix, double relative, const wb_window *zeros, double *to,
                              double *error) {
  for (size_t j = 0; j < width; j++) {
    const bool open = fmin(wb_share(zeros, to[j], 0), wb_share(zeros, 1, 0)) < 1;
    error[j] += open_part(open ? 0.5 : 1, to[j]);
    to[j] *= open ? 0.5 : 1;
  }
  for (size_t k = 0; k < n; k++) {
    const double off = row_error ? row_error[k] : 0, share = wb_share(zeros, row[k], off);
    for (size_t j = 0; j < width; j++) {
      const double m = matrix[k * width + j], term = row[k] * m, both = fmin(share, wb_share(zeros, m, 0));
      to[j] += both * term;
      error[j] += relative * fabs(term) + off * fabs(m) + open_part(both, term);
    }
  }
}

/* to = row * matrix + bias, with the error of the sums and that of the row; the matrix is n x width. */
static void affine(size_t n, size_t width, const double *row, const double *row_error, const double *matrix,
                   const double *bias, const wb_window *zeros, double *to, double *error) {
  const double relative = error_of_sum(n + 1);
  for (size_t j = 0; j < width; j++) {
    to[j] = bias[j];
    error[j] = relative * fabs(bias[j]);
  }
  if (zeros->high > 0) {
    affine_with_zeros(n, width, row, row_error, matrix, relative, zeros, to, error);
    return;
  }
  for (size_t k = 0; k < n; k++) {
    const double a = row[k], b = relative * fabs(row[k]) + (row_error ? row_error[k] : 0);
    const double *m = matrix + k * width;
    for (size_t j = 0; j < width; j++) {
      to[j] += a * m[j];
      error[j] += b * fabs(m[j]);
    }
  }
}

/*
 * probs holds the logits, and becomes probabilities. With logits off by at most e, a probability is off by a
 * factor of exp(2 e). Fast exponentials are off by some 2 + 1.2 |z| units in the last place.
 */
static void softmax(size_t outputs, double *probs, double *error, int label, double *loss,
                    double *loss_error) {
  double largest = -INFINITY, sum = 0, off = 0, size = 0;
  for (size_t j = 0; j < outputs; j++) {
    largest = fmax(largest, probs[j]);
    off = fmax(off, error[j]);
    size = fmax(size, fabs(probs[j]));
  }
  for (size_t j = 0; j < outputs; j++) sum += exp(probs[j] - largest);
  *loss = log(sum) - (probs[label] - largest);
  *loss_error = 2 * off + 8 * EPS * (1 + size + *loss);
  for (size_t j = 0; j < outputs; j++) {
    const double z = probs[j] - largest, roundings = (16 + (double)outputs + 4 * fabs(z)) * EPS;
    probs[j] = exp(z) / sum;
    error[j] = probs[j] * (expm1(2 * off) + roundings) + 1e-37; /* float's smallest numbers */
  }
}

/* A pass over a batch by several threads. */
typedef struct pass {
  const net_input *in;
  net_states *out;           /* of the forward pass */
  const net_states *at;      /* of the backward pass, as the rest: what the forward pass gave ... */
  double of;                 /* ... and over how many images the mean is taken */
  net_numbers slopes, below; /* of the logits, and of the hidden numbers */
  net_numbers *grads;
} pass;

/* How many of the parts of a pass a thread takes at least, if one costs `each` products: few products are not worth a
 * thread's start. */
static size_t grain(size_t each) { return 1 + ((size_t)1 << 18) / (each + 1); }

static void forward_images(void *argument, int part, size_t first, size_t last) {
  const pass *a = argument;
  const net_input *in = a->in;
  const net_states *out = a->out;
  const size_t inputs = (size_t)in->net.inputs, hidden = (size_t)in->net.hidden,
               outputs = (size_t)in->net.outputs;
  const double *b1 = in->params + at_b1(in->net), *w2 = in->params + at_w2(in->net),
               *b2 = in->params + at_b2(in->net);
  (void)part;
  for (size_t i = first; i < last; i++) {
    double *before = out->before.value + i * hidden, *row = out->hidden.value + i * hidden;
    double *error = out->before.error + i * hidden, *logits = out->probs.value + i * outputs;
    affine(inputs, hidden, in->x + i * inputs, NULL, in->params, b1, &in->zeros, before, error);
    for (size_t j = 0; j < hidden; j++) row[j] = fmax(0, before[j]);
    memcpy(out->hidden.error + i * hidden, error, hidden * sizeof *error);
    affine(hidden, outputs, row, error, w2, b2, &in->zeros, logits, out->probs.error + i * outputs);
    /* to find out on what an answer depends, the harness also changes labels, to any number */
    const int label = (int)((uint32_t)in->labels[i] % (uint32_t)outputs);
    softmax(outputs, logits, out->probs.error + i * outputs, label, &out->losses.value[i],
            &out->losses.error[i]);
  }
}

void network_forward(const net_input *in, net_states *out) {
  pass a = {.in = in, .out = out};
  wb_parallel(in->batch, grain((size_t)in->net.inputs * (size_t)in->net.hidden), forward_images, &a);
}

/* What counts of a slope as a factor of a product by the library, which may get it before it is divided by `of`. */
static double share_of_slope(const pass *a, double slope, double off) {
  const wb_window *zeros = &a->in->zeros;
  const double share = wb_share(zeros, slope, off), before = wb_share(zeros, slope * a->of, off * a->of);
  return share == before ? share : 0.5;
}

/* The same as add_outer where the library takes factors in a window for 0. `if_at_all`: these products may be made by a
 * kernel, too. */
static void add_outer_with_zeros(const pass *pass, size_t rows, size_t width, const double *a,
                                 const double *a_error, const double *b, const double *b_error,
                                 double relative, bool if_at_all, net_numbers sums) {
  for (size_t k = 0; k < rows; k++) {
    const double size = fabs(a[k]), off = a_error ? a_error[k] : 0,
                 share = wb_share(&pass->in->zeros, a[k], off);
    for (size_t j = 0; j < width; j++) {
      double both = fmin(share, share_of_slope(pass, b[j], b_error[j]));
      if (if_at_all && both < 1) both = 0.5;
      sums.value[k * width + j] += both * a[k] * b[j];
      sums.error[k * width + j] +=
          (relative * size + off) * fabs(b[j]) + (size + off) * b_error[j] + open_part(both, a[k] * b[j]);
    }
  }
}

/* sums += a row, times the numbers of another: the part of one image in a gradient. */
static void add_outer(const pass *pass, size_t rows, size_t width, const double *a, const double *a_error,
                      const double *b, const double *b_error, double relative, bool if_at_all,
                      net_numbers sums) {
  if (pass->in->zeros.high > 0) {
    add_outer_with_zeros(pass, rows, width, a, a_error, b, b_error, relative, if_at_all, sums);
    return;
  }
  for (size_t k = 0; k < rows; k++) {
    const double size = fabs(a[k]), off = a_error ? a_error[k] : 0;
    if (a[k] == 0 && off == 0) continue;
    double *value = sums.value + k * width, *error = sums.error + k * width;
    for (size_t j = 0; j < width; j++) {
      value[j] += a[k] * b[j];
      error[j] += (relative * size + off) * fabs(b[j]) + (size + off) * b_error[j];
    }
  }
}

static net_numbers from(net_numbers n, size_t first) {
  return (net_numbers){n.value + first, n.error + first};
}

/* A kernel may make the slopes of the hidden numbers, or the library. */
static bool may_be_zero(const pass *a, double slope, double off, double weight) {
  return a->in->zeros.high > 0 && fmin(share_of_slope(a, slope, off), wb_share(&a->in->zeros, weight, 0)) < 1;
}

static void slopes_of_images(void *argument, int part, size_t first, size_t last) {
  const pass *a = argument;
  const net_states *at = a->at;
  const size_t hidden = (size_t)a->in->net.hidden, outputs = (size_t)a->in->net.outputs;
  const double *w2 = a->in->params + at_w2(a->in->net), relative = error_of_sum(outputs);
  (void)part;
  for (size_t i = first; i < last; i++) {
    const net_numbers slope = from(a->slopes, i * outputs), below = from(a->below, i * hidden);
    for (size_t j = 0; j < outputs; j++) {
      const double p = at->probs.value[i * outputs + j], y = (size_t)a->in->labels[i] == j;
      slope.value[j] = (p - y) / a->of;
      slope.error[j] = (at->probs.error[i * outputs + j] + 4 * EPS * (p + y)) / a->of;
    }
    for (size_t k = 0; k < hidden; k++) {
      const double before = at->before.value[i * hidden + k], off = at->before.error[i * hidden + k];
      double sum = 0, error = 0;
      for (size_t j = 0; j < outputs; j++) {
        const double w = w2[k * outputs + j], term = slope.value[j] * w;
        const bool open = may_be_zero(a, slope.value[j], slope.error[j], w);
        sum += open ? term / 2 : term;
        error += (slope.error[j] + relative * fabs(slope.value[j])) * fabs(w) + (open ? fabs(term) / 2 : 0);
      }
      below.value[k] = before > 0 ? sum : 0;
      below.error[k] = off > 0 && fabs(before) <= off ? fabs(sum) + error : before > 0 ? error : 0;
    }
  }
}

/* The rows first .. last - 1 of the gradient of W1: image after image, so that the sums don't depend on the number of
 * threads. */
static void rows_of_w1(void *argument, int part, size_t first, size_t last) {
  const pass *a = argument;
  const size_t inputs = (size_t)a->in->net.inputs, hidden = (size_t)a->in->net.hidden;
  (void)part;
  for (size_t i = 0; i < a->in->batch; i++)
    add_outer(a, last - first, hidden, a->in->x + i * inputs + first, NULL, a->below.value + i * hidden,
              a->below.error + i * hidden, error_of_sum(a->in->batch), false,
              from(*a->grads, first * hidden));
}

void network_backward(const net_input *in, size_t of, const net_states *at, net_numbers *grads) {
  const size_t inputs = (size_t)in->net.inputs, hidden = (size_t)in->net.hidden,
               outputs = (size_t)in->net.outputs, count = mlp_count(in->net);
  const double one = 1, relative = error_of_sum(in->batch);
  pass a = {.in = in,
            .at = at,
            .of = (double)of,
            .slopes = numbers_new(in->batch * outputs),
            .below = numbers_new(in->batch * hidden),
            .grads = grads};
  memset(grads->value, 0, count * sizeof(double));
  memset(grads->error, 0, count * sizeof(double));
  wb_parallel(in->batch, grain(hidden * outputs), slopes_of_images, &a);
  wb_parallel(inputs, grain(in->batch * hidden), rows_of_w1, &a);
  for (size_t i = 0; i < in->batch; i++) {
    const net_numbers slope = from(a.slopes, i * outputs), below = from(a.below, i * hidden);
    add_outer(&a, hidden, outputs, at->hidden.value + i * hidden, at->hidden.error + i * hidden, slope.value,
              slope.error, relative, false, from(*grads, at_w2(in->net)));
    add_outer(&a, 1, outputs, &one, NULL, slope.value, slope.error, relative, true,
              from(*grads, at_b2(in->net)));
    add_outer(&a, 1, hidden, &one, NULL, below.value, below.error, relative, true,
              from(*grads, at_b1(in->net)));
  }
  numbers_free(&a.slopes);
  numbers_free(&a.below);
}

void network_adam(size_t count, double rate, int t, double *params, const double *grads, double *m,
                  double *v) {
  const double first = 1 - pow(0.9, t), second = 1 - pow(0.999, t);
  for (size_t i = 0; i < count; i++) {
    m[i] = 0.9 * m[i] + 0.1 * grads[i];
    v[i] = 0.999 * v[i] + 0.001 * grads[i] * grads[i];
    params[i] -= rate * (m[i] / first) / (sqrt(v[i] / second) + 1e-8);
  }
}

double network_loss(const net_input *in) {
  net_states s = states_new(in->net, in->batch);
  double sum = 0;
  network_forward(in, &s);
  for (size_t i = 0; i < in->batch; i++) sum += s.losses.value[i];
  states_free(&s);
  return sum / (double)in->batch;
}

/* model/stats.c: see model/stats.h. */
#include "model/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void wb_samples_add(wb_samples *samples, double value) {
  if (samples->count == samples->capacity) {
    const size_t capacity = samples->capacity ? 2 * samples->capacity : 32;
    double *grown = realloc(samples->value, capacity * sizeof(double));
    if (!grown) return;
    samples->value = grown;
    samples->capacity = capacity;
  }
  samples->value[samples->count++] = value;
}

void wb_samples_free(wb_samples *samples) {
  free(samples->value);
  *samples = (wb_samples){0};
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of `count` values in any order; sorts them. */
static double median_of(double *value, size_t count) {
  if (count == 0) return NAN;
  qsort(value, count, sizeof(double), ascending);
  return count % 2 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2;
}

double wb_median(const wb_samples *samples) {
  if (samples->count == 0) return NAN;
  double *sorted = malloc(samples->count * sizeof(double));
  if (!sorted) return NAN;
  memcpy(sorted, samples->value, samples->count * sizeof(double));
  const double median = median_of(sorted, samples->count);
  free(sorted);
  return median;
}

double wb_minimum(const wb_samples *samples) {
  double least = NAN;
  for (size_t i = 0; i < samples->count; i++) least = fmin(least, samples->value[i]);
  return least;
}

double wb_noise(const wb_samples *samples) {
  if (samples->count < 2) return 0;
  const double median = wb_median(samples);
  double *deviation = malloc(samples->count * sizeof(double));
  if (!deviation || !(median > 0)) {
    free(deviation);
    return 0;
  }
  for (size_t i = 0; i < samples->count; i++) deviation[i] = fabs(samples->value[i] - median);
  const double spread = 1.4826 * median_of(deviation, samples->count) / median;
  free(deviation);
  return spread;
}

double wb_standard_error(const wb_samples *samples) {
  return samples->count ? 1.2533 * wb_noise(samples) / sqrt((double)samples->count) : 0;
}

wb_ratio wb_speed_ratio(const wb_samples *a_time, double a_work, const wb_samples *b_time, double b_work) {
  const double work = a_work / b_work;
  wb_samples rounds = {0};
  for (size_t i = 0; i < a_time->count && i < b_time->count; i++)
    wb_samples_add(&rounds, work * b_time->value[i] / a_time->value[i]);
  wb_ratio ratio = {.value = wb_median(&rounds), .low = 0, .high = INFINITY};
  if (rounds.count >= 3) {
    /* About Student's factor for 95 %: 4 for three rounds, 2.4 for ten, towards 2. */
    const double error = (2 + 4 / (double)(rounds.count - 1)) * wb_standard_error(&rounds);
    ratio.low = error < 1 ? ratio.value * (1 - error) : 0;
    ratio.high = ratio.value * (1 + error);
  }
  wb_samples_free(&rounds);
  return ratio;
}

bool wb_stop(const wb_stopping *rule, size_t rounds, double error, double sampled_seconds,
             double elapsed_seconds) {
  if (rounds >= rule->most) return true;
  if (rounds >= 3 && elapsed_seconds >= rule->budget_seconds) return true;
  return rounds >= rule->least && sampled_seconds >= rule->least_seconds && error < rule->error;
}

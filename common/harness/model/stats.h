/* model/stats.h: statistics of a few samples. They are medians and median deviations: on a shared machine
 * a sample is sometimes ten times too long, and that would distort a mean. */
#ifndef WB_STATS_H
#define WB_STATS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wb_samples {
  double *value; /* owned; wb_samples_free */
  size_t count, capacity;
} wb_samples;

/* Appends a sample. Out of memory: the sample is dropped. */
void wb_samples_add(wb_samples *samples, double value);
void wb_samples_free(wb_samples *samples);

/* The median; NaN for no samples. */
double wb_median(const wb_samples *samples);
/* The smallest; NaN for no samples. */
double wb_minimum(const wb_samples *samples);

/*
 * Spread relative to the median: 1.4826 times the median absolute deviation, which for normally distributed
 * samples is their standard deviation. 0 of fewer than two samples.
 */
double wb_noise(const wb_samples *samples);

/* Standard error of the median relative to it: 1.2533 noise / sqrt(count). */
double wb_standard_error(const wb_samples *samples);

/* A ratio with the interval in which it lies 19 times of 20. */
typedef struct wb_ratio {
  double value, low, high;
} wb_ratio;

/*
 * How many times as fast a is as b: the median over rounds of (a_work / a_time) / (b_work / b_time), sample i
 * of both being taken in the same round, so that a machine that is slower for a while is slower for both.
 * With fewer than three rounds the interval is [0, infinity).
 */
wb_ratio wb_speed_ratio(const wb_samples *a_time, double a_work, const wb_samples *b_time, double b_work);

/* When to stop sampling. */
typedef struct wb_stopping {
  size_t least, most;    /* rounds */
  double error;          /* settled when every relative standard error is below this */
  double least_seconds;  /* time that the samples must add up to ... */
  double budget_seconds; /* ... and elapsed time after which it ends in any case */
} wb_stopping;

/* Whether to stop after `rounds`, with the largest standard error, the samples' sum and the elapsed time. */
bool wb_stop(const wb_stopping *rule, size_t rounds, double error, double sampled_seconds,
             double elapsed_seconds);

#endif

/* picture.c: see picture.h. */
#include "picture.h"
#include "image.h"
#include "jacobi.h"
#include "oracle.h"
#include "problem.h"
#include "base/clock.h"
#include "device/device.h"
#include "base/progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One way to solve it: the plate and how it ended. */
typedef struct answer {
  double *p;
  outcome reached;
  double time_s;
} answer;

static double middle(const answer *a, plate plate) {
  return a->p[(size_t)plate.source_row * (size_t)plate.cols + (size_t)plate.source_col];
}

/* Sweeps 500 at a time, so that the progress line can be updated. The learner's functions are not aware of
 * it. */
static cudaError_t in_steps(void *d_p, void *d_work, bool wide, plate plate, stopping stop,
                            outcome *reached) {
  cudaError_t error = cudaSuccess;
  int done = 0;
  for (outcome step = {0, INFINITY}; !error && done < stop.most && !(step.change < stop.tolerance);) {
    stopping some = stop;
    some.most = stop.most - done < 500 ? stop.most - done : 500;
    step = (outcome){-1, -1};
    error = wide ? solve(d_p, d_work, plate, some, &step) : solve_float(d_p, d_work, plate, some, &step);
    if (step.sweeps < 1) break; /* the function doesn't work yet */
    done += step.sweeps;
    *reached = (outcome){done, step.change};
    wb_progress("%s: %d sweeps, the last changed %.3g of %.3g", wide ? "double" : "float", done, step.change,
                stop.tolerance);
  }
  return error;
}

/* The learner's solver, from a cold plate on the device. */
static cudaError_t on_device(plate plate, stopping stop, bool wide, answer *a) {
  const size_t cells = (size_t)plate.rows * (size_t)plate.cols, bytes = cells * (wide ? 8 : 4);
  void *d_p = NULL, *d_work = NULL;
  cudaError_t error = cudaMalloc(&d_p, bytes);
  if (!error) error = cudaMalloc(&d_work, bytes);
  if (!error) error = cudaMemset(d_p, 0, bytes);
  const double start_ms = wb_now_ms();
  if (!error) error = in_steps(d_p, d_work, wide, plate, stop, &a->reached);
  a->time_s = (wb_now_ms() - start_ms) / 1e3;
  if (!error) error = cudaMemcpy(a->p, d_p, bytes, cudaMemcpyDeviceToHost);
  if (!wide) /* backwards: double i overwrites floats 2 i and 2 i + 1 */
    for (size_t i = cells; i-- > 0;) {
      float value;
      memcpy(&value, (const char *)a->p + i * sizeof value, sizeof value);
      a->p[i] = value;
    }
  cudaFree(d_work);
  cudaFree(d_p);
  wb_progress_clear();
  return error;
}

static void on_host(plate plate, stopping stop, answer *a, double *work) {
  const size_t cells = (size_t)plate.rows * (size_t)plate.cols;
  double closest;
  memset(a->p, 0, cells * sizeof *a->p);
  const double start_ms = wb_now_ms();
  const double *result = oracle_solve(a->p, work, plate, stop, &a->reached, &closest);
  a->time_s = (wb_now_ms() - start_ms) / 1e3;
  if (result != a->p) memcpy(a->p, result, cells * sizeof *a->p);
}

static void print_answer(const char *name, const answer *a, plate plate, const answer *host) {
  if (a->reached.sweeps < 1) {
    printf("  %-22s not written yet\n", name);
    return;
  }
  printf("  %-22s %8d   %.10f %10.3f s", name, a->reached.sweeps, middle(a, plate), a->time_s);
  if (a != host) printf("   %+.1e", middle(a, plate) - middle(host, plate));
  putchar('\n');
}

static int show(const char *path, plate plate, const answer *host, const answer *wide, const answer *narrow) {
  printf("%d x %d cells, dx = 1/%d, source 10000 in the middle, until the change is below 1e-4\n\n",
         plate.rows, plate.cols, plate.rows);
  printf("  %-22s %8s   %-12s %12s   %s\n", "", "sweeps", "middle", "time", "difference");
  print_answer("host, one core, double", host, plate, host);
  print_answer("solve, double", wide, plate, host);
  print_answer("solve_float", narrow, plate, host);
  const answer *best = wide->reached.sweeps > 0 ? wide : host;
  const double largest = middle(best, plate);
  putchar('\n');
  image_print(best->p, plate.rows, largest);
  char written[4096];
  if (!image_write(path, best->p, plate.rows, largest, written, sizeof written)) {
    fprintf(stderr, "%s: can't be written: %s\n", written, strerror(errno));
    return 3;
  }
  if (strcmp(written, path) != 0) printf("\nlibpng isn't here, so it is a PPM.");
  printf("\n%s: %s\n", written,
         best == wide ? "your plate" : "the plate of the host: solve isn't written yet");
  const bool same =
      wide->reached.sweeps == host->reached.sweeps && fabs(middle(wide, plate) - middle(host, plate)) < 1e-9;
  return same ? 0 : 1;
}

int picture_of_plate(const char *path, const wb_size *size, int size_count) {
  const bool slow = strcmp(wb_device_backend(), "cpu") == 0;
  const size_t n = size_count ? size->n[0] : slow ? 64 : 256;
  if (n < 3 || n > 1024) {
    fprintf(stderr, "--size %zu: the picture's plate has 3 to 1024 cells a side\n", n);
    return 2;
  }
  const wb_case c = {.size = {{n, n, 1, SEED}}};
  const plate plate = problem_plate(&c);
  const stopping stop = problem_stop(&c);
  answer host = {0}, wide = {0}, narrow = {0};
  double *work = malloc(n * n * sizeof *work);
  host.p = malloc(n * n * sizeof *work);
  wide.p = malloc(n * n * sizeof *work);
  narrow.p = malloc(n * n * sizeof *work);
  int status = 3;
  if (!work || !host.p || !wide.p || !narrow.p) {
    fprintf(stderr, "%s: not enough memory\n", path);
  } else {
    cudaError_t error = on_device(plate, stop, true, &wide);
    if (!error) error = on_device(plate, stop, false, &narrow);
    on_host(plate, stop, &host, work);
    if (error) fprintf(stderr, "%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    if (!error) status = show(path, plate, &host, &wide, &narrow);
  }
  free(work);
  free(host.p);
  free(wide.p);
  free(narrow.p);
  return status;
}

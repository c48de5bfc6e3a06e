/*
 * errors.cu: how far your integrals are from the right one, which is known here.
 *
 *     common/cpu/cucc -I lessons/lesson10 -o build/errors lessons/lesson10/driver/demo/errors.cu \
 *       lessons/lesson10/integration.cu && build/errors
 *
 * With nvcc in the place of cucc it runs on a GPU.
 */
#include "integration.h"

#include <math.h>
#include <stdio.h>

static const problem p = {1.25, 0.75, 1, 0.5, 0, 2, 0, 2};

/* Four values of the antiderivative in x and y, -c / (a b) sin(a x + b y + d), one for each corner. */
static double right() {
  const double corner = -p.c / (p.a * p.b);
  return corner * (sin(p.a * p.x1 + p.b * p.y1 + p.d) - sin(p.a * p.x0 + p.b * p.y1 + p.d) -
                   sin(p.a * p.x1 + p.b * p.y0 + p.d) + sin(p.a * p.x0 + p.b * p.y0 + p.d));
}

int main() {
  double *d_work, rule[3] = {}, random = 0;
  cudaError_t error = cudaMalloc(&d_work, WORK_COUNT * sizeof *d_work);
  printf("cells       midpoint rule   Richardson   random points\n");
  for (size_t n = 4; n <= 256 && !error; n *= 2) {
    error = richardson(p, n / 2, n / 2, 4, 128, rule, d_work);
    if (!error) error = monte_carlo(p, 2026, 0, n * n, 4, 128, &random, d_work);
    printf("%3zu x %-3zu   %13.1e   %10.1e   %13.1e\n", n, n, fabs(rule[1] - right()),
           fabs(rule[1] + rule[2] - right()), fabs(random - right()));
  }
  if (error) printf("%s\n", cudaGetErrorString(error));
  cudaFree(d_work);
  return error ? 1 : 0;
}

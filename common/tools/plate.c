/*
 * plate.c: computes lesson08's plate on one core, in double, while it converges, for the site's charts.
 * Built and run by common/tools/plate, which adds the machine and the date.
 *
 *   plate convergence   after some of the sweeps: the change of that sweep, the distance from the final plate
 *   plate plates        a few plates on the way, every fifth cell of every fifth row
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE      256 /* as in the course's problem: lessons/lesson08/driver/problem.h */
#define CELLS     (SIDE * SIDE)
#define SOURCE    (SIDE / 2 * SIDE + SIDE / 2)
#define STRENGTH  (10000.0 / SIDE / SIDE)
#define TOLERANCE 1e-4
#define EVER      400000 /* sweeps after which only the last digits change */
#define APART     5      /* a divisor of 255, so the edge is among the cells shown */

static double first[CELLS], second[CELLS], end[CELLS];

typedef struct {
  double *now, *before;
} plates;

static void start(plates *p) {
  memset(first, 0, sizeof first);
  memset(second, 0, sizeof second);
  *p = (plates){first, second};
}

static void sweep(plates *p) {
  const double *const old = p->now;
  double *const next = p->before;
  for (size_t row = 1; row + 1 < SIDE; row++)
    for (size_t i = row * SIDE + 1; i + 1 < (row + 1) * SIDE; i++)
      next[i] = 0.25 * ((old[i - SIDE] + old[i + SIDE]) + (old[i - 1] + old[i + 1]));
  next[SOURCE] += STRENGTH / 4;
  *p = (plates){next, p->before == first ? second : first};
}

static double distance(const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < CELLS; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* Computes the final plate into `end`. */
static void find_end(plates *p) {
  start(p);
  for (int i = 0; i < EVER; i++) sweep(p);
  memcpy(end, p->now, sizeof end);
}

/* A point each tenth of a decade, the sweep after which the problem stops, and on to ten times that. */
static void show_convergence(plates *p) {
  find_end(p);
  start(p);
  puts("sweeps,change,distance,middle,stops");
  double next = 1;
  int stopped = 0;
  for (int sweeps = 1; !stopped || sweeps <= 10 * stopped; sweeps++) {
    sweep(p);
    const double change = distance(p->now, p->before);
    const int stops = !stopped && change < TOLERANCE;
    if (stops) stopped = sweeps;
    if (!stops && sweeps < next) continue;
    printf("%d,%.6g,%.6g,%.10f,%d\n", sweeps, change, distance(p->now, end), p->now[SOURCE], stops);
    while (next <= sweeps) next *= pow(10, 0.1);
  }
}

static void show_plate(const double *p, int sweeps) {
  for (int row = 0; row < SIDE; row += APART) {
    printf("%d,%d", sweeps, row);
    for (int col = 0; col < SIDE; col += APART) printf(",%.3g", p[row * SIDE + col]);
    puts("");
  }
}

/* After 100 and 1000 sweeps, where the problem stops, and the final plate. */
static void show_plates(plates *p) {
  printf("sweeps,row");
  for (int col = 0; col < SIDE; col += APART) printf(",%d", col);
  puts("");
  start(p);
  double change = INFINITY;
  for (int sweeps = 1; change >= TOLERANCE; sweeps++) {
    sweep(p);
    change = distance(p->now, p->before);
    if (sweeps == 100 || sweeps == 1000 || change < TOLERANCE) show_plate(p->now, sweeps);
  }
  find_end(p);
  show_plate(end, EVER);
}

int main(int argc, char **argv) {
  plates p;
  if (argc == 2 && !strcmp(argv[1], "convergence"))
    show_convergence(&p);
  else if (argc == 2 && !strcmp(argv[1], "plates"))
    show_plates(&p);
  else {
    fputs("usage: plate convergence | plates\n", stderr);
    return 2;
  }
  return fflush(stdout) ? 1 : 0;
}

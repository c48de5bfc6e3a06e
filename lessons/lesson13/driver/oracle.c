/*
 * oracle.c: see oracle.h. For a mistake the whole plate is swept in parts, whose halos are filled late, once, or
 * never.
 */
#include "oracle.h"
#include "host.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The plate after a case's sweeps. The harness checks one case at a time, by several threads. */
typedef struct result {
  bool known;
  wb_size size;
  double param[WB_MAX_PARAMS]; /* random, new for every call: they distinguish the cases of one size */
  float *p;                    /* some plates ... */
  size_t room;                 /* ... of so many cells in all ... */
  float *after;                /* ... of which this one is the result */
  outcome reached;
} result;

static size_t cells_of(const wb_case *c) { return c->size.n[ROWS] * c->size.n[COLS]; }

double oracle_change(const float *p, const float *next, size_t cells) {
  double sum = 0;
  for (size_t i = 0; i < cells; i++)
    sum += ((double)next[i] - (double)p[i]) * ((double)next[i] - (double)p[i]);
  return sqrt(sum);
}

/* The rows of part first .. end - 1 from an array of its own, in which its halo is `above` and `below`. */
static void sweep_part(const float *p, const float *halo, float *next, float *room, plate plate, int first,
                       int end) {
  const size_t cols = (size_t)plate.cols;
  memcpy(room, p, (size_t)plate.rows * cols * sizeof *room);
  if (halo && first > 0)
    memcpy(room + (size_t)(first - 1) * cols, halo + (size_t)(first - 1) * cols, cols * sizeof *room);
  if (halo && end < plate.rows)
    memcpy(room + (size_t)end * cols, halo + (size_t)end * cols, cols * sizeof *room);
  sweep_host(room, next, plate, first, end);
}

/* Equal parts, and rows that are left. */
static void sweep_equal_parts(const float *now, float *next, plate plate, int parts) {
  const int rows = plate.rows < parts ? plate.rows : plate.rows / parts * parts;
  const size_t cells = (size_t)rows * (size_t)plate.cols;
  sweep_host(now, next, plate, 0, rows);
  memcpy(next + cells, now + cells, ((size_t)plate.rows * (size_t)plate.cols - cells) * sizeof *next);
}

static void sweep_as(kind how, const float *start, const float *before, const float *now, float *next,
                     float *room, plate plate, int parts) {
  if (how == REST) return sweep_equal_parts(now, next, plate, parts);
  const int source_row = plate.source_row;
  for (int i = 0; i < parts; i++) {
    const int first = first_row(plate.rows, parts, i), end = first_row(plate.rows, parts, i + 1);
    if (first == end) continue;
    if (how == MOVED) plate.source_row = source_row + (first > 0 ? first - 1 : 0);
    sweep_part(now, how == STALE ? start : how == LATE ? before : NULL, next, room, plate, first, end);
    if (how != CUT) continue;
    const size_t bytes = (size_t)plate.cols * sizeof *next, top = (size_t)first * (size_t)plate.cols,
                 bottom = (size_t)(end - 1) * (size_t)plate.cols;
    memcpy(next + top, now + top, bytes);
    memcpy(next + bottom, now + bottom, bytes);
  }
}

bool oracle_in_parts(kind how) {
  return how == REST || how == STALE || how == LATE || how == CUT || how == MOVED;
}

/* Makes room for `arrays` plates and returns it; r->p is the first one. Used memory needs no new pages
 * from the system. */
static float *room_for(result *r, size_t cells, size_t arrays) {
  if (!r->p || r->room < cells * arrays) {
    free(r->p);
    r->room = cells * arrays;
    r->p = malloc(r->room * sizeof *r->p + 1);
    if (!r->p) abort(); /* the harness has checked that the arrays fit twice */
  }
  return r->p;
}

/* All sweeps without a check. */
static void make_plain(result *r, const wb_case *c, int array, plate plate, int count) {
  const size_t cells = cells_of(c);
  float *p = room_for(r, cells, 2);
  memcpy(p, wb_f32(c, array), cells * sizeof *p);
  r->after = sweeps_host(p, p + cells, plate, count);
  r->reached = (outcome){count, INFINITY};
}

/* `stop` as solve_rank has it; parts: into how many the plate is cut for a mistake. */
static void make_checked(result *r, const wb_case *c, int array, plate plate, kind how, stopping stop,
                         int parts) {
  const size_t cells = cells_of(c), bytes = cells * sizeof(float);
  float *start = room_for(r, cells, 5), *before = start + cells, *now = before + cells, *next = now + cells,
        *room = next + cells;
  memcpy(start, wb_f32(c, array), bytes);
  memcpy(before, start, bytes);
  memcpy(now, start, bytes);
  r->reached = (outcome){0, INFINITY};
  while (r->reached.sweeps < stop.most && !(r->reached.change < stop.tolerance)) {
    if (oracle_in_parts(how))
      sweep_as(how, start, before, now, next, room, plate, parts);
    else
      sweep_host(now, next, plate, 0, plate.rows);
    float *const oldest = before;
    before = now;
    now = next;
    next = oldest;
    if (++r->reached.sweeps % stop.check_every && r->reached.sweeps < stop.most) continue;
    r->reached.change = oracle_change(before, now, cells);
  }
  r->after = now;
}

static void make(result *r, const wb_case *c, int array, kind how, stopping stop, int parts) {
  plate plate = problem_plate(c);
  if (how == NO_SOURCE) plate.source_row = -1;
  if (how == FEWER) stop.most--;
  if (how == MORE && stop.most < INT_MAX) stop.most++;
  if (stop.tolerance < 0 && !oracle_in_parts(how))
    make_plain(r, c, array, plate, stop.most);
  else
    make_checked(r, c, array, plate, how, stop, parts);
  r->known = true;
  r->size = c->size;
  memcpy(r->param, c->param, sizeof r->param);
}

static bool is_of(const result *r, const wb_case *c) {
  return r->known && memcmp(&r->size, &c->size, sizeof r->size) == 0 &&
         memcmp(r->param, c->param, sizeof r->param) == 0;
}

/* Each thread takes the lock only once for a case: taken for every cell, it would cost sixteen threads most of their
 * time. A copy in `seen` never outlives its memory: the harness creates new threads for each check, and the calling
 * thread, which stays, takes part in every check. */
static const result *result_of(const wb_case *c, int array, kind how, stopping stop, int parts) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static result last[KINDS];
  static _Thread_local result seen[KINDS];
  if (is_of(&seen[how], c)) return &seen[how];
  pthread_mutex_lock(&lock);
  if (!is_of(&last[how], c)) make(&last[how], c, array, how, stop, parts);
  seen[how] = last[how];
  pthread_mutex_unlock(&lock);
  return &seen[how];
}

/* There is no check before the end, because no change is below -1. */
stopping oracle_all_sweeps(const wb_case *c) {
  const int count = (int)c->size.n[COUNT];
  return (stopping){-1, count + 2, count};
}

#define GIGABYTES ((size_t)1 << 28) /* cells */

bool oracle_is_sampled(const wb_case *c) { return c->size.n[COUNT] == 1 && cells_of(c) > GIGABYTES; }

wb_expected expect_sweeps(const wb_case *c, int array, size_t i) {
  if (array == DEVICE_AFTER) return (wb_expected){.value = 0};
  if (oracle_is_sampled(c)) return (wb_expected){.value = swept_cell(wb_f32(c, P), problem_plate(c), i)};
  return (wb_expected){.value = result_of(c, P, RIGHT, oracle_all_sweeps(c), 1)->after[i]};
}

wb_expected expect_solve(const wb_case *c, int array, size_t i) {
  const result *r = result_of(c, SOLVE_P, RIGHT, problem_stop(c), 1);
  if (array == SOLVE_P) return (wb_expected){.value = r->after[i]};
  if (array == SOLVE_SWEEPS) return (wb_expected){.value = r->reached.sweeps};
  /* The same squares, added in another order. */
  return (wb_expected){.value = r->reached.change,
                       .tolerance = WB_EPS64 * 4 * (double)(cells_of(c) + 8) * r->reached.change};
}

const float *oracle_plate(const wb_case *c, int array, kind how, stopping stop, int parts) {
  return result_of(c, array, how, stop, parts)->after;
}

outcome oracle_reached(const wb_case *c) { return result_of(c, SOLVE_P, RIGHT, problem_stop(c), 1)->reached; }

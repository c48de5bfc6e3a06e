/*
 * oracle.c: see oracle.h. The causes come from the same sweeps with one mistake each: the whole plate is swept in
 * parts, whose halos are filled late, once, or never.
 */
#include "oracle.h"
#include "host.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How the parts are swept. */
typedef enum kind {
  RIGHT,
  CUT,       /* the first and last row of each part are taken for the plate's edge */
  LATE,      /* the halo is one sweep older than the part */
  STALE,     /* the halo keeps the values of the start */
  MOVED,     /* the source's row is counted from a part's first row or halo */
  NO_SOURCE, /* without the source */
  FEWER,     /* one sweep less */
  MORE,      /* one sweep more */
  KINDS
} kind;

static const char *const causes[KINDS] = {
    [FEWER] = "it is the plate before the last sweep",
    [MORE] = "it is the plate after one sweep more",
    [MOVED] = "the source is in another row: its row is counted in the plate, and not in a part",
    [NO_SOURCE] =
        "the source is missing here: its row is counted in the plate, and not in a part; and row and "
        "column may be exchanged",
    [STALE] =
        "the halo still has the values of the start: after each sweep it needs the neighbours' new rows",
    [LATE] = "the halo is one sweep old: the rows that a neighbour gets must be those of the sweep just done",
    [CUT] = "the first and last row of a part were kept, as if they were the plate's edge",
};

#define LARGE ((size_t)1 << 22) /* cells of a plate for which mistakes of parts take too long to try */

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

static double change_of(const float *p, const float *next, size_t cells) {
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

static void sweep_as(kind how, const float *start, const float *before, const float *now, float *next,
                     float *room, plate plate, int parts) {
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

/* Whether the plate is swept in parts, with their mistake. */
static bool in_parts(kind how) { return how == STALE || how == LATE || how == CUT || how == MOVED; }

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
    if (in_parts(how))
      sweep_as(how, start, before, now, next, room, plate, parts);
    else
      sweep_host(now, next, plate, 0, plate.rows);
    float *const oldest = before;
    before = now;
    now = next;
    next = oldest;
    if (++r->reached.sweeps % stop.check_every && r->reached.sweeps < stop.most) continue;
    r->reached.change = change_of(before, now, cells);
  }
  r->after = now;
}

static void make(result *r, const wb_case *c, int array, kind how, stopping stop, int parts) {
  plate plate = problem_plate(c);
  if (how == NO_SOURCE) plate.source_row = -1;
  if (how == FEWER) stop.most--;
  if (how == MORE) stop.most++;
  if (stop.tolerance < 0 && !in_parts(how))
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
static stopping all_of(const wb_case *c) {
  const int count = (int)c->size.n[COUNT];
  return (stopping){-1, count + 2, count};
}

wb_expected expect_sweeps(const wb_case *c, int array, size_t i) {
  if (array == DEVICE_AFTER) return (wb_expected){.value = 0};
  return (wb_expected){.value = result_of(c, P, RIGHT, all_of(c), 1)->after[i]};
}

wb_expected expect_solve(const wb_case *c, int array, size_t i) {
  const result *r = result_of(c, SOLVE_P, RIGHT, problem_stop(c), 1);
  if (array == SOLVE_P) return (wb_expected){.value = r->after[i]};
  if (array == SOLVE_SWEEPS) return (wb_expected){.value = r->reached.sweeps};
  /* The same squares, added in another order. */
  return (wb_expected){.value = r->reached.change,
                       .tolerance = WB_EPS64 * 4 * (double)(cells_of(c) + 8) * r->reached.change};
}

/* Whether the row of cell i is so near to the border of two parts that the halo has a part in its value. */
static bool near_border(const wb_case *c, size_t i, int parts, int sweeps) {
  const int row = (int)(i / c->size.n[COLS]), rows = (int)c->size.n[ROWS];
  for (int k = 1; k < parts; k++) {
    const int border = first_row(rows, parts, k);
    if (border < rows && row >= border - sweeps && row < border + sweeps) return true;
  }
  return false;
}

/* The mistake that gives this wrong value. */
static const char *cause_of(const wb_case *c, int array, size_t i, double got, stopping stop) {
  const int parts = (int)(c->size.n[DEVICES] ? c->size.n[DEVICES] : 1);
  const double right = result_of(c, array, RIGHT, stop, 1)->after[i];
  for (int how = RIGHT + 1; how < KINDS; how++) {
    if (in_parts((kind)how) && (parts == 1 || cells_of(c) > LARGE)) continue;
    const double value = result_of(c, array, (kind)how, stop, parts)->after[i];
    if (value == got && value != right) return causes[how];
  }
  const plate plate = problem_plate(c);
  if (i == (size_t)plate.source_row * c->size.n[COLS] + (size_t)plate.source_col &&
      fabs(got - right - 0.75 * plate.strength) < 1e-5 * (1 + fabs(got)))
    return "it is the source: its strength is part of the sum that is divided by 4";
  if (right != 0 && fabs(got - right) < 4e-7 * (fabs(right) + 0.1))
    return "only its last bits differ: are the four neighbours added in the order of multigpu.h, (above + "
           "below) + "
           "(left + right), in float, and divided by 4 at the end?";
  if (near_border(c, i, parts, stop.most))
    return "it is near the border of two parts: did the neighbour's row come into the halo, after each sweep "
           "and in time?";
  return isnan(got) ? "it was never set, or comes from a row that was never set" : NULL;
}

/* How solve_rank may take another number for the change. */
typedef enum change_kind { OF_ITS_ROWS, OF_ROOTS, OF_SQUARES, OF_LARGEST, CHANGE_KINDS } change_kind;

static const char *const change_causes[CHANGE_KINDS] = {
    [OF_ITS_ROWS] =
        "it is the change of one rank's own rows: that of the whole plate decides, in all ranks, so add "
        "up the ranks' sums by ncclSum",
    [OF_ROOTS] = "the roots of the ranks' sums were added up: add the sums, and then take the root",
    [OF_LARGEST] = "it is the change of the rank with the largest: add the ranks' sums, by ncclSum",
    [OF_SQUARES] = "it is the sum of the squares: the change is its root",
};

static double wrong_change(const wb_case *c, change_kind how, int rank, const float *p, const float *next) {
  const int rows = (int)c->size.n[ROWS], ranks = (int)c->size.n[DEVICES];
  const size_t cols = c->size.n[COLS];
  double sum = 0, largest = 0;
  for (int i = 0; i < ranks; i++) {
    const size_t first = (size_t)first_row(rows, ranks, i), end = (size_t)first_row(rows, ranks, i + 1);
    const size_t from = first * cols;
    const double part = change_of(p + from, next + from, (end - first) * cols);
    if (how == OF_ITS_ROWS && i == rank) return part;
    sum += how == OF_ROOTS ? part : part * part;
    largest = fmax(largest, part);
  }
  return how == OF_LARGEST ? largest : sum;
}

/* Whether such a change is `got` at any check. */
static bool gives(const wb_case *c, change_kind how, int rank, double got, bool *exactly) {
  const size_t cells = cells_of(c);
  const plate plate = problem_plate(c);
  const stopping stop = problem_stop(c);
  float *all = malloc(2 * cells * sizeof *all + 1), *now = all, *next = all + cells;
  bool found = false;
  if (!all) return false;
  memcpy(now, wb_f32(c, SOLVE_P), cells * sizeof *now);
  for (int sweeps = 1; !found && sweeps <= stop.most; sweeps++) {
    sweep_host(now, next, plate, 0, plate.rows);
    float *const old = now;
    now = next;
    next = old;
    if (sweeps % stop.check_every && sweeps < stop.most) continue;
    const double change = wrong_change(c, how, rank, next, now);
    found = change > 0 && fabs(change - got) <= 1e-6 * change;
    *exactly = fabs(change - got) <= 1e-12 * change;
  }
  free(all);
  return found;
}

/* The change of the last of so many sweeps. */
static double change_after(const wb_case *c, int sweeps) {
  const size_t cells = cells_of(c);
  const plate plate = problem_plate(c);
  float *all = malloc(2 * cells * sizeof *all + 1), *now = all, *next = all + cells;
  if (!all) return NAN;
  memcpy(now, wb_f32(c, SOLVE_P), cells * sizeof *now);
  for (int i = 0; i < sweeps; i++) {
    sweep_host(now, next, plate, 0, plate.rows);
    float *const old = now;
    now = next;
    next = old;
  }
  const double change = change_of(next, now, cells);
  free(all);
  return change;
}

const char *cause_sweeps(const wb_case *c, int array, size_t i, double got) {
  if (array == DEVICE_AFTER)
    return "another device than the caller's is the current one when it returns: set it back";
  return cause_of(c, P, i, got, all_of(c));
}

const char *cause_rank(const wb_case *c, int array, size_t i, double got) {
  return (void)array, cause_of(c, P, i, got, all_of(c));
}

const char *cause_solve(const wb_case *c, int array, size_t i, double got) {
  const stopping stop = problem_stop(c);
  const result *r = result_of(c, SOLVE_P, RIGHT, stop, 1);
  bool exactly = true;
  if (array == SOLVE_P)
    return cause_of(c, SOLVE_P, i, got, (stopping){-1, r->reached.sweeps + 2, r->reached.sweeps});
  if (array == SOLVE_SWEEPS && stop.tolerance == 0 && got == stop.check_every)
    return "it stopped at the first check, though the change, 0, is not below the tolerance, 0: they are "
           "equal";
  const int whole = (stop.most + stop.check_every - 1) / stop.check_every * stop.check_every;
  if (r->reached.sweeps == stop.most && whole > stop.most &&
      (array == SOLVE_SWEEPS ? got == whole : fabs(got - change_after(c, whole)) <= 1e-12 * got))
    return "there were more sweeps than stop.most: fewer are left for the last batch than check_every";
  for (int how = 0; array == SOLVE_CHANGE && how < CHANGE_KINDS; how++)
    if (c->size.n[DEVICES] > 1 || how == OF_SQUARES)
      if (gives(c, (change_kind)how, (int)i, got, &exactly))
        return exactly ? change_causes[how]
                       : "it is nearly a sum of some ranks: half of each double was added, as a float";
  return NULL;
}

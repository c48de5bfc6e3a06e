/* causes.c: see causes.h. A wrong value is compared with those of the same sweeps with one mistake. */
#include "causes.h"
#include "host.h"
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    [REST] =
        "with rows / parts rows in each part, the rows that are left are in none: first_row says who owns "
        "them",
};

#define LARGE ((size_t)1 << 22) /* cells of a plate for which mistakes of parts take too long to try */

static size_t cells_of(const wb_case *c) { return c->size.n[ROWS] * c->size.n[COLS]; }

/* ---- Where a cell is ---- */

/* The part that owns a row. */
static int part_of(int rows, int parts, int row) {
  int k = 0;
  while (k + 1 < parts && row >= first_row(rows, parts, k + 1)) k++;
  return k;
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

static bool is_edge(const wb_case *c, size_t i) {
  const size_t rows = c->size.n[ROWS], cols = c->size.n[COLS], row = i / cols, col = i % cols;
  return row == 0 || row == rows - 1 || col == 0 || col == cols - 1;
}

/* The rows that are in no part, if each has rows / parts, where the first missing value can come from them:
 * those at the border of the first two parts are there. */
static int rows_left(int rows, int parts, int row, int sweeps) {
  const int owned = rows / parts * parts;
  return owned < rows && row > first_row(rows, parts, 1) && row >= owned - sweeps ? rows - owned : 0;
}

/* The value comes from memory without a value: whose row is it, and which row does it need? */
static const char *cause_of_nan(const wb_case *c, size_t i, int parts, int sweeps) {
  static _Thread_local char text[400];
  const int row = (int)(i / c->size.n[COLS]), rows = (int)c->size.n[ROWS];
  const int left = parts > 1 ? rows_left(rows, parts, row, sweeps) : 0;
  if (!left && is_edge(c, i))
    return "it comes from memory that was never written: it is on the plate's edge, whose values each sweep "
           "keeps: did they come into the array that it writes?";
  if (!left && !near_border(c, i, parts, sweeps)) return "it comes from memory that was never written";
  const int k = part_of(rows, parts, row), first = first_row(rows, parts, k),
            last = first_row(rows, parts, k + 1) - 1;
  const bool above = row == first && first > 0, below = row == last && last < rows - 1;
  const int needed = above ? row - 1 : row + 1;
  char none[100] = "", halo[200];
  if (left)
    snprintf(none, sizeof none, ". Parts of %d / %d rows each leave the last %d of %d in none: do yours?",
             rows, parts, left, rows);
  if (above || below)
    snprintf(
        halo, sizeof halo,
        "needs row %d, of part %d, in its halo: does that arrive before each sweep, and in the array that "
        "this sweep reads?",
        needed, part_of(rows, parts, needed));
  else
    snprintf(halo, sizeof halo,
             "is near the border of two parts: does each sweep wait for all rows that it reads, those of the "
             "halo and those that another stream of its part sweeps?");
  snprintf(text, sizeof text,
           "it comes from memory that was never written: row %d is %s of part %d of 0 to %d%s%s%s", row,
           above   ? "the first"
           : below ? "the last"
                   : "one",
           k, parts - 1, none, left ? " It " : ", and ", halo);
  return text;
}

/* ---- A cell ---- */

/* The first cell in which two plates differ. */
static size_t first_difference(const float *a, const float *b, size_t cells) {
  size_t i = 0;
  while (i < cells && a[i] == b[i]) i++;
  return i;
}

/* Whether the cell still has its value of the start, and an earlier part was swept. A row that is kept as an
 * edge shows at the end of the first part. */
static bool was_kept(const wb_case *c, int array, size_t i, double got, stopping stop, int parts) {
  const float *start = wb_f32(c, array), *right = oracle_plate(c, array, RIGHT, stop, 1);
  const size_t cells = cells_of(c);
  if (parts == 1 || cells > LARGE || got != (double)start[i]) return false;
  if (first_difference(oracle_plate(c, array, CUT, stop, parts), right, cells) == i) return false;
  const int rows = (int)c->size.n[ROWS], row = (int)(i / c->size.n[COLS]);
  const int first = first_row(rows, parts, part_of(rows, parts, row));
  return first_difference(start, right, cells) < (size_t)first * c->size.n[COLS];
}

/* The mistake that gives this wrong value. */
static const char *cause_of(const wb_case *c, int array, size_t i, double got, stopping stop) {
  const int parts = (int)(c->size.n[DEVICES] ? c->size.n[DEVICES] : 1);
  if (oracle_is_sampled(c)) return NULL;
  const double right = oracle_plate(c, array, RIGHT, stop, 1)[i];
  if (isnan(got)) return cause_of_nan(c, i, parts, stop.most);
  if (was_kept(c, array, i, got, stop, parts))
    return "it still has its value of the start, and those of the parts before it are right: are the two "
           "arrays "
           "of every part exchanged after each sweep, and are all its rows copied back from the one with the "
           "result?";
  for (int how = RIGHT + 1; how < KINDS; how++) {
    if (oracle_in_parts((kind)how) && (parts == 1 || cells_of(c) > LARGE)) continue;
    const double value = oracle_plate(c, array, (kind)how, stop, parts)[i];
    if (value == got && value != right) return causes[how];
  }
  const plate plate = problem_plate(c);
  if (i == (size_t)plate.source_row * c->size.n[COLS] + (size_t)plate.source_col &&
      fabs(got - right - 0.75 * plate.strength) < 1e-5 * (1 + fabs(got)))
    return "it is the source: its strength is part of the sum that is divided by 4";
  if (right != 0 && fabs(got - right) < 4e-7 * (fabs(right) + 0.1))
    return "only its last bits differ: are the four neighbours added in the order of multigpu.h, (above + "
           "below) + (left + right), in float, and divided by 4 at the end?";
  if (near_border(c, i, parts, stop.most))
    return "it is near the border of two parts: did each sweep read the neighbour's rows of "
           "the right sweep, neither too early nor too late?";
  return NULL;
}

const char *cause_sweeps(const wb_case *c, int array, size_t i, double got) {
  if (array == DEVICE_AFTER)
    return "another device than the caller's is the current one when it returns: set it back";
  return cause_of(c, P, i, got, oracle_all_sweeps(c));
}

const char *cause_rank(const wb_case *c, int array, size_t i, double got) {
  return (void)array, cause_of(c, P, i, got, oracle_all_sweeps(c));
}

/* ---- The change ---- */

/* How solve_rank may take another number for the change. */
typedef enum change_kind {
  OF_ITS_ROWS,
  OF_ROOTS,
  OF_SQUARES,
  OF_LARGEST,
  OF_HALOS,      /* halo rows are added up, too */
  OF_OLD_HALOS,  /* the same, and they hold the rows from before the sweep */
  OF_IDLE_SUMS,  /* ranks without rows add the last total once more */
  OF_ALL_SUMS,   /* the sums of the earlier checks are in it */
  OF_RANKS_SUMS, /* the same, and the ranks added up the last one, which each of them has */
  CHANGE_KINDS
} change_kind;

#define HALOS_COUNTED                                                                                        \
  "the halo rows are added up, too, so that rows count twice: a rank's part of the sum is over the rows "    \
  "that "                                                                                                    \
  "it owns"
#define SUMS_KEPT "the sum of the checks before is still in it: set it to 0 before each check"

static const char *const change_causes[CHANGE_KINDS] = {
    [OF_ITS_ROWS] =
        "it is the change of one rank's own rows: that of the whole plate decides, in all ranks, so "
        "add up the ranks' sums by ncclSum",
    [OF_ROOTS] = "the roots of the ranks' sums were added up: add the sums, and then take the root",
    [OF_LARGEST] = "it is the change of the rank with the largest: add the ranks' sums, by ncclSum",
    [OF_SQUARES] = "it is the sum of the squares: the change is its root",
    [OF_HALOS] = HALOS_COUNTED,
    [OF_OLD_HALOS] = HALOS_COUNTED,
    [OF_IDLE_SUMS] = "the total of the check before is in it once more for each rank without rows: they set "
                     "their sum to 0 before each check, too",
    [OF_ALL_SUMS] = SUMS_KEPT,
    [OF_RANKS_SUMS] = SUMS_KEPT,
};

/* Three plates one sweep apart, and the sum of an earlier check. */
typedef struct check {
  const float *older, *p, *next;
  double sum;
} check;

static double square(double x) { return x * x; }

/* The sum of the squares of the halo rows of the part first .. end - 1. */
static double halo_sum(const wb_case *c, const float *p, const float *next, int first, int end) {
  const size_t cols = c->size.n[COLS], above = (size_t)(first - 1) * cols, below = (size_t)end * cols;
  double sum = 0;
  if (first == end) return 0;
  if (first > 0) sum += square(oracle_change(p + above, next + above, cols));
  if (end < (int)c->size.n[ROWS]) sum += square(oracle_change(p + below, next + below, cols));
  return sum;
}

static double wrong_change(const wb_case *c, change_kind how, int rank, check at) {
  const int rows = (int)c->size.n[ROWS], ranks = (int)c->size.n[DEVICES];
  double sum = 0, largest = 0;
  for (int i = 0; i < ranks; i++) {
    const int first = first_row(rows, ranks, i), end = first_row(rows, ranks, i + 1);
    const size_t from = (size_t)first * c->size.n[COLS], cells = (size_t)(end - first) * c->size.n[COLS];
    const double part = oracle_change(at.p + from, at.next + from, cells);
    if (how == OF_ITS_ROWS && i == rank) return part;
    sum += how == OF_ROOTS ? part : part * part;
    if (how == OF_HALOS) sum += halo_sum(c, at.p, at.next, first, end);
    if (how == OF_OLD_HALOS) sum += halo_sum(c, at.older, at.p, first, end);
    largest = fmax(largest, part);
  }
  if (how == OF_ALL_SUMS) sum += at.sum;
  if (how == OF_IDLE_SUMS && ranks > rows) sum += (ranks - rows) * at.sum;
  if (how == OF_RANKS_SUMS) sum += ranks * at.sum;
  if (how == OF_LARGEST) return largest;
  return how == OF_ROOTS || how == OF_SQUARES ? sum : sqrt(sum);
}

/* Whether such a change is `got` at any check. */
static bool gives(const wb_case *c, change_kind how, int rank, double got, bool *exactly) {
  const size_t cells = cells_of(c);
  const plate plate = problem_plate(c);
  const stopping stop = problem_stop(c);
  float *all = malloc(3 * cells * sizeof *all + 1), *older = all, *now = all + cells, *next = now + cells;
  bool found = false;
  double sum = 0;
  *exactly = false;
  if (!all) return false;
  memcpy(older, wb_f32(c, SOLVE_P), cells * sizeof *now);
  memcpy(now, older, cells * sizeof *now);
  for (int sweeps = 1; !*exactly && sweeps <= stop.most; sweeps++) {
    sweep_host(now, next, plate, 0, plate.rows);
    float *const oldest = older;
    older = now;
    now = next;
    next = oldest; /* the plate two sweeps ago, until the next sweep */
    if (sweeps % stop.check_every && sweeps < stop.most) continue;
    const double change = wrong_change(c, how, rank, (check){next, older, now, sum});
    if (how == OF_IDLE_SUMS || how == OF_ALL_SUMS || how == OF_RANKS_SUMS) sum = change * change;
    *exactly = change > 0 && fabs(change - got) <= 1e-12 * change;
    found = found || (change > 0 && fabs(change - got) <= 1e-6 * change);
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
  const double change = oracle_change(next, now, cells);
  free(all);
  return change;
}

static bool is_change_after(const wb_case *c, int sweeps, double got) {
  return isfinite(got) && fabs(got - change_after(c, sweeps)) <= 1e-12 * fabs(got);
}

static const char *cause_of_change(const wb_case *c, int rank, double got) {
  bool exactly = true;
  if (isnan(got))
    return "memory that was never written is in the sum: halo rows are no part of it, and it begins with 0 "
           "at each check";
  for (int how = 0; how < CHANGE_KINDS; how++)
    if (c->size.n[DEVICES] > 1 || how == OF_SQUARES || how == OF_ALL_SUMS)
      if (gives(c, (change_kind)how, rank, got, &exactly))
        return exactly ? change_causes[how]
                       : "it is nearly a sum of some ranks: half of each double was added, as a float";
  return NULL;
}

/* Whether it is the change at the last check that comes after a multiple of check_every sweeps, and that is not the
 * last sweep; infinite: there is no such check. */
static bool is_of_earlier_check(const wb_case *c, stopping stop, double got) {
  const int sweeps = stop.most / stop.check_every * stop.check_every;
  if (sweeps == stop.most) return false;
  return sweeps == 0 ? isinf(got) : is_change_after(c, sweeps, got);
}

static const char *cause_of_last_check(stopping stop) {
  static _Thread_local char text[200];
  snprintf(text, sizeof text,
           "the last sweep is number %d here, stop.most, and check_every is %d: a check comes after the last "
           "sweep, too, when fewer than check_every are left for it",
           stop.most, stop.check_every);
  return text;
}

const char *cause_of_no_change(const wb_case *c, int array, size_t i) {
  const stopping stop = problem_stop(c);
  (void)i;
  return array == SOLVE_CHANGE && stop.check_every > stop.most ? cause_of_last_check(stop) : NULL;
}

const char *cause_solve(const wb_case *c, int array, size_t i, double got) {
  const stopping stop = problem_stop(c);
  const outcome right = oracle_reached(c);
  if (array == SOLVE_P) return cause_of(c, SOLVE_P, i, got, (stopping){-1, right.sweeps + 2, right.sweeps});
  if (array == SOLVE_SWEEPS && stop.tolerance == 0 && got == stop.check_every)
    return "it stopped at the first check, though the change, 0, is not below the tolerance, 0: they are "
           "equal";
  if (stop.most == INT_MAX)
    return "most is the largest int: does a sum with it overflow, such as most + check_every - 1?";
  const int whole = (stop.most + stop.check_every - 1) / stop.check_every * stop.check_every;
  if (right.sweeps == stop.most && whole > stop.most &&
      (array == SOLVE_SWEEPS ? got == whole : is_change_after(c, whole, got)))
    return "there were more sweeps than stop.most: fewer are left for the last batch than check_every";
  if (array == SOLVE_CHANGE && right.sweeps == stop.most && is_of_earlier_check(c, stop, got))
    return cause_of_last_check(stop);
  return array == SOLVE_CHANGE ? cause_of_change(c, (int)i, got) : NULL;
}

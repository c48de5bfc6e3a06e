/* model/cause_places.c: see model/cause_places.h. */
#include "model/cause_places.h"
#include "model/cause.h"
#include "base/threads.h"
#include "model/random.h"
#include "model/sizes.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAST_GROUP 4
#define MOST_GROUP  1024
#define LEAST_PIECE 16 /* a smaller one divides a number by chance */

/* ---- Left out ---- */

/* Whether element i is wrong; calls go through the elements in order, from *w = 0. */
static bool is_wrong(const facts *f, size_t i, size_t *w) {
  while (*w < f->wrongs && f->wrong[*w] < i) ++*w;
  return *w < f->wrongs && f->wrong[*w] == i;
}

/* Whether of each `chunk` elements just the first 1 / parts are right. An element at that end, of which a part is
 * written, may be right by chance. */
static bool first_part_of(const facts *f, size_t chunk, size_t parts) {
  size_t w = 0;
  for (size_t i = 0; i < f->count; i++) {
    const size_t first = i / chunk * chunk, length = f->count - first < chunk ? f->count - first : chunk;
    const bool partly = i - first == length / parts && length % parts != 0;
    if (is_wrong(f, i, &w) != (i - first >= length / parts) && !partly) return false;
  }
  return true;
}

/* Whether a wrong element is a number that the learner's function computed: a copy that ends too early leaves
 * what was there, or what comes of memory that was never written. */
static bool any_computed(const facts *f) {
  if (f->written == 0) return false;
  for (size_t w = 0; w < f->wrongs; w++)
    if (isfinite(f->is[f->wrong[w]])) return f->type == WB_F32 || f->type == WB_F64;
  return false;
}

/* Whether of each `chunk` elements just the first `chunk` bytes are written, the whole elements among them with
 * the right values. */
static bool counted_as_bytes(const facts *f, size_t chunk) {
  const size_t size = wb_type_bytes(f->type);
  const unsigned char *bytes = f->got;
  size_t w = 0;
  if (f->count % chunk != 0 || chunk < (chunk % size ? size : 2 * size)) return false;
  for (size_t i = 0; i < f->count; i++, bytes += size) {
    const size_t before = i % chunk * size;
    if (is_wrong(f, i, &w) != (before + size > chunk)) return false;
    if (before + size <= chunk) continue;
    const size_t written = before < chunk ? chunk - before : 0;
    for (size_t b = 0; b < size; b++)
      if ((bytes[b] == 0xFF) != (b >= written)) return false;
  }
  return true;
}

/* The same for an array that had no values before: of the whole array, or of as many elements as a size says. */
static bool elements_as_bytes(const facts *f, wb_text *text) {
  char name[32];
  if (f->task->arrays[f->array].role != WB_OUT || wb_type_bytes(f->type) == 1) return false;
  for (int d = -1; d < wb_dims(f->task); d++) {
    const size_t chunk = d < 0 ? f->count : f->inputs->size.n[d];
    if (chunk == 0 || !counted_as_bytes(f, chunk)) continue;
    wb_text_add(text, "Only the first %zu bytes of ", chunk);
    if (d < 0)
      wb_text_add(text, "%s are written, which has %zu elements", f->name, chunk);
    else
      wb_text_add(text, "each %zu (%s) elements of %s are written", chunk,
                  wb_cause_dimension(f->task, d, name, sizeof name), f->name);
    wb_text_add(text,
                ": a number of elements was given where a number of bytes is expected (as of memset).\n");
    return true;
  }
  return false;
}

/* Elements for bytes: of the array, or of each of the pieces of which a size of the case says how long they
 * are, a quarter (an eighth) is right. */
static bool bytes(const facts *f, wb_text *text) {
  const size_t parts = wb_type_bytes(f->type);
  char name[32];
  if (elements_as_bytes(f, text)) return true;
  /* Nothing is copied into an array on the device: what is written in it has another cause. But such a number of
   * bytes may end within an element. */
  if (f->task->arrays[f->array].memory == WB_DEVICE && f->written > (f->count % parts != 0)) return false;
  if (any_computed(f)) return false;
  for (int d = -1; parts > 1 && d < wb_dims(f->task); d++) {
    const size_t chunk = d < 0 ? f->count : f->inputs->size.n[d];
    if (chunk < 2 * parts || chunk > f->count || !first_part_of(f, chunk, parts)) continue;
    const char *part = parts == 4 ? "quarter" : "eighth",
               *of = d < 0 ? f->name : wb_cause_dimension(f->task, d, name, sizeof name);
    if (f->task->arrays[f->array].memory == WB_DEVICE)
      wb_text_add(
          text,
          "Only the first %s of %s is written, and an element has %zu bytes: a number of elements was given "
          "where a number of bytes is expected (as of cudaMemset), or an index is divided by %zu.\n",
          part, of, parts, parts);
    else
      wb_text_add(text,
                  "Only the first %s of %s is right, and an element has %zu bytes: a number of elements was "
                  "given where a number of bytes is expected.\n",
                  part, of, parts);
    return true;
  }
  return false;
}

/* The largest power of two above `rest` that divides `whole`; 0: none of a usual size does. */
static size_t group_of(size_t whole, size_t rest) {
  for (size_t group = MOST_GROUP; group >= LEAST_GROUP; group /= 2)
    if (group > rest && whole % group == 0) return group;
  return 0;
}

/* "The last 3 rows are", "The last of 20 rows is"; `words` has room for 48. */
static const char *last_of(size_t rest, size_t total, const char *things, char *words) {
  if (rest == 1)
    snprintf(words, 48, "The last of %zu %s is", total, things);
  else
    snprintf(words, 48, "The last %zu %s are", rest, things);
  return words;
}

/* Whether a size of the case may be that of pieces: the right answer does not depend on it. */
static bool may_be_piece(const facts *f, int d) {
  wb_case other = *f->inputs;
  other.size.n[d]--;
  return f->task->arrays[f->array].count(&other) != f->count ||
         f->task->expect(&other, f->array, f->wrong[0]).value == f->want[f->wrong[0]];
}

/* What is left out are as many pieces of one size as another size says, such as the batches in all buffers. */
static bool add_pieces_at_the_end(const facts *f, const char *things, size_t right, size_t total,
                                  wb_text *text) {
  char name[32], number[32];
  for (int d = 0; d < wb_dims(f->task); d++)
    for (int k = 0; k < wb_dims(f->task); k++) {
      const size_t size = f->inputs->size.n[d], pieces = f->inputs->size.n[k];
      if (k == d || size < LEAST_PIECE || pieces < 2 || right == 0 || right % size != 0) continue;
      if ((total - right + size - 1) / size != pieces || !may_be_piece(f, d) || !may_be_piece(f, k)) continue;
      wb_text_add(
          text,
          "The last %zu %s are left out: the last %zu pieces of %zu (%s), as many as %s says. Does the "
          "loop end before these are collected?\n",
          total - right, things, pieces, size, wb_cause_dimension(f->task, d, name, sizeof name),
          wb_cause_dimension(f->task, k, number, sizeof number));
      return true;
    }
  return false;
}

/* The first `right` of `total` things are right: names the reason. */
static bool add_pieces(const facts *f, const char *things, size_t right, size_t total, wb_text *text) {
  const size_t rest = total - right;
  char name[32], last[48];
  size_t piece = 0;
  int of = 0;
  if (right == 0 || rest == 0) return false;
  /* Of several sizes that fit, the largest: a small one divides many numbers by chance. */
  for (int d = 0; d < wb_dims(f->task); d++) {
    const size_t size = f->inputs->size.n[d];
    if (size < 2 || size >= total || right % size != 0 || rest >= size || size <= piece) continue;
    if (!may_be_piece(f, d)) continue;
    piece = size;
    of = d;
  }
  if (piece == 0) return false;
  wb_text_add(text,
              "%s left out: what is right are whole pieces of %zu (%s), and the last piece is shorter.\n",
              last_of(rest, total, things, last), piece, wb_cause_dimension(f->task, of, name, sizeof name));
  return true;
}

/* The same, where a number of groups of a usual size is rounded down. */
static bool add_groups(const facts *f, const char *things, size_t right, size_t total, wb_text *text) {
  const size_t rest = total - right;
  const size_t group = right > 0 && rest > 1 ? group_of(right, rest) : 0;
  if (group)
    wb_text_add(
        text,
        "The last %zu %s are left out: the others end at %zu, a multiple of %zu. Either a number of blocks "
        "or of vectors is rounded down, or what handles the rest works at other places.\n",
        rest, things, right, group);
  else if (rest == 1 && right % 32 != 0)
    wb_text_add(text, "The last of %zu %s is left out.\n", total, things);
  else
    return false;
  *f->rest = true;
  return true;
}

/* The same, where the others end at a multiple of a number that no block of threads has. */
static bool add_parts(size_t right, size_t total, wb_text *text) {
  size_t part = 1;
  while (right > 0 && right % (2 * part) == 0) part *= 2;
  if (part <= MOST_GROUP || part <= total - right) return false;
  wb_text_add(
      text,
      "The last %zu elements are left out: the others end at %zu, a multiple of %zu. Is the last part "
      "of a buffer, which is shorter, never copied?\n",
      total - right, right, part);
  return true;
}

/* The first row (column) from which on all of them are wrong from end to end. */
typedef struct edges {
  size_t row, column;
  bool whole; /* there are no others */
} edges;

static edges edges_of(const facts *f) {
  const wb_matrix *m = &f->pattern->shape;
  const size_t rows = m->rows, cols = m->cols;
  size_t *in_row = calloc(rows + cols, sizeof *in_row), *in_column = in_row + rows;
  edges e = {rows, cols, false};
  if (!in_row) return e;
  for (size_t w = 0; w < f->wrongs; w++) {
    if (wb_in_padding(m, f->wrong[w])) continue;
    in_row[f->wrong[w] / m->pitch]++;
    in_column[f->wrong[w] % m->pitch]++;
  }
  while (e.row > 0 && in_row[e.row - 1] == cols) e.row--;
  while (e.column > 0 && in_column[e.column - 1] == rows) e.column--;
  free(in_row);
  e.whole = f->pattern->in_padding == 0 && f->wrongs == rows * cols - e.row * e.column;
  return e;
}

/* The first `right` of `total` things are right, as many as another size of the case says. */
static bool add_other_size(const facts *f, const char *things, size_t right, size_t total, wb_text *text) {
  char name[32];
  for (int d = 0; d < wb_dims(f->task); d++) {
    if (right < 2 || f->inputs->size.n[d] != right || right == total) continue;
    wb_cause_dimension(f->task, d, name, sizeof name);
    wb_text_add(text,
                "Only the first %zu of %zu %s are right, and %s is %zu: is an index compared with %s, or a "
                "number of blocks made from it?\n",
                right, total, things, name, right, name);
    return true;
  }
  return false;
}

/* On the host: the first `right` of `total` things are the first shares of as many as there are cores. */
static bool add_shares(const facts *f, const char *things, size_t right, size_t total, wb_text *text) {
  const size_t cores = (size_t)wb_cores(), share = (total + cores - 1) / cores;
  if (f->task->arrays[f->array].memory != WB_HOST || cores < 2 || share < 2 || right % share != 0)
    return false;
  wb_text_add(
      text,
      "The first %zu of %zu %s are right: %zu of %zu shares of %zu, one for each core of this machine. A "
      "team may have fewer threads: in the parallel region omp_get_num_threads() says how many.\n",
      right, total, things, right / share, cores, share);
  return true;
}

static bool add_rest(const facts *f, const char *things, size_t right, size_t total, wb_text *text) {
  return add_pieces(f, things, right, total, text) || add_pieces_at_the_end(f, things, right, total, text) ||
         add_other_size(f, things, right, total, text) || add_shares(f, things, right, total, text) ||
         add_groups(f, things, right, total, text);
}

static bool rows_or_columns(const facts *f, wb_text *text) {
  const size_t rows = f->pattern->shape.rows, cols = f->pattern->shape.cols;
  const edges e = edges_of(f);
  if (rows < 2 || !e.whole || e.row == 0 || e.column == 0) return false;
  const bool of_rows = e.row < rows && add_rest(f, "rows", e.row, rows, text);
  const bool of_columns = e.column < cols && add_rest(f, "columns", e.column, cols, text);
  return of_rows || of_columns;
}

/* The ends of rows that begin within a group of elements, such as a line of 32. */
static bool row_ends(const facts *f, wb_text *text) {
  const wb_matrix *m = &f->pattern->shape;
  size_t *left = calloc(m->rows, sizeof *left), least = SIZE_MAX, most = 0, group = 2;
  bool ends = left && f->pattern->in_padding == 0;
  for (size_t w = 0; ends && w < f->wrongs; w++) left[f->wrong[w] / m->pitch]++;
  for (size_t w = 0; ends && w < f->wrongs; w++)
    ends = f->wrong[w] % m->pitch + left[f->wrong[w] / m->pitch] >= m->cols;
  for (size_t r = 0; ends && r < m->rows; r++) {
    if (left[r] == 0) continue;
    least = left[r] < least ? left[r] : least;
    most = left[r] > most ? left[r] : most;
    while (group <= MOST_GROUP && r * m->pitch % group == 0) group *= 2;
  }
  free(left);
  if (!ends || most == least || most == m->cols || most >= group || group > MOST_GROUP ||
      m->pitch % group == 0)
    return false;
  wb_text_add(
      text,
      "The ends of rows are left out, %zu to %zu elements, but of no row that begins at a multiple of "
      "%zu: another row reaches into one group of %zu more.\n",
      least, most, group, group);
  return true;
}

/* Rows that were written as if they were as long as the matrix is high: only their beginning is there. */
static bool rows_too_short(const facts *f, wb_text *text) {
  const wb_matrix *m = &f->pattern->shape;
  const size_t first = f->wrong[0];
  if (m->rows < 2 || m->rows >= m->cols || m->pitch != m->cols || f->written > 0) return false;
  if (first != (m->rows - 1) * m->rows + m->cols || first + f->wrongs != f->count) return false;
  wb_text_add(
      text,
      "Nothing is written from %s[%zu] on, as where a row begins %zu elements after the one before: %zu "
      "is the number of rows, and a row has %zu elements.\n",
      f->name, first, m->rows, m->rows, m->cols);
  return true;
}

/* Whether the wrong elements have no value of their own: what was there before; or 0, as several do where
 * no other element is 0. */
static bool hold_nothing(const facts *f) {
  size_t zeros = 0, wrong_zeros = 0;
  if (f->written == 0) return true;
  for (size_t i = 0; i < f->count; i++) zeros += f->is[i] == 0;
  for (size_t w = 0; w < f->wrongs; w++) wrong_zeros += f->is[f->wrong[w]] == 0;
  return f->wrongs > 1 && wrong_zeros == f->wrongs && zeros == wrong_zeros;
}

/* What ranks have to write is missing where it is the part of some, and no other's. */
static bool part_of_ranks(const facts *f, wb_text *text) {
  const wb_task *task = f->task;
  if (!task->part_of_rank || !task->devices || f->written > 0) return false;
  size_t missing = 0, last = 0;
  int ranks = 0;
  for (int rank = 0; rank < task->devices(f->inputs); rank++) {
    size_t first, end, w = 0;
    task->part_of_rank(f->inputs, f->array, rank, &first, &end);
    while (w < f->wrongs && f->wrong[w] < first) w++;
    if (first >= end || w == f->wrongs || f->wrong[w] >= end) continue;
    missing += end - first;
    last = (size_t)rank;
    ranks++;
  }
  if (missing != f->wrongs || missing == f->count) return false;
  if (ranks == 1)
    wb_text_add(text, "It is the part of rank %zu of %s: each rank writes its own.\n", last, f->name);
  else
    wb_text_add(text, "These are the parts of %d ranks of %s: each rank writes its own.\n", ranks, f->name);
  return true;
}

bool wb_cause_left_out(const facts *f, wb_text *text) {
  const wb_pattern *p = f->pattern;
  if (f->wrongs == f->count) return false;
  if (part_of_ranks(f, text) || bytes(f, text)) return true;
  if (!hold_nothing(f)) return false;
  const size_t right = f->wrong[0];
  const bool end = right + f->wrongs == f->count;
  if (p->shape.rows > 1)
    return rows_or_columns(f, text) || rows_too_short(f, text) || (end && add_parts(right, f->count, text)) ||
           row_ends(f, text);
  return end && (add_rest(f, "elements", right, f->count, text) || add_parts(right, f->count, text));
}

bool wb_cause_wrong_rest(const facts *f, wb_text *text) {
  const size_t right = f->wrong[0], rest = f->count - right;
  const size_t group = right > 0 ? group_of(right, rest) : 0;
  if (f->written < f->wrongs || hold_nothing(f) || f->wrongs != rest || group == 0) return false;
  wb_text_add(text,
              "The first %zu elements, a multiple of %zu, are right; the last %zu %s written, but wrong: "
              "what handles the rest after the last whole block or vector works with other elements.\n",
              right, group, rest, rest == 1 ? "is" : "are");
  return true;
}

/* ---- In another place ---- */

/* Whether every wrong element has the value that belongs `apart` places further on. */
static bool belongs(const facts *f, ptrdiff_t apart) {
  size_t within = 0, others = 0;
  for (size_t w = 0; w < f->wrongs; w++) {
    const ptrdiff_t from = (ptrdiff_t)f->wrong[w] + apart;
    if (from < 0 || from >= (ptrdiff_t)f->count) continue;
    if (!wb_alike(f, f->wrong[w], f->want[from])) return false;
    within++;
    others += f->want[from] != f->want[f->wrong[w]] && f->is[f->wrong[w]] != f->is[f->wrong[0]];
  }
  return others >= 4 && 4 * within >= 3 * f->wrongs;
}

bool wb_cause_shifted(const facts *f, wb_text *text) {
  ptrdiff_t apart[24];
  int candidates = 0;
  for (int d = 1; d <= 4; d++) apart[candidates++] = d, apart[candidates++] = -d;
  for (int d = 0; d < wb_dims(f->task); d++) {
    const ptrdiff_t size = (ptrdiff_t)f->inputs->size.n[d];
    if (size > 4) apart[candidates++] = size, apart[candidates++] = -size;
  }
  for (int k = 0; k < candidates; k++) {
    if (!belongs(f, apart[k])) continue;
    wb_text_add(text, "The values belong to other places: %s[i] has the one of %s[i %c %td].\n", f->name,
                f->name, apart[k] > 0 ? '+' : '-', apart[k] > 0 ? apart[k] : -apart[k]);
    return true;
  }
  return false;
}

bool wb_cause_exchanged(const facts *f, wb_text *text) {
  const size_t rows = f->pattern->shape.rows, cols = f->pattern->shape.cols;
  if (rows < 2 || f->pattern->shape.pitch > cols || f->wrongs < 4) return false;
  for (size_t w = 0; w < f->wrongs; w++) {
    const size_t i = f->wrong[w], from = i % rows * cols + i / rows;
    if (!wb_alike(f, i, f->want[from])) return false;
  }
  wb_text_add(text, "The values are right, but rows and columns of %s are exchanged.\n", f->name);
  return true;
}

/* ---- The answer for fewer elements ---- */

/* Whether the array's elements are the right ones of another case, in which it has as many. */
static bool answers(const facts *f, const wb_case *other) {
  if (f->task->arrays[f->array].count(other) != f->count) return false;
  for (size_t i = 0; i < f->count; i++) {
    const wb_expected want = f->task->expect(other, f->array, i);
    if (!(fabs(f->is[i] - want.value) <= want.tolerance)) return false;
  }
  return true;
}

/* A result of many elements, such as a sum: is it the one of the first `left` of them? One or two small whole
 * numbers, such as a number of sweeps, agree with some other case by chance, and so does a case of a few. */
static bool add_fewer(const facts *f, int d, size_t left, wb_text *text) {
  const size_t n = f->inputs->size.n[d];
  char name[32];
  wb_case other = *f->inputs;
  other.size.n[d] = left;
  if (left < 2 || left >= n || !answers(f, &other)) return false;
  other.size.n[d] = left - 1; /* a maximum is that of many numbers of elements: then it shows nothing */
  if (answers(f, &other)) return false;
  wb_text_add(text, "It is the right answer for %s = %zu: the last %zu of %zu %s left out.\n",
              wb_cause_dimension(f->task, d, name, sizeof name), left, n - left, n,
              n - left == 1 ? "is" : "are");
  return true;
}

bool wb_cause_fewer(const facts *f, wb_text *text) {
  if (f->wrongs > 256 || f->count > 256) return false;
  if (wb_is_whole(f) && f->count <= 2 && fabs(f->is[f->wrong[0]]) < WB_LARGE_WHOLE) return false;
  for (int d = 0; d < wb_dims(f->task) && d < 2; d++) {
    const size_t n = f->inputs->size.n[d];
    if (n < 2 || n > WB_CAUSE_MOST) continue;
    for (size_t less = 1; less < 4 && less < n; less++)
      if (add_fewer(f, d, n - less, text)) return true;
    for (size_t unit = 4096; unit >= 4; unit /= 2)
      if (add_fewer(f, d, n / unit * unit, text) || add_fewer(f, d, unit, text)) return true;
    if (add_fewer(f, d, n / 4, text)) return true;
  }
  return false;
}

/* How many elements of each column are wrong; NULL: no memory. */
static size_t *wrong_in_columns(const facts *f) {
  size_t *in = calloc(f->pattern->shape.pitch, sizeof *in);
  for (size_t w = 0; in && w < f->wrongs; w++) in[f->wrong[w] % f->pattern->shape.pitch]++;
  return in;
}

/* A band: columns one after the other, in each of which half of the rows are wrong. */
typedef struct band {
  size_t first, width;
} band;

static band next_band(const size_t *in, size_t from, const wb_matrix *m) {
  band b = {from, 0};
  while (b.first < m->cols && in[b.first] < (m->rows + 1) / 2) b.first++;
  while (b.first + b.width < m->cols && in[b.first + b.width] >= (m->rows + 1) / 2) b.width++;
  return b;
}

void wb_cause_bands(const facts *f, wb_text *text) {
  const wb_matrix *m = &f->pattern->shape;
  size_t *in = m->rows > 2 ? wrong_in_columns(f) : NULL, bands = 1, all = 0;
  if (!in) return;
  const band first = next_band(in, 0, m), second = next_band(in, first.first + first.width, m);
  const size_t apart = second.first - first.first;
  bool alike = second.width > 0;
  for (band b = first, next; alike; b = next, bands++) {
    for (size_t k = 0; k < b.width; k++) all += in[b.first + k];
    next = next_band(in, b.first + b.width, m);
    if (next.width == 0) break;
    alike = next.width == first.width && next.first - b.first == apart;
  }
  free(in);
  if (!alike || all != f->wrongs) return;
  wb_text_add(text, "They are in %zu of each %zu columns: %zu to %zu, and so on from column %zu.\n",
              first.width, apart, first.first, first.first + first.width - 1, second.first);
}

/* model/picture.c: see model/picture.h. */
#include "model/picture.h"
#include "model/random.h"
#include <math.h>
#include <stdio.h>

void wb_add_place(wb_text *text, const char *name, const wb_matrix *shape, size_t i) {
  const size_t row = i / shape->pitch, col = i % shape->pitch;
  if (wb_in_padding(shape, i))
    wb_text_add(text, "the padding after row %zu of %s", row, name);
  else if (shape->rows > 1 || shape->pitch > shape->cols)
    wb_text_add(text, "%s[%zu][%zu]", name, row, col);
  else
    wb_text_add(text, "%s[%zu]", name, i);
}

static bool is_whole(wb_type type) { return type != WB_F32 && type != WB_F64; }

void wb_describe(const wb_task *task, const wb_verdict *verdict, wb_text *text) {
  const wb_array *array = &task->arrays[verdict->array];
  const wb_pattern *p = &verdict->pattern;
  const size_t total = wb_elements(&p->shape);
  const bool whole = is_whole(array->type);
  const int digits = whole ? 10 : array->type == WB_F64 ? 17 : 9; /* a whole number: all digits of an int32 */
  wb_add_place(text, array->name, &p->shape, p->first);
  /* What was there before the call was no poison: it was copied, or computed, from memory without a value. */
  const bool kept = array->role == WB_INOUT;
  if (isnan(verdict->got) && !kept && p->never_written == p->wrong)
    wb_text_add(text, " was never written; expected ");
  else {
    if (isnan(verdict->got))
      wb_text_add(text, " is NaN");
    else
      wb_text_add(text, " is %.*g", digits, verdict->got);
    wb_text_add(text, ", expected ");
  }
  if (isnan(verdict->expected))
    wb_text_add(text, "NaN");
  else
    wb_text_add(text, "%.*g", digits, verdict->expected);
  if (verdict->tolerance > 0) wb_text_add(text, " give or take %.2g", verdict->tolerance);
  if (p->wrong == total && total > 1)
    wb_text_add(text, " (all %zu elements are wrong)", total);
  else if (verdict->count < total)
    wb_text_add(text, " (%zu of %zu sampled elements are wrong)", p->wrong, verdict->count);
  else if (total > 1)
    wb_text_add(text, " (%zu of %zu elements %s wrong)", p->wrong, total, p->wrong == 1 ? "is" : "are");
}

/* Wrong elements in one column of a matrix, at regular distances. */
static void add_rows(const wb_pattern *p, wb_text *text) {
  const size_t pitch = p->shape.pitch, apart = p->stride / pitch;
  if (apart == 1)
    wb_text_add(text, "They are in rows %zu to %zu of %zu", p->first / pitch, p->last / pitch, p->shape.rows);
  else
    wb_text_add(text, "They are in one of every %zu rows, from row %zu on", apart, p->first / pitch);
  wb_text_add(text, p->shape.cols > 1 && p->in_padding == 0 ? ", in column %zu.\n" : ".\n", p->first % pitch);
}

/* What the wrong elements have in common. */
static void add_words(const wb_array *array, const wb_pattern *p, wb_text *text) {
  const char *name = array->name;
  const bool kept = array->role == WB_INOUT;
  const size_t total = wb_elements(&p->shape);
  const size_t steps = p->stride ? (p->last - p->first) / p->stride + 1 : 1;
  /* As a whole number the poison is -1, or a byte's largest value: a few of those can be chance. */
  const size_t chance = is_whole(array->type) ? p->wrong / 16 : 0;
  if (p->unchanged == p->wrong)
    wb_text_add(text, "The wrong elements of %s still have their input values.\n", name);
  else if (p->never_written == p->wrong)
    wb_text_add(text,
                kept ? "The wrong elements of %s come from memory that was never written.\n"
                     : "The wrong elements of %s were never written.\n",
                name);
  else if (p->never_written > chance)
    wb_text_add(text,
                kept ? "%zu of the wrong elements come from memory that was never written.\n"
                     : "%zu of the wrong elements were never written.\n",
                p->never_written);
  if (p->not_a_number == p->wrong && p->wrong > 1)
    wb_text_add(text, "All of them are NaN or infinite.\n");
  else if (p->not_a_number > 0 && p->wrong > 1)
    wb_text_add(text, "%zu of them %s NaN or infinite.\n", p->not_a_number,
                p->not_a_number == 1 ? "is" : "are");

  if (p->after_row == p->wrong && p->shape.pitch > p->shape.cols + 1)
    wb_text_add(
        text,
        "%s the first element of the padding, next to the end of %s row: a row ends one element before.\n",
        p->wrong == 1 ? "It is" : "Each is", p->wrong == 1 ? "the" : "its");
  else if (p->in_padding == p->wrong && p->wrong > 1)
    wb_text_add(text, "All of them are in the padding, which must not change.\n");
  else if (p->in_padding > 0 && p->wrong > 1)
    wb_text_add(text, "%zu of them %s in the padding, which must not change.\n", p->in_padding,
                p->in_padding == 1 ? "is" : "are");

  if (p->wrong < 2 || p->wrong == total) return;
  if (p->shape.rows > 1 && p->stride % p->shape.pitch == 0 && steps == p->wrong) {
    add_rows(p, text);
  } else if (p->stride == 1 && steps == p->wrong) {
    if (p->last + 1 == total)
      wb_text_add(text, "They are the last %zu of %zu elements.\n", p->wrong, total);
    else if (p->first == 0)
      wb_text_add(text, "They are the first %zu of %zu elements.\n", p->wrong, total);
    else
      wb_text_add(text, "They are in one piece, from %zu to %zu.\n", p->first, p->last);
  } else if (steps == p->wrong && p->wrong > 2) {
    wb_text_add(text, "They are one in every %zu elements, from %zu on.\n", p->stride, p->first);
  }
}

/* How many of `count` elements are in part `part` of `parts`: element i is in part i * parts / count. */
static size_t part_size(size_t part, size_t parts, size_t count) {
  const size_t from = (part * count + parts - 1) / parts, to = ((part + 1) * count + parts - 1) / parts;
  return to - from;
}

/* A part of the map in which so many of `all` elements are wrong. */
static void add_part(wb_text *text, size_t wrong, size_t all) {
  wb_text_add(text, "%c", wrong == 0 ? '.' : wrong >= all ? '#' : '+');
}

void wb_picture(const wb_task *task, const wb_verdict *verdict, wb_text *text) {
  const wb_pattern *p = &verdict->pattern;
  const wb_array *array = &task->arrays[verdict->array];
  const size_t total = wb_elements(&p->shape);
  const bool sampled = verdict->count < total;
  if (!sampled) add_words(array, p, text);
  if (total < 2 || sampled) return;

  const size_t padding = p->shape.pitch - p->shape.cols;
  const size_t rows = p->shape.rows < WB_MAP_ROWS ? p->shape.rows : WB_MAP_ROWS;
  const size_t cols = p->shape.cols < WB_MAP_COLS ? p->shape.cols : WB_MAP_COLS;
  if (p->shape.rows > 1 || padding > 0)
    wb_text_add(text, "%s has %zu row%s and %zu column%s", array->name, p->shape.rows,
                p->shape.rows == 1 ? "" : "s", p->shape.cols, p->shape.cols == 1 ? "" : "s");
  else
    wb_text_add(text, "%s from 0 to %zu", array->name, total - 1);
  wb_text_add(text, " (. right, + some wrong, # all wrong%s):\n", padding > 0 ? "; after | padding" : "");
  for (size_t r = 0; r < rows; r++) {
    const size_t height = part_size(r, rows, p->shape.rows);
    wb_text_add(text, "  ");
    for (size_t c = 0; c < cols; c++)
      add_part(text, p->map[r][c], height * part_size(c, cols, p->shape.cols));
    if (padding > 0) {
      wb_text_add(text, "|");
      add_part(text, p->map[r][WB_MAP_COLS], height * padding);
    }
    wb_text_add(text, "\n");
  }
}

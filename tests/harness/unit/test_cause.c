/* The causes that the form of an error shows: common/harness/model/cause.c and cause_places.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "model/cause.h"
#include "model/cause_terms.h"

#define MOST 4096

static double input[MOST], doubles[MOST];
static float floats[MOST];
static uint32_t words[MOST];
static wb_case inputs;
static double tolerance;

static size_t count_all(const wb_case *c) { return c->size.n[0] * (c->size.n[1] ? c->size.n[1] : 1); }
static size_t count_one(const wb_case *c) { return (void)c, 1; }
static size_t count_first(const wb_case *c) { return c->size.n[0]; }

/* The right answer of element i: different everywhere, and no whole number. */
static double right(const wb_case *c, size_t i) { return c->param[0] * (sqrt(i + 2.0) + (double)(i % 7)); }
static wb_expected expect_each(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = right(c, i), .tolerance = tolerance};
}
static wb_expected expect_word(const wb_case *c, int array, size_t i) {
  (void)c, (void)array;
  return (wb_expected){.value = 70001.0 + 7919.0 * (double)i, .tolerance = 0};
}
static wb_expected expect_sum(const wb_case *c, int array, size_t i) {
  double sum = 0;
  (void)array, (void)i;
  for (size_t k = 0; k < c->size.n[0]; k++) sum += right(c, k);
  return (wb_expected){.value = sum, .tolerance = tolerance};
}

/* A maximum: of the first 900 numbers it is another one. */
static wb_expected expect_largest(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  return (wb_expected){.value = c->size.n[0] > 900 ? 5.5 : 3.25, .tolerance = 0};
}

/* A small whole number, as of sweeps: half of n. */
static wb_expected expect_number(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  return (wb_expected){.value = (double)(c->size.n[0] / 2), .tolerance = 0};
}

#define IN_OUT(type, place, counted)                                                                         \
  {                                                                                                          \
    {"x", WB_IN, WB_HOST, WB_F64, count_all}, { "y", WB_OUT, place, type, counted }                          \
  }
static const wb_task line = {
    .name = "line", .dims = "n", .arrays = IN_OUT(WB_F32, WB_HOST, count_all), .expect = expect_each};
static const wb_task on_device = {
    .name = "on_device", .dims = "n", .arrays = IN_OUT(WB_F32, WB_DEVICE, count_all), .expect = expect_each};
static const wb_task line64 = {
    .name = "line64", .dims = "n", .arrays = IN_OUT(WB_F64, WB_DEVICE, count_all), .expect = expect_each};
static const wb_task kept = {.name = "kept",
                             .dims = "n",
                             .arrays = {{"x", WB_INOUT, WB_HOST, WB_F64, count_all}},
                             .expect = expect_each};
static const wb_task plane = {.name = "plane",
                              .dims = "rows cols",
                              .arrays = IN_OUT(WB_F32, WB_DEVICE, count_all),
                              .expect = expect_each};
static const wb_task chunks = {.name = "chunks",
                               .dims = "n one chunk",
                               .arrays = IN_OUT(WB_F32, WB_HOST, count_all),
                               .expect = expect_each};
static const wb_task pieces = {.name = "pieces",
                               .dims = "n one chunk rounds",
                               .arrays = IN_OUT(WB_F32, WB_HOST, count_all),
                               .expect = expect_each};
static const wb_task largest = {
    .name = "largest", .dims = "n", .arrays = IN_OUT(WB_F64, WB_HOST, count_one), .expect = expect_largest};
static const wb_task turns = {
    .name = "turns", .dims = "n", .arrays = IN_OUT(WB_U32, WB_HOST, count_one), .expect = expect_number};
static const wb_task counts = {
    .name = "counts", .dims = "n", .arrays = IN_OUT(WB_U32, WB_DEVICE, count_all), .expect = expect_word};
static const wb_task sum = {
    .name = "sum", .dims = "n", .arrays = IN_OUT(WB_F64, WB_HOST, count_one), .expect = expect_sum};

/* Three ranks have a hundred elements each. */
static int three(const wb_case *c) { return (void)c, 3; }
static void hundred(const wb_case *c, int array, int rank, size_t *first, size_t *end) {
  (void)c, (void)array;
  *first = 100 * (size_t)rank;
  *end = *first + 100;
}
static const wb_task ranks = {.name = "ranks",
                              .dims = "n",
                              .arrays = IN_OUT(WB_F32, WB_HOST, count_all),
                              .expect = expect_each,
                              .devices = three,
                              .part_of_rank = hundred};

/* Begins with the right answer in all three types. */
static void begin(size_t n, size_t m) {
  tolerance = 0;
  inputs = (wb_case){.size = {{n, m}}, .param = {1.36, 0.5, 0.75, 1.25}, .array = {input}};
  for (size_t i = 0; i < MOST; i++) {
    input[i] = (double)i + 0.25;
    doubles[i] = right(&inputs, i);
    floats[i] = (float)doubles[i];
    words[i] = (uint32_t)expect_word(&inputs, 1, i).value;
  }
  tolerance = 1e-5;
}

/* The cause that is named, or "". Valid until the next call. */
static const char *cause_of(const wb_task *task, void *y) {
  static wb_text text;
  wb_verdict verdict;
  void *got[WB_MAX_ARRAYS] = {input, y};
  wb_text_free(&text);
  assert_true(wb_check(task, &inputs, got, 0, 1, &verdict));
  const bool named = wb_cause(task, &inputs, got, &verdict, &text);
  assert_int_equal(named, text.size > 0);
  return wb_text_get(&text);
}
static void has(const char *text, const char *words_of) {
  if (!strstr(text, words_of)) fail_msg("\"%s\" does not contain \"%s\"", text, words_of);
}

static void lacks(const char *text, const char *words_of) {
  if (strstr(text, words_of)) fail_msg("\"%s\" contains \"%s\"", text, words_of);
}

static void poison(float *from, size_t count) { memset(from, 0xFF, count * sizeof *from); }

static void names_a_quarter(void **state) {
  (void)state;
  begin(1000, 0);
  poison(floats + 250, 750);
  has(cause_of(&line, floats), "a number of elements was given where a number of bytes is expected");
  begin(1000, 0);
  inputs.size.n[1] = 1, inputs.size.n[2] = 256;
  for (size_t i = 0; i < 1000; i++)
    if (i % 256 >= (i / 256 < 3 ? 64 : 58)) poison(floats + i, 1);
  has(cause_of(&chunks, floats), "Only the first quarter of chunk is right");
  begin(1003, 0); /* of element 250 three bytes are written */
  poison(floats + 251, 752);
  has(cause_of(&line, floats), "Only the first quarter of y is right");
  begin(1000, 0); /* a loop for the rest that begins at n / 4 */
  for (size_t i = 250; i < 1000; i++) floats[i] += 1.5f;
  lacks(cause_of(&line, floats), "a number of bytes is expected");
}

static void names_the_part_of_a_rank(void **state) {
  (void)state;
  begin(300, 0);
  poison(floats + 100, 100);
  has(cause_of(&ranks, floats), "It is the part of rank 1 of y: each rank writes its own");
  poison(floats + 200, 100);
  has(cause_of(&ranks, floats), "These are the parts of 2 ranks of y");
  begin(300, 0);
  poison(floats + 150, 150);
  lacks(cause_of(&ranks, floats), "each rank");
}

static void names_a_rest(void **state) {
  (void)state;
  begin(1021, 0);
  poison(floats + 768, 253);
  has(cause_of(&line, floats), "the others end at 768, a multiple of 256");
  begin(1000, 0);
  inputs.size.n[1] = 1, inputs.size.n[2] = 300;
  poison(floats + 900, 100);
  has(cause_of(&chunks, floats), "whole pieces of 300 (chunk)");
  begin(1000, 0);
  poison(floats + 999, 1);
  has(cause_of(&line, floats), "The last of 1000 elements is left out");
  begin(257, 0);
  inputs.size.n[1] = 1, inputs.size.n[2] = 256, inputs.size.n[3] = 8;
  poison(floats + 256, 1);
  has(cause_of(&pieces, floats),
      "The last of 257 elements is left out: what is right are whole pieces of 256");
}

/* A number of rounds, on which the answer depends, is no size of pieces. */
static wb_expected expect_rounds(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = right(c, i) + (double)c->size.n[1], .tolerance = tolerance};
}
static const wb_task batches = {
    .name = "batches",
    .dims = "n rounds batch buffers",
    .arrays = {{"x", WB_IN, WB_HOST, WB_F64, count_one}, {"y", WB_OUT, WB_HOST, WB_F32, count_first}},
    .expect = expect_rounds};

static void begin_batches(size_t n, size_t batch) {
  begin(n, 0);
  inputs.size = (wb_size){{n, 8, batch, 3}};
  for (size_t i = 0; i < n; i++) floats[i] = (float)(right(&inputs, i) + 8);
}

static void names_the_pieces_that_are_left_out(void **state) {
  (void)state;
  begin_batches(331, 1);
  poison(floats + 328, 3);
  lacks(cause_of(&batches, floats), "pieces of 8");
  begin_batches(1021, 100);
  poison(floats + 800, 221);
  has(cause_of(&batches, floats),
      "The last 221 elements are left out: the last 3 pieces of 100 (batch), as many as buffers says");
  begin_batches(1021, 100); /* four pieces */
  poison(floats + 700, 321);
  lacks(cause_of(&batches, floats), "pieces of 100");
}

/* The ends of rows are left out where a row is: what comes after the last whole buffer. */
static void names_the_rest_of_a_buffer(void **state) {
  (void)state;
  begin(12, 257);
  poison(floats + 2048, 12 * 257 - 2048);
  has(cause_of(&plane, floats),
      "The last 1036 elements are left out: the others end at 2048, a multiple of 2048");
  begin(12, 257);
  poison(floats + 2047, 12 * 257 - 2047);
  lacks(cause_of(&plane, floats), "left out");
}

static void names_elements_where_bytes_are_meant(void **state) {
  (void)state;
  begin(3, 5);
  for (size_t row = 0; row < 3; row++) {
    poison(floats + 5 * row + 1, 4);
    memset(floats + 5 * row + 1, 0, 1);
  }
  has(cause_of(&plane, floats), "Only the first 5 bytes of each 5 (cols) elements of y are written");
  memset(floats + 1, 0xFF, 1); /* only whole elements are written: these are one in five */
  lacks(cause_of(&plane, floats), "bytes");
  begin(15, 0);
  poison(floats + 3, 12);
  memset(floats + 3, 0, 3);
  has(cause_of(&line, floats), "Only the first 15 bytes of y are written, which has 15 elements");
}

/* On a machine of several cores: the share of the first of them. */
static void names_shares_of_cores(void **state) {
  const size_t share = (1001 + (size_t)wb_cores() - 1) / (size_t)wb_cores();
  (void)state;
  if (wb_cores() == 1) skip();
  begin(1001, 0);
  poison(floats + share, 1001 - share);
  has(cause_of(&line, floats), "omp_get_num_threads() says how many");
  begin(1001, 0);
  poison((float *)(doubles + share), 2 * (1001 - share));
  lacks(cause_of(&line64, doubles), "omp_get_num_threads");
}

static wb_rows rows_of_17(const wb_case *c) { return (void)c, (wb_rows){17, 19}; }
static const wb_task padded = {.name = "padded",
                               .dims = "n",
                               .arrays = {{"x", WB_IN, WB_HOST, WB_F64, count_all},
                                          {"y", WB_OUT, WB_DEVICE, WB_F32, count_all, .rows = rows_of_17}},
                               .expect = expect_each};

/* The last vector of four is left out in rows that do not begin at one. */
static void names_ends_of_rows(void **state) {
  (void)state;
  begin(19 * 12, 0);
  for (size_t row = 0; row < 12; row++)
    if (row * 19 % 4 > 0) poison(floats + row * 19 + 17 - row * 19 % 4, row * 19 % 4);
  has(cause_of(&padded, floats),
      "The ends of rows are left out, 1 to 3 elements, but of no row that begins at a "
      "multiple of 4");
  poison(floats + 3, 1);
  lacks(cause_of(&padded, floats), "ends of rows");
}

/* Columns 12 to 15 and 28 to 31 of 40, in all rows but the first; then in another column, too. */
static void says_which_columns_are_wrong(void **state) {
  wb_text text = {0};
  wb_verdict verdict;
  void *got[WB_MAX_ARRAYS] = {input, floats};
  (void)state;
  begin(6, 40);
  for (size_t row = 1; row < 6; row++)
    for (size_t column = 0; column < 40; column++)
      if (column % 16 >= 12) floats[row * 40 + column] *= 1.5f + (float)column;
  assert_true(wb_check(&plane, &inputs, got, 0, 1, &verdict));
  wb_bands(&plane, &inputs, got, &verdict, &text);
  has(wb_text_get(&text), "They are in 4 of each 16 columns: 12 to 15, and so on from column 28.");
  wb_text_free(&text);
  floats[40] += 1;
  assert_true(wb_check(&plane, &inputs, got, 0, 1, &verdict));
  wb_bands(&plane, &inputs, got, &verdict, &text);
  assert_int_equal(text.size, 0);
}

/* Rows that begin 6 elements after each other, and have 40. */
static void names_rows_that_begin_too_close(void **state) {
  (void)state;
  begin(6, 40);
  poison(floats + 5 * 6 + 40, 6 * 40 - 5 * 6 - 40);
  has(cause_of(&plane, floats), "Nothing is written from y[70] on, as where a row begins 6 elements");
  poison(floats + 69, 1);
  lacks(cause_of(&plane, floats), "Nothing is written");
}

static void names_zeros_from_a_place_on(void **state) {
  (void)state;
  begin(300, 0);
  memset(words + 16, 0, 284 * 4);
  has(cause_of(&counts, words), "From y[16] on all elements are 0, and those up to y[15] are right");
  words[200] = 7;
  lacks(cause_of(&counts, words), "From y[16] on");
}

/* Like random numbers from -1 to 1. */
static double term(const wb_case *c, size_t i, size_t p) {
  return (void)c, fmod(43758.5453 * sin(12.9898 * (double)(i + p + 1)), 1);
}

static void names_terms_that_are_left_out(void **state) {
  double first = 0, last = 0, all = 0;
  (void)state;
  for (size_t p = 0; p < 700; p++) {
    if (p < 699) first += term(&inputs, 0, p);
    if (p >= 512) last += term(&inputs, 0, p);
    all += term(&inputs, 0, p);
  }
  has(wb_cause_of_terms(&inputs, 0, term, 700, first, 1e-9),
      "the first 699 of 700 terms: the last one is left out");
  has(wb_cause_of_terms(&inputs, 0, term, 700, last, 1e-9),
      "the last 188 of 700 terms: the first 512 are left out");
  assert_null(wb_cause_of_terms(&inputs, 0, term, 700, all, 1e-9));
  assert_null(wb_cause_of_terms(&inputs, 0, term, 700, all + 0.123, 1e-9));
}

/* A value that was written, but wrong, is not left out. */
static void keeps_written_from_left_out(void **state) {
  (void)state;
  begin(3, 0);
  doubles[2] *= -0.7;
  lacks(cause_of(&line64, doubles), "left out");
  begin(1021, 0);
  floats[1020] = (float)right(&inputs, 3) + 0.125f;
  lacks(cause_of(&line, floats), "left out");
  begin(255, 0);
  for (size_t i = 252; i < 255; i++) floats[i] = 0;
  has(cause_of(&line, floats), "The last 3 elements are left out");
  begin(255, 0);
  for (size_t i = 252; i < 255; i++) floats[i] = 0;
  floats[7] = 0;
  lacks(cause_of(&line, floats), "left out");
}

static void names_sums_that_go_on(void **state) {
  (void)state;
  begin(300, 0);
  for (size_t i = 1; i < 300; i++) doubles[i] += doubles[i - 1];
  has(cause_of(&line64, doubles), "in addition, y[i - 1]");
  begin(8, 96);
  for (size_t i = 0; i < 8 * 96; i++)
    if (i % 96 >= 32) floats[i] += floats[i - 32];
  has(cause_of(&plane, floats), "in addition, y[i - 32]");
  begin(24, 10);
  for (size_t i = 60; i < 240; i++) floats[i] += floats[i - 60];
  has(cause_of(&plane, floats), "that of 6 rows above it");
}

static void names_rows_for_columns(void **state) {
  (void)state;
  begin(20, 50);
  for (size_t row = 0; row < 20; row++) poison(floats + row * 50 + 20, 30);
  has(cause_of(&plane, floats), "Only the first 20 of 50 columns are right, and rows is 20");
  begin(32, 32);
  for (size_t row = 0; row < 32; row++)
    for (size_t col = 0; col < 32; col++) floats[row * 32 + col] = (float)right(&inputs, col * 32 + row);
  has(cause_of(&plane, floats), "rows and columns of y are exchanged");
}

static void names_neighbours(void **state) {
  (void)state;
  begin(500, 0);
  for (size_t i = 0; i + 1 < 500; i++) floats[i] = (float)right(&inputs, i + 1);
  has(cause_of(&line, floats), "y[i] has the one of y[i + 1]");
}

static void names_ratios(void **state) {
  (void)state;
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = (float)(doubles[i] / 1.36);
  has(cause_of(&line, floats), "instead of 1.36: is the factor kept in an int?");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = (float)(doubles[i] * 2);
  has(cause_of(&line, floats), "2 times as large as they must be: ");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = (float)(doubles[i] * wb_cores());
  if (wb_cores() > 1) has(cause_of(&line, floats), "`omp parallel` without `for`?");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) doubles[i] *= 2;
  has(cause_of(&line64, doubles), "2 times as large as they must be: is something added twice?");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = (float)(doubles[i] / 300);
  has(cause_of(&line, floats), "the right ones divided by n (300)");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = (float)(doubles[i] * 0.8);
  has(cause_of(&line, floats), "always 0.8 times what they must be");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = (float)(doubles[i] * pow(1.36, 3));
  has(cause_of(&line, floats), "is in the values 3 times too often");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = (float)(doubles[i] + 0.5);
  has(cause_of(&line, floats), "0.5 too large");
}

static void names_other_types(void **state) {
  (void)state;
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = truncf(floats[i]);
  has(cause_of(&line, floats), "without their fractions");
  begin(300, 0);
  floats[0] = floats[7] = 0;
  inputs.param[0] = 0.6;
  for (size_t i = 1; i < 300; i++) floats[i] = i == 7 ? 0 : (float)right(&inputs, i);
  assert_null(strstr(cause_of(&line, floats), "fractions"));
  begin(300, 0);
  tolerance = 1e-12;
  for (size_t i = 0; i < 300; i++) doubles[i] = (float)doubles[i];
  has(cause_of(&line64, doubles), "rounded to float");
  begin(300, 0);
  tolerance = 1e-9;
  for (size_t i = 0; i < 300; i++)
    if (i % 3) floats[i] *= 1 + 2e-7f * (float)(i % 5);
  has(cause_of(&line, floats), "a few roundings more than are needed");
  begin(300, 0);
  tolerance = 1e-9;
  for (size_t i = 0; i < 300; i++) { /* the inputs of TF32 */
    memcpy(&words[i], &floats[i], 4);
    words[i] = (words[i] + (i % 2 ? 0x1FFF : 0)) & 0xFFFFE000;
    memcpy(&floats[i], &words[i], 4);
  }
  has(cause_of(&line, floats), "A type with fewer bits than float took part");
  begin(1000, 0);
  for (size_t i = 0; i < 1000; i++) floats[i] *= 1 + 3e-4f * (float)(i % 3 == 0); /* all too large */
  lacks(cause_of(&line, floats), "fewer bits");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) words[i] &= 0xFFFF;
  has(cause_of(&counts, words), "a counter of 16 bits overflows");
  begin(300, 0);
  poison((float *)doubles, 600);
  for (size_t i = 0; i < 300; i++) memset(&doubles[i], 0, 4);
  has(cause_of(&line64, doubles), "Only the first 4 of the 8 bytes of y[0] are written");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = (float)((int)floats[i] / 2 - 1);
  has(cause_of(&line, floats), "All of these are whole numbers");
}

static void names_a_copy_that_ends_within_an_element(void **state) {
  (void)state;
  begin(300, 0);
  memset((char *)words + 77 * 4 + 1, 0xFF, (300 - 77) * 4 - 1);
  has(cause_of(&counts, words),
      "Only the first 1 of the 4 bytes of y[77] is written, and none of the next elements: a copy "
      "of 309 bytes ended there");
  memset(words + 77, 0xFF, 4);
  lacks(cause_of(&counts, words), "a copy of");
}

static void names_a_size_of_0(void **state) {
  (void)state;
  begin(300, 0);
  inputs.size.n[1] = 1;
  poison(floats, 300);
  has(cause_of(&chunks, floats), "Nothing is written for chunk = 0, but y has 300 elements then, too");
  inputs.size.n[2] = 5;
  lacks(cause_of(&chunks, floats), "Nothing is written");
}

static void names_what_a_sum_lacks(void **state) {
  (void)state;
  double total = 0;
  begin(1000, 0);
  for (size_t i = 0; i < 999; i++) total += right(&inputs, i);
  has(cause_of(&sum, &total), "the right answer for n = 999: the last 1 of 1000 is left out");
  total = sqrt(total + right(&inputs, 999));
  has(cause_of(&sum, &total), "the square root");
  total = input[0];
  for (size_t i = 0; i < 1000; i++) total += right(&inputs, i);
  has(cause_of(&sum, &total), "y[0] is the right value and, in addition, x[0]");
  begin(1000, 0);
  doubles[5] += input[5];
  doubles[6] = -doubles[5] / 3;
  has(cause_of(&line64, doubles), "y[5] is the right value and, in addition, x[5]");
  doubles[7] = 0;
  lacks(cause_of(&line64, doubles), "in addition");
}

static void names_nothing_by_chance(void **state) {
  (void)state;
  begin(300, 0);
  words[0] = 128; /* the half of 256 */
  assert_string_equal(cause_of(&turns, words), "");
  begin(1000, 0);
  doubles[0] = 3.25;
  assert_string_equal(cause_of(&largest, doubles), "");
  doubles[0] = 5.75; /* 5.5 + input[0] */
  lacks(cause_of(&largest, doubles), "in addition");
  input[0] = doubles[0] = -INFINITY;
  lacks(cause_of(&largest, doubles), "in addition");
  begin(300, 0);
  for (size_t i = 0; i < 300; i += 3) floats[i] += (float)(1 + i % 11);
  assert_string_equal(cause_of(&line, floats), "");
  begin(300, 0);
  floats[17] *= 1.7F;
  assert_string_equal(cause_of(&line, floats), "");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = INFINITY;
  assert_string_equal(cause_of(&line, floats), "All of these have the same value, inf.\n");
  begin(300, 0);
  for (size_t i = 0; i < 300; i++) floats[i] = 0;
  has(cause_of(&line, floats), "All of these are 0: nothing was added");
}

/* A cudaMemset of 174 bytes for 174 floats ends within element 43. */
static void bytes_that_end_within_an_element_are_named(void **state) {
  (void)state;
  begin(174, 0);
  poison(floats + 43, 131);
  floats[43] = NAN;
  has(cause_of(&on_device, floats), "Only the first quarter of y is written");
  floats[43] = 1;
  lacks(cause_of(&on_device, floats), "quarter");
}

/* The first wrong element is in the padding, where no factor is right. */
static wb_expected expect_scaled(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = i % 19 < 17 ? right(c, i) : input[i], .tolerance = tolerance};
}
static const wb_task scaled = {.name = "scaled",
                               .dims = "n",
                               .arrays = {{"x", WB_IN, WB_HOST, WB_F64, count_all},
                                          {"y", WB_OUT, WB_DEVICE, WB_F32, count_all, .rows = rows_of_17}},
                               .expect = expect_scaled};

static void names_a_factor_where_padding_is_multiplied_too(void **state) {
  (void)state;
  begin(19 * 12, 0);
  for (size_t i = 0; i < 19 * 12; i++)
    floats[i] = (float)(expect_scaled(&inputs, 1, i).value * (i >= 17 && i % 19 > 9 ? 1.36 : 1));
  has(cause_of(&scaled, floats), "The factor, 1.36, is in the values once too often");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_that_end_within_an_element_are_named),
      cmocka_unit_test(names_a_quarter),
      cmocka_unit_test(names_the_part_of_a_rank),
      cmocka_unit_test(names_a_rest),
      cmocka_unit_test(names_the_pieces_that_are_left_out),
      cmocka_unit_test(names_the_rest_of_a_buffer),
      cmocka_unit_test(names_elements_where_bytes_are_meant),
      cmocka_unit_test(names_a_factor_where_padding_is_multiplied_too),
      cmocka_unit_test(names_rows_for_columns),
      cmocka_unit_test(names_neighbours),
      cmocka_unit_test(names_ratios),
      cmocka_unit_test(names_other_types),
      cmocka_unit_test(names_what_a_sum_lacks),
      cmocka_unit_test(names_shares_of_cores),
      cmocka_unit_test(names_ends_of_rows),
      cmocka_unit_test(says_which_columns_are_wrong),
      cmocka_unit_test(names_rows_that_begin_too_close),
      cmocka_unit_test(names_zeros_from_a_place_on),
      cmocka_unit_test(names_terms_that_are_left_out),
      cmocka_unit_test(names_a_copy_that_ends_within_an_element),
      cmocka_unit_test(names_a_size_of_0),
      cmocka_unit_test(names_nothing_by_chance),
      cmocka_unit_test(keeps_written_from_left_out),
      cmocka_unit_test(names_sums_that_go_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

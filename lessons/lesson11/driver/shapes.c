/* shapes.c: see shapes.h. */
#include "shapes.h"

static int at_least_1(int n) { return n > 1 ? n : 1; }

int lda_of(const wb_case *c) { return at_least_1(dim(c, K) + dim(c, PAD)); }
int ldb_of(const wb_case *c) { return at_least_1(dim(c, N) + 2 * dim(c, PAD)); }
int ldc_of(const wb_case *c) { return at_least_1(dim(c, N) + 3 * dim(c, PAD)); }

size_t padded_a(const wb_case *c) { return c->size.n[M] * (size_t)lda_of(c); }
size_t padded_b(const wb_case *c) { return c->size.n[K] * (size_t)ldb_of(c); }
size_t padded_c(const wb_case *c) { return c->size.n[M] * (size_t)ldc_of(c); }
wb_rows rows_of_a(const wb_case *c) { return (wb_rows){c->size.n[K], (size_t)lda_of(c)}; }
wb_rows rows_of_b(const wb_case *c) { return (wb_rows){c->size.n[N], (size_t)ldb_of(c)}; }
wb_rows rows_of_c(const wb_case *c) { return (wb_rows){c->size.n[N], (size_t)ldc_of(c)}; }
size_t count_a(const wb_case *c) { return c->size.n[M] * c->size.n[K]; }
size_t count_b(const wb_case *c) { return c->size.n[K] * c->size.n[N]; }
size_t count_c(const wb_case *c) { return c->size.n[M] * c->size.n[N]; }
size_t count_work(const wb_case *c) { return 2 * (count_a(c) + count_b(c)); }
size_t batch_a(const wb_case *c) {
  const size_t matrices = dim(c, N) == 1 ? dim(c, BATCH) > 0 : c->size.n[BATCH];
  return dim(c, N) == 1 ? matrices * count_a(c) : matrices * (size_t)strides_of(&c->size).a;
}
size_t batch_b(const wb_case *c) { return c->size.n[BATCH] * (size_t)strides_of(&c->size).b; }
size_t batch_c(const wb_case *c) { return c->size.n[BATCH] * (size_t)strides_of(&c->size).c; }
size_t count_square(const wb_case *c) { return c->size.n[SIDE] * c->size.n[SIDE]; }
size_t count_one(const wb_case *c) { return (void)c, 1; }
size_t count_two(const wb_case *c) { return (void)c, 2; }
size_t count_unchanged_one(const wb_case *c) {
  return dim(c, M) == IDLE_ROWS && count_c(c) <= MOST_IDLE && count_a(c) <= MOST_IDLE_INPUTS &&
         count_b(c) <= MOST_IDLE_INPUTS;
}

/* similar.c: which pairs of files share long runs of tokens.  cc -O2 -o similar similar.c tokens.c
 *
 *     similar RUN SHARE STARTER FILE...
 *
 * RUN: the fewest tokens of a run that counts. SHARE: what more than this share of the files have (0.5) does
 * not count, where there are MANY files. STARTER: what it has does not count. Output: a line for each run,
 *
 *     A B TOKENS FIRST-LINE-IN-A LAST FIRST-LINE-IN-B LAST        (A < B: numbers of the FILEs, from 0)
 *
 * and for each file `own A TOKENS`: how many of its tokens count. Runs of one pair do not overlap, the
 * longest come first.
 *
 * The method is winnowing (Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document
 * Fingerprinting, SIGMOD 2003): of every WINDOW consecutive hashes of GRAM tokens the smallest is a
 * fingerprint, so that two files with GRAM + WINDOW - 1 equal tokens in a row share at least one. Each shared
 * one is compared token by token, and grown as far as it goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "similar.h"

enum { GRAM = 10, WINDOW = 6, MANY = 8 };

/* A fingerprint: a hash, in which file, at which token. Sorted, equal hashes stand together. */
struct print {
  uint64_t hash;
  uint32_t file, at;
};

struct run {
  uint32_t a, b, at_a, at_b, length, own; /* own: of length, those that count */
};

static struct run *runs;
static size_t run_count, run_room;

/* ---- Hashes of GRAM tokens ---- */

static void make_grams(struct source *s) {
  if (s->count < GRAM) return;
  s->gram_count = s->count - GRAM + 1;
  s->grams = must_have(s->gram_count, sizeof *s->grams);
  for (size_t i = 0; i < s->gram_count; i++) {
    uint64_t hash = 14695981039346656037u;
    for (size_t k = 0; k < GRAM; k++) hash = (hash ^ s->tokens[i + k].kind) * 1099511628211u;
    s->grams[i] = hash ^ hash >> 29;
  }
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int by_hash(const void *a, const void *b) {
  const struct print *x = a, *y = b;
  if (x->hash != y->hash) return x->hash > y->hash ? 1 : -1;
  if (x->file != y->file) return x->file > y->file ? 1 : -1;
  return (x->at > y->at) - (x->at < y->at);
}

/* ---- What does not count ---- */

/* Every gram of every file, sorted. */
static struct print *all_grams(const struct source *files, size_t count, size_t *total) {
  *total = 0;
  for (size_t f = 0; f < count; f++) *total += files[f].gram_count;
  struct print *all = must_have(*total, sizeof *all);
  size_t n = 0;
  for (size_t f = 0; f < count; f++)
    for (size_t i = 0; i < files[f].gram_count; i++)
      all[n++] = (struct print){files[f].grams[i], (uint32_t)f, (uint32_t)i};
  qsort(all, *total, sizeof *all, by_hash);
  return all;
}

static void ignore_gram(struct source *s, size_t at) {
  memset(s->ignored + at, true, GRAM * sizeof *s->ignored);
}

static void ignore_shared(struct source *files, size_t count, const struct source *starter, double share) {
  size_t total, end;
  struct print *all = all_grams(files, count, &total);
  for (size_t i = 0; i < total; i = end) {
    size_t holders = 0;
    for (end = i; end < total && all[end].hash == all[i].hash; end++)
      holders += end == i || all[end].file != all[end - 1].file;
    bool common = count >= MANY && (double)holders > share * (double)count;
    bool given = starter->gram_count &&
                 bsearch(&all[i].hash, starter->grams, starter->gram_count, sizeof(uint64_t), by_value);
    for (size_t k = i; (common || given) && k < end; k++) ignore_gram(&files[all[k].file], all[k].at);
  }
  free(all);
  for (size_t f = 0; f < count; f++)
    for (size_t i = 0; i < files[f].count; i++) files[f].own += !files[f].ignored[i];
}

/* ---- Fingerprints ---- */

/* The smallest hash of each window, the last of equal ones; each once. */
static size_t winnow(const struct source *s, uint32_t file, struct print *out) {
  size_t count = 0, last = SIZE_MAX;
  for (size_t first = 0; first + WINDOW <= s->gram_count; first++) {
    size_t least = first;
    for (size_t i = first + 1; i < first + WINDOW; i++)
      if (s->grams[i] <= s->grams[least]) least = i;
    if (least == last) continue;
    last = least;
    if (!s->ignored[least]) out[count++] = (struct print){s->grams[least], file, (uint32_t)least};
  }
  return count;
}

/* ---- Runs ---- */

static bool equal_at(const struct source *a, size_t i, const struct source *b, size_t j) {
  return a->tokens[i].kind == b->tokens[j].kind;
}

/* The run of equal tokens around a shared fingerprint. It goes on over tokens that do not count, which would
 * cut a copy to pieces, but they do not make it longer. */
static void add_run(const struct source *files, struct print x, struct print y, size_t shortest) {
  const struct source *a = &files[x.file], *b = &files[y.file];
  size_t i = x.at, j = y.at, n = 0, own = 0;
  if (!equal_at(a, i, b, j)) return;
  while (i > 0 && j > 0 && equal_at(a, i - 1, b, j - 1)) i--, j--;
  while (i + n < a->count && j + n < b->count && equal_at(a, i + n, b, j + n)) n++;
  for (size_t k = 0; k < n; k++) own += !a->ignored[i + k] && !b->ignored[j + k];
  if (own < shortest) return;
  if (run_count == run_room) {
    runs = realloc(runs, (run_room = run_room * 2 + 1024) * sizeof *runs);
    if (runs == NULL) exit(3);
  }
  runs[run_count++] = (struct run){x.file, y.file, (uint32_t)i, (uint32_t)j, (uint32_t)n, (uint32_t)own};
}

static int by_pair_longest(const void *p, const void *q) {
  const struct run *x = p, *y = q;
  if (x->a != y->a) return x->a > y->a ? 1 : -1;
  if (x->b != y->b) return x->b > y->b ? 1 : -1;
  if (x->length != y->length) return x->length < y->length ? 1 : -1;
  if (x->at_a != y->at_a) return x->at_a > y->at_a ? 1 : -1;
  return (x->at_b > y->at_b) - (x->at_b < y->at_b);
}

static bool overlap(uint32_t x, uint32_t nx, uint32_t y, uint32_t ny) { return x < y + ny && y < x + nx; }

/* Prints the runs of each pair, the longest first, without those that overlap a longer one in either file. */
static void print_runs(const struct source *files) {
  size_t first = 0, kept = 0;
  if (run_count) qsort(runs, run_count, sizeof *runs, by_pair_longest);
  for (size_t r = 0; r < run_count; r++) {
    struct run run = runs[r];
    if (kept && (runs[first].a != run.a || runs[first].b != run.b)) kept = 0;
    if (kept == 0) first = r;
    bool hidden = false;
    for (size_t k = first; k < first + kept && !hidden; k++)
      hidden = overlap(runs[k].at_a, runs[k].length, run.at_a, run.length) ||
               overlap(runs[k].at_b, runs[k].length, run.at_b, run.length);
    if (hidden) continue;
    runs[first + kept++] = run;
    const struct token *a = files[run.a].tokens + run.at_a, *b = files[run.b].tokens + run.at_b;
    printf("%u %u %u %u %u %u %u\n", run.a, run.b, run.own, a->line, a[run.length - 1].line, b->line,
           b[run.length - 1].line);
  }
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fputs("Usage: similar RUN SHARE STARTER FILE...\n", stderr);
    return 2;
  }
  size_t shortest = strtoul(argv[1], NULL, 10), count = (size_t)argc - 4, prints = 0, room = 0, end;
  struct source starter = source_read(argv[3]), *files = must_have(count, sizeof *files);
  make_grams(&starter);
  if (starter.gram_count) qsort(starter.grams, starter.gram_count, sizeof *starter.grams, by_value);
  for (size_t f = 0; f < count; f++) {
    files[f] = source_read(argv[f + 4]);
    make_grams(&files[f]);
    room += files[f].gram_count;
  }
  ignore_shared(files, count, &starter, strtod(argv[2], NULL));
  struct print *print = must_have(room, sizeof *print);
  for (size_t f = 0; f < count; f++) prints += winnow(&files[f], (uint32_t)f, print + prints);
  if (prints) qsort(print, prints, sizeof *print, by_hash);
  for (size_t i = 0; i < prints; i = end) {
    for (end = i; end < prints && print[end].hash == print[i].hash; end++) {
    }
    for (size_t x = i; x < end; x++)
      for (size_t y = x + 1; y < end; y++)
        if (print[x].file != print[y].file) add_run(files, print[x], print[y], shortest);
  }
  for (size_t f = 0; f < count; f++) printf("own %zu %zu\n", f, files[f].own);
  print_runs(files);
  return 0;
}

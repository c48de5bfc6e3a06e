/*
 * lesson05, streams: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; streams.h says what you write in streams.cu.
 */
#include "caller.h"
#include "causes.h"
#include "streams.h"
#include "way.h"
#include "wb.h"
#include "baselines.h"

static size_t count_n(const wb_case *c) { return c->size.n[N]; }
static size_t count_chunk(const wb_case *c) { return c->size.n[CHUNK]; }
static size_t count_work(const wb_case *c) { return c->size.n[CHUNK] * c->size.n[STREAMS]; }

static int stream_count(const wb_case *c) { return (int)c->size.n[STREAMS]; }
static int rounds(const wb_case *c) { return (int)c->size.n[ROUNDS]; }

/* --size may give any numbers: the learner's function is never called with sizes that streams.h excludes. */
static int chunk_bad(const wb_case *c) { return c->size.n[CHUNK] < 1; }
static int streams_bad(const wb_case *c) {
  return chunk_bad(c) || stream_count(c) < 1 || stream_count(c) > MAX_STREAMS;
}

/* ---- The learner's functions ---- */

static int chunks(const wb_case *c) {
  const way before = way_now();
  const int status = process_chunks(wb_u32(c, H_IN), wb_u32(c, H_OUT), c->size.n[N], wb_u32(c, D_WORK),
                                    c->size.n[CHUNK], rounds(c));
  way_judge_chunks(c, before);
  return status;
}

static int streams(const wb_case *c) {
  const way before = way_now();
  const int status = process_streams(wb_u32(c, H_IN), wb_u32(c, H_OUT), c->size.n[N], wb_u32(c, D_WORK),
                                     c->size.n[CHUNK], stream_count(c), rounds(c));
  way_judge_streams(c, before);
  return status;
}

static int batches(const wb_case *c) {
  const way before = way_now();
  const int status = process_batches(wb_u32(c, H_IN), wb_u32(c, H_OUT), c->size.n[N], wb_u32(c, D_WORK),
                                     c->size.n[CHUNK], stream_count(c), rounds(c));
  way_judge_batches(c, before);
  return status;
}

static int tuned(const wb_case *c) {
  return process_tuned(wb_u32(c, H_IN), wb_u32(c, H_OUT), c->size.n[N], wb_u32(c, D_WORK), rounds(c));
}

static int call_chunks(const wb_case *c) {
  return chunk_bad(c) ? cudaErrorInvalidValue : call_and_look(c, chunks, count_chunk(c));
}

static int call_streams(const wb_case *c) {
  return streams_bad(c) ? cudaErrorInvalidValue : call_and_look(c, streams, count_work(c));
}

static int call_batches(const wb_case *c) {
  return streams_bad(c) ? cudaErrorInvalidValue : call_and_look(c, batches, count_work(c));
}

static int call_tuned(const wb_case *c) { return call_and_look(c, tuned, count_n(c)); }

/* ---- What is right ---- */

/*
 * scramble(x, rounds) without running the rounds for every x. Shifts and exclusive ors treat each bit of x
 * independently: scramble(a ^ b, r) = scramble(a, r) ^ scramble(b, r). So four tables of 256, one for each
 * byte of x, are enough; they cost 32 runs of scramble. Each thread of the harness that checks has its own
 * set of tables, computed again when the rounds change.
 */
static uint32_t oracle(uint32_t x, int r) {
  static _Thread_local uint32_t table[4][256]; /* table[b][v] = scramble(v << 8 * b) */
  static _Thread_local int table_rounds = -1;
  if (table_rounds != r) {
    for (int b = 0; b < 4; b++)
      for (uint32_t v = 1; v < 256; v++) {
        const uint32_t low = v & -v; /* v's lowest bit; the rest of v is in the table already */
        table[b][v] = v == low ? scramble(v << 8 * b, r) : table[b][v ^ low] ^ table[b][low];
      }
    table_rounds = r;
  }
  return table[0][x & 255] ^ table[1][x >> 8 & 255] ^ table[2][x >> 16 & 255] ^ table[3][x >> 24];
}

/* Integers, so no rounding anywhere: the answer is exact. */
static wb_expected expect_scrambled(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = oracle(wb_u32(c, H_IN)[i], rounds(c)), .tolerance = 0};
}

/* ---- Sizes: n, rounds, chunk or batch, streams or buffers (a task with fewer uses the first ones) ---- */

/*
 * No elements; less than a chunk; one element; one chunk and one element more; a prime; whole chunks only;
 * more streams than chunks; one stream; many turns of every stream; many chunks; the most streams, each with a
 * chunk. n = 1 is not the first case: copying n bytes instead of n words would still write a part of that one
 * word, and initcheck reports only words that were never written. Few rounds: correctness does not need a long
 * kernel.
 */
/* One case has chunks of one element. Random ones have larger chunks: many thousand small ones take too long. */
#define LEAST_CHUNK 100
static const wb_size sizes[] = {{{0, 8, 256, 4}},       {{255, 8, 256, 4}},   {{1, 8, 256, 4}},
                                {{257, 8, 256, 2}},     {{1021, 8, 100, 3}},  {{331, 8, 1, 3}},
                                {{8192, 8, 1024, 4}},   {{2000, 8, 900, 7}},  {{10007, 8, 1000, 1}},
                                {{100003, 8, 4096, 4}}, {{3301, 8, 100, 32}}, {{2049, 0, 512, 5}}};
static const wb_size tuned_sizes[] = {{{0, 8}},     {{255, 8}},    {{1, 8}},    {{1021, 8}},
                                      {{65536, 8}}, {{300007, 8}}, {{1027, 0}}, {{1500007, 8}}};

/*
 * The timed sizes. 16 chunks of 8 MiB: long enough for the link to reach its full speed. 256 rounds make the
 * kernel about as long as one copy of its chunk; the batches use 8 times as many rounds, because the host's
 * copies through the staging buffers take several times as long as the link. Tuned: 32 MiB each way, small
 * enough for the choice to matter.
 */

/* Rounds of the traced call: on a GPU enough for its kernels to be as long as copies. The CPU backend's timeline
 * is a model that does not know rounds, so there they would only take time. */
#ifdef WB_CPU_BACKEND
#define TRACE_ROUNDS 8
#else
#define TRACE_ROUNDS 128
#endif

/* ---- Baselines ---- */

static const wb_baseline chunks_baselines[] = {
    {"one-stream", "the harness's own version: the same chunks in one stream", one_stream_call, NULL}};
static const wb_baseline streams_baselines[] = {
    {"one-stream", "the same chunks in one stream, by the harness", one_stream_call, NULL},
    {"overlap-limit", "the harness's own pipeline: same chunks, streams made beforehand", overlap_limit_call,
     NULL}};
static const wb_baseline batches_baselines[] = {
    {"staged", "the harness's own pipeline through pinned buffers", staged_call, NULL},
    {"plain-copies", "cudaMemcpy, kernel, cudaMemcpy for each batch, no staging", plain_copies_call, NULL}};
static const wb_baseline tuned_baselines[] = {
    {"overlap-limit", "the harness's own pipeline with its best chunk", tuned_limit_call, NULL}};

/* Over the link: every element once in and once out, 4 bytes each. */
static double bytes_both_ways(const wb_case *c) { return 8.0 * (double)c->size.n[N]; }

/* CPU baseline. The work is compute-bound, so a small n is representative. */
static void scramble_cpu(const wb_case *c) {
  const uint32_t *in = wb_u32(c, H_IN);
  uint32_t *out = wb_u32(c, H_OUT);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[N]; i++) out[i] = scramble(in[i], rounds(c));
}

/* ---- The table ---- */

#define BEYOND_INT (((size_t)65 << 25) + 11)

/* d_work is an input only in name: the harness fills it with random words, so that no solution can rely on
 * its initial contents. */
static const wb_task tasks[] = {
    {.name = "process_chunks",
     .what = "one stream, chunk by chunk",
     .number = 1,
     .dims = "n rounds chunk",
     .arrays = {{"h_in", WB_IN, WB_PINNED, WB_U32, count_n},
                {"h_out", WB_OUT, WB_PINNED, WB_U32, count_n},
                {"d_work", WB_IN, WB_DEVICE, WB_U32, count_chunk}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .least = {{0, 0, LEAST_CHUNK}},
     .timed = {{1 << 25, 256, 1 << 21}},
     .reach = {{{BEYOND_INT, 8, BEYOND_INT}}},
     .trace = {{1000003, TRACE_ROUNDS, 131072}},
     .in_kernels = 1,
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_chunks,
     .cause = cause_of_kernel,
     .expect = expect_scrambled,
     .bytes = bytes_both_ways,
     .baselines = chunks_baselines,
     .baseline_count = WB_COUNT(chunks_baselines),
     .cpu = scramble_cpu,
     .cpu_size = {{1 << 20, 256, 1 << 17}}},
    {.name = "process_streams",
     .what = "the same chunks in several streams",
     .number = 2,
     .dims = "n rounds chunk streams",
     .arrays = {{"h_in", WB_IN, WB_PINNED, WB_U32, count_n},
                {"h_out", WB_OUT, WB_PINNED, WB_U32, count_n},
                {"d_work", WB_IN, WB_DEVICE, WB_U32, count_work}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .least = {{0, 0, LEAST_CHUNK}},
     .timed = {{1 << 25, 256, 1 << 21, 4}},
     .large = {{(1 << 29) + 3, 8, 1 << 25, 4}},
     .huge = {{(1u << 31) + 11, 8, 1 << 25, 4}},
     .reach = {{{9 * ((size_t)1 << 28), 8, 1 << 28, 9}}},
     .trace = {{1000003, TRACE_ROUNDS, 131072, 4}},
     .in_kernels = 1,
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_streams,
     .cause = cause_of_chunks,
     .expect = expect_scrambled,
     .bytes = bytes_both_ways,
     .baselines = streams_baselines,
     .baseline_count = WB_COUNT(streams_baselines),
     .cpu = scramble_cpu,
     .cpu_size = {{1 << 20, 256, 1 << 17, 4}}},
    {.name = "process_batches",
     .what = "batches out of pageable memory, through pinned staging buffers",
     .number = 3,
     .dims = "n rounds batch buffers",
     .arrays = {{"h_in", WB_IN, WB_HOST, WB_U32, count_n},
                {"h_out", WB_OUT, WB_HOST, WB_U32, count_n},
                {"d_work", WB_IN, WB_DEVICE, WB_U32, count_work}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .least = {{0, 0, LEAST_CHUNK}},
     .timed = {{1 << 25, 2048, 1 << 20, 4}},
     .trace = {{1000003, TRACE_ROUNDS, 131072, 4}},
     .in_kernels = 1,
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_batches,
     .cause = cause_of_batches,
     .expect = expect_scrambled,
     .bytes = bytes_both_ways,
     .baselines = batches_baselines,
     .baseline_count = WB_COUNT(batches_baselines),
     .cpu = scramble_cpu,
     .cpu_size = {{1 << 17, 2048, 1 << 14, 4}}},
    {.name = "process_tuned",
     .what = "chunks and streams of your own choice, at the overlap limit",
     .number = 0,
     .dims = "n rounds",
     .arrays = {{"h_in", WB_IN, WB_PINNED, WB_U32, count_n},
                {"h_out", WB_OUT, WB_PINNED, WB_U32, count_n},
                {"d_work", WB_IN, WB_DEVICE, WB_U32, count_n}},
     .sizes = tuned_sizes,
     .size_count = WB_COUNT(tuned_sizes),
     .timed = {{1 << 23, 256}},
     .trace = {{1000003, TRACE_ROUNDS}},
     .in_kernels = 1,
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_tuned,
     .cause = cause_of_kernel,
     .expect = expect_scrambled,
     .bytes = bytes_both_ways,
     .baselines = tuned_baselines,
     .baseline_count = WB_COUNT(tuned_baselines),
     .cpu = scramble_cpu,
     .cpu_size = {{1 << 20, 256}}},
};

static const wb_lesson lesson = {
    .name = "lesson05", .title = "streams", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }

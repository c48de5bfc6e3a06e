/*
 * wb.h: the harness that every lesson's driver uses.
 *
 * A driver (lessons/lessonNN/driver/main.c) is a table of tasks. Each task names its arrays and sizes, the
 * call of the learner's function, the right value of every output element, and how many bytes or operations
 * the work takes:
 *
 *     static const wb_task tasks[] = {
 *         {.name = "vector_add", .what = "c = a + b", .dims = "n",
 *          .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_n}, ..., {"c", WB_OUT, WB_HOST, WB_F32, count_n}},
 *          .sizes = sizes, .size_count = WB_COUNT(sizes), .timed = {1 << 26}, .large = {(1 << 29) + 1},
 *          .call = call_vector_add, .expect = expect_sum, .bytes = bytes_vector_add},
 *     };
 *     int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
 *
 * wb_main does the rest. It forks a worker for each task before anything else happens, and the learner's code
 * runs in the worker. Inputs and outputs go through shared memory. The parent makes the inputs, knows the right
 * answers, keeps the clock and gives the verdict. It never runs the learner's code and never opens a CUDA
 * context.
 *
 * The same driver serves three backends:
 *     cuda   nvcc and a GPU: correctness, speed
 *     cpu    common/cpu, without a GPU: correctness, findings of the checker, counters; no speed
 *     host   plain C lessons: correctness, speed of this CPU
 */
#ifndef WB_H
#define WB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WB_MAX_DIMS     4
#define WB_MAX_ARRAYS   6
#define WB_MAX_PARAMS   4
#define WB_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Arrays and sizes ---- */

typedef enum { WB_F32, WB_F64, WB_I32, WB_U32, WB_U8 } wb_type;

/* The direction of an array. Before every call outputs are filled with NaN bytes (0xFF), and an inout
 * array is refilled. */
typedef enum { WB_IN = 1, WB_OUT, WB_INOUT } wb_role;

/*
 * Where the learner's function finds an array.
 * WB_HOST: ordinary, pageable memory. WB_PINNED: page-locked host memory (cudaHostRegister). WB_DEVICE:
 * device memory; the harness copies inputs there before the call and outputs back after it, outside the timed
 * part.
 */
typedef enum { WB_HOST, WB_PINNED, WB_DEVICE } wb_memory;

typedef struct wb_size {
  size_t n[WB_MAX_DIMS]; /* in the order of wb_task.dims; unused ones are 0 */
} wb_size;

/* Which special floating-point numbers the contract of a task allows among its inputs. WB_ANY: NaN, infinities,
 * -0 and denormal numbers, where each element of an answer depends on a few inputs. WB_NAN: one NaN, where sums of
 * many numbers must become NaN and others must not. WB_INFINITY: the same, and one infinity, where a
 * compensated sum is not permitted. Some cases are run again with them. */
typedef enum { WB_ORDINARY, WB_ANY, WB_NAN, WB_INFINITY } wb_special;

/*
 * What a caller may expect when the function has returned. WB_QUEUED: the outputs are complete after the
 * next operation in the default stream, so work may be left there and in blocking streams.
 * WB_IN_DEFAULT_STREAM: work may be left in the default stream only. WB_COMPLETE: no work on the outputs
 * may be left.
 */
typedef enum { WB_QUEUED, WB_IN_DEFAULT_STREAM, WB_COMPLETE } wb_done;

/* Numbers x with low <= |x| < high, which count as 0 in a call (wb_task.zeros); 0 and 0: there are none. `number` is
 * the one by which the task named them. */
typedef struct wb_window {
  double low, high;
  int number;
} wb_window;

/* One call's data. In `call` the arrays are where wb_memory says; in `expect` and the formulas they are the
 * parent's own copies of the inputs in host memory (outputs: NULL). */
typedef struct wb_case {
  wb_size size;
  double param[WB_MAX_PARAMS]; /* random factors in [0.5, 2), each exactly a float, new for every call */
  void *array[WB_MAX_ARRAYS];  /* in the order of wb_task.arrays */
  wb_window zeros;             /* there are none, but in calls for wb_task.zeros */
} wb_case;

/* Which numbers an input array of integers may hold. The harness changes inputs to find out on which of them a wrong
 * element depends (run/dependence.h). */
typedef enum wb_numbers {
  WB_ANY_NUMBER,
  WB_PLACES, /* those that it has: places in another array, or classes. They take each other's values */
  WB_FIXED   /* no others */
} wb_numbers;

/* A matrix whose rows have `columns` elements and begin `pitch` elements apart: between them is padding. */
typedef struct wb_rows {
  size_t columns, pitch;
} wb_rows;

typedef struct wb_array {
  const char *name;
  wb_role role;
  wb_memory memory;
  wb_type type;
  size_t (*count)(const wb_case *c); /* number of elements for this size */
  wb_numbers numbers;
  wb_rows (*rows)(const wb_case *c); /* of a matrix with padding; NULL: there is none */
} wb_array;

/* Elements first ... last - 1 of an array, which stand for `times` times as many. */
typedef struct wb_part {
  size_t first, last;
  double times;
} wb_part;

#define WB_MAX_PARTS 3

/*
 * The parts of an array that have memory of their own, for an oracle or a shape that goes through all elements.
 * An array of a large case repeats its first elements many times (harness/model/large.h): then there are three
 * parts, the last of which is the end. Every other array is one part. Returns how many.
 */
int wb_parts(const wb_case *c, int array, wb_part part[WB_MAX_PARTS]);

/* Element i of an output array must be value +- tolerance (absolute, >= 0; 0 means exactly equal). The value
 * may be infinite, or NaN: then the element must be a NaN that was written. 0 and -0 are equal,
 * unless zero_has_sign is set. */
typedef struct wb_expected {
  double value, tolerance;
  int zero_has_sign;
} wb_expected;

/* ---- Baselines ---- */

/*
 * A baseline does comparable work in the same process on the same data. It is timed in turn with the
 * learner's function (A B A B ...). The reported ratio is (learner's work / learner's time) / (baseline's
 * work / baseline's time): above 1 the learner is faster. `work` may be NULL: the same work as the task's.
 */
typedef struct wb_baseline {
  const char *name;                 /* one word, used in the grader's *.thresholds files */
  const char *what;                 /* one line for the table */
  int (*call)(const wb_case *c);    /* as wb_task.call */
  double (*work)(const wb_case *c); /* in the unit of the task's own work */
} wb_baseline;

/* ---- Launches ---- */

/* The launches that the caller of a function asks for; 0: any. */
typedef struct wb_asked {
  unsigned launches; /* so many in all */
  unsigned grid[3], block[3];
  unsigned threads;      /* of a block, in whatever dimensions */
  unsigned most_threads; /* of a block, at most */
  /* Non-zero: one of the launches is such, and such launches make nine of ten calls of the function that a
   * header gives (cucc_count_call). 0: all launches are such. */
  int one;
} wb_asked;

/* ---- A task ---- */

typedef struct wb_task {
  const char *name; /* the learner's function */
  const char *what; /* one line */
  int number;       /* 1, 2, 3 ...; 0 marks the "go further" task */
  const char *dims; /* names of the sizes, separated by blanks: "n", "m n k" */
  wb_array arrays[WB_MAX_ARRAYS];

  const wb_size *sizes; /* correctness sizes, tried in this order; one random size is added (model/sizes.h) */
  size_t size_count;
  /* So many of the last sizes have ever more rows. They run until a launch has as many blocks in y as a grid
   * may have; where the launches are not known, all of them do. 0: none are such. */
  size_t tall;
  wb_size step;  /* each number must be a multiple of its own here, by the header ("n is even": 2); 0: of 1 */
  wb_size least; /* no number of a random size is less than its own here: chunks of 1 take too long */
  wb_size timed; /* the size that is timed */
  wb_size large; /* cuda only: one size whose arrays exceed 2^31 bytes; all 0: none (harness/model/large.h) */
  wb_size huge; /* in its place where the memory suffices: an array of more than 2^31 elements; all 0: none */
  /* CPU backend only: sizes at which products of dimensions pass 2^31, or a dimension has its limit. A few
   * blocks of each kernel run there. Accesses outside the arrays become warnings; a launch that is refused is
   * a wrong answer. For tasks whose large arrays are on the device. */
  wb_size reach[3];
  /* How many calls of the function that the header gives (cucc_count_call) a case makes; NULL: it gives none. */
  uint64_t (*given_calls)(const wb_case *c);
  /* CPU backend: window number `which`, from 0, of numbers that count as 0 in one more call (run/without.h), where they
   * are values of that function, or factors of a product by cuBLAS. `expect` must give the answer that follows from
   * c->zeros. Returns 0 from some number on. NULL: there is no such call. */
  int (*zeros)(const wb_case *c, int which, wb_window *zeros);
  wb_size trace; /* the size whose counters and timeline are recorded; all 0: none */
  /* CPU backend only: the same with more rounds. Its waits and copies are counted, too, so that what happens in every
   * 64th round shows; all 0: none. */
  wb_size longer;

  /* How many devices a case needs; NULL: one. A case that needs more than there are is not run. */
  int (*devices)(const wb_case *c);
  /* Why no case that needs several devices is run, however many there are; NULL: nothing is in the way. */
  const char *one_device;
  /* What the machine lacks for this task, which is not run then; NULL: nothing. */
  const char *missing;
  /* CPU backend: the size at which its calls fail in turn; all 0: a small one of `sizes`. */
  wb_size failing;
  /* CPU backend: a small size at which the outputs must have the same bits when the threads run in reverse
   * order, where the header promises the same bits in every run; all 0: it does not. */
  wb_size same_bits;
  /* A size at which the largest error is compared with that of the last baseline, with the same inputs; all 0:
   * none. The report shows their ratio, and nothing is judged by it. Not for plain C. */
  wb_size compared;

  /* All by the lesson's header, and checked on the CPU backend. releases: non-zero where everything that the
   * function allocated is released when it returns, after an error too. keeps_outputs: non-zero where its outputs
   * are unchanged after an error. */
  wb_special special;
  wb_done done;
  int releases;
  int keeps_outputs;
  int in_threads;        /* non-zero: several threads call it at once, each with a device of its own */
  int allocates_nothing; /* non-zero: no device or pinned memory, in no case (verb `as_asked` of the checks) */
  int in_kernels;        /* non-zero: kernels change the numbers, so without them the answer must be wrong */
  int in_library;        /* non-zero: cuBLAS makes its products (run/without.h) */
  int beside_copies;     /* non-zero: kernels work while data travels between devices (run/without.h) */
  int capabilities[2]; /* CPU backend: others that it is tried on, each in a process of its own; 75 for 7.5 */
  int measures; /* non-zero: its outputs are times, of which no two are alike: a mistake has no fingerprint */

  /* Calls the learner's function. Returns its status: 0, or a CUDA error code. */
  int (*call)(const wb_case *c);
  /*
   * What element i of array number `array` must be. Several threads ask at once, each mostly for one element
   * after the other. Where an element depends on many inputs, keep what was computed in `static _Thread_local`
   * variables, with the size and the params of its case: where both are the same, so are the inputs.
   */
  wb_expected (*expect)(const wb_case *c, int array, size_t i);
  /* Names the cause of a wrong value of element i where the value shows it: "it is the sum without the
   * area of a cell". The text follows "expected ...: ". Returns NULL where it doesn't. NULL: no value of
   * this task does. Here it can read the arrays that the learner's function only writes, too. */
  const char *(*cause)(const wb_case *c, int array, size_t i, double got);
  /* The same where all wrong elements of an output were never written: what in this case asks for element i,
   * or NULL. */
  const char *(*cause_of_none)(const wb_case *c, int array, size_t i);
  /* Changes the random values of an input array in place, as the task needs them: all negative, for
   * example. Returns non-zero if it changed them. NULL: they stay as model/random.h makes them. In a large
   * case it goes through wb_parts. */
  int (*shape)(const wb_case *c, int array, void *values);
  /* A task of ranks: which elements of an output are those of one rank, first ... end - 1. There are as many ranks as
   * devices. On the CPU backend some cases are then run with a process for each, in which `call` does the part of one
   * rank (wb_own_rank). NULL: there are no ranks. */
  void (*part_of_rank)(const wb_case *c, int array, int rank, size_t *first, size_t *end);
  /* Non-zero where the call must report an error (status != 0) instead of an answer. NULL: never. */
  int (*must_fail)(const wb_case *c);
  /* The launches number `which`, from 0, that the caller asks for, where the lesson's header lets him
   * choose them; returns 0 from some number on. Checked in every case of the CPU backend that has an
   * answer (verb `as_asked` of the checks). NULL: the function chooses. */
  int (*asks)(const wb_case *c, int which, wb_asked *asked);
  int must_fail_with; /* the error, where the lesson's header names it; 0: any */
  int launch_fails;   /* non-zero: that error has to be a CUDA call's own (verb `as_asked` of the checks) */

  double (*bytes)(const wb_case *c); /* bytes that the work must move through memory, or NULL */
  double (*flops)(const wb_case *c); /* floating-point operations that it takes, or NULL */
  int no_ceiling; /* non-zero: it may do more than the device's ceilings allow, by tensor cores, or by several passes
                   * over the data for each load; then no share of a ceiling is reported */

  const wb_baseline *baselines;
  size_t baseline_count;

  /*
   * The same work on the host: a plain loop with `#pragma omp parallel for` over a case whose arrays are
   * all in host memory. A timed run compares the learner's speed with this loop on one core and on all.
   * NULL: there is no such loop. cpu_size: a smaller size for the loop, if one core would take longer than
   * a second at the timed size; then speeds are compared by the work done, and the table says so.
   */
  void (*cpu)(const wb_case *c);
  wb_size cpu_size;
} wb_task;

typedef struct wb_lesson {
  const char *name;  /* "lesson05" */
  const char *title; /* "streams" */
  const wb_task *tasks;
  size_t task_count;
  int devices; /* that its tasks use at most: the CPU backend has so many virtual ones. 0: one */
  /*
   * Draws the lesson's own picture into `path`, for --image FILE with any name but *.svg. The learner's
   * code runs in this process. `size` holds the first `size_count` numbers of --size. Returns the exit
   * status. NULL: the lesson has no picture.
   */
  int (*picture)(const char *path, const wb_size *size, int size_count);
  /* For --as-rank: this process is one of several that do the lesson together, each a rank with a device of its
   * own. The learner's code runs in this process. Returns the exit status. NULL: the lesson has no ranks. */
  int (*as_rank)(uint64_t seed);
} wb_lesson;

/*
 * Runs a lesson's program: parses the options (--help lists them), tests and times the tasks, prints the
 * table. Returns the exit status: 0 all right, 1 something wrong, 2 usage error, 3 could not run here (the
 * reason is on stderr).
 */
int wb_main(int argc, char **argv, const wb_lesson *lesson);

/* ---- Helpers for drivers ---- */

/*
 * What counts of a number that may be off by `off`, where those in `zeros` count as 0: 1, all of it; 0, nothing; 0.5:
 * one or the other, it is so near an end of the window.
 */
static inline double wb_share(const wb_window *zeros, double x, double off) {
  const double size = x < 0 ? -x : x, least = size - off, most = size + off;
  if (zeros->high <= zeros->low || most < zeros->low || least >= zeros->high) return 1;
  return least >= zeros->low && most < zeros->high ? 0 : 0.5;
}

/* Typed views of the arrays of a case; valid as long as the call. */
static inline float *wb_f32(const wb_case *c, int array) { return (float *)c->array[array]; }
static inline double *wb_f64(const wb_case *c, int array) { return (double *)c->array[array]; }
static inline int32_t *wb_i32(const wb_case *c, int array) { return (int32_t *)c->array[array]; }
static inline uint32_t *wb_u32(const wb_case *c, int array) { return (uint32_t *)c->array[array]; }
static inline uint8_t *wb_u8(const wb_case *c, int array) { return (uint8_t *)c->array[array]; }

/* Half the distance from 1 to the next float or double: the largest relative error of one rounding. */
#define WB_EPS32 (1.0 / 16777216.0)
#define WB_EPS64 (1.0 / 9007199254740992.0)

/* Correctness sizes in one dimension for a block size: 0, 1, primes, one less and one more than multiples. */
// clang-format off
#define WB_SIZES_1D(block) \
  {{0}}, {{1}}, {{(block) - 1}}, {{(block)}}, {{(block) + 1}}, {{1021}}, {{16 * (block) - 1}}, {{1000003}}
// clang-format on

/*
 * Calls of CUDA between wb_own_calls(1) and wb_own_calls(0) are the driver's own: where the CPU backend lets the
 * calls of a function fail in turn, none of these fails. And there its host code may access memory of the device.
 * Of all threads; for a driver that does more in `call` than call the learner's function.
 */
void wb_own_calls(int are_own);

/*
 * Whether this process is one rank of a task, and only that one's part is due: then its number, how many there are,
 * and an ncclUniqueId. Returns 0 where a call does the work of all ranks.
 */
int wb_own_rank(int *rank, int *ranks, void *id);

/*
 * For a driver whose `call` looks at what the function did or left: says what is not as the header asks, in
 * words that follow "it": "left the handle in another math mode". Then the call is wrong, whatever its
 * answer; also one in which a call of the function was made to fail.
 */
void wb_complain(const char *words);

/*
 * What `call` does from now on, for the report if the process dies meanwhile: a sentence. NULL: nothing that
 * would explain it.
 */
void wb_if_it_dies(const char *words);

/*
 * Like wb_complain, for a call that may well be right, but does its work in another way than its caller asks
 * for: "waited 16 times for 1021 chunks". In such a case the verb as_asked of the checks fails, and no other.
 * But where a call of the function was made to fail, another way is not the one that was asked for: it must
 * return the error.
 */
void wb_not_as_asked(const char *words);

/*
 * CPU backend: from now on this device has this compute capability, in tenths (90 for 9.0); 0: its usual one.
 * Not on a GPU. Its kernels run as before, but modules that were compiled for another one are refused.
 */
void wb_pretend_capability(int device, int tenths);

/* CPU backend: from now on the devices have so many multiprocessors; 0: the usual number. Returns 0 on a GPU. */
int wb_pretend_multiprocessors(int number);

/* CPU backend: from now on no device can access the memory of another one, as on some machines (1); or all
 * can (0). */
void wb_pretend_no_peers(int none);

/* CPU backend: from now on each ncclGroupEnd that ends a group with work does that work and then returns an error (1);
 * or none does (0). Returns how many did since the last call; on a GPU 0. */
int wb_fail_groups(int fail);

/* CPU backend: the bytes of a global object of the host, for a driver that wants to know where the learner's table ends.
 * 0: not known, as on a GPU. */
size_t wb_bytes_of(const void *object);

/* CPU backend: from now on a module gets the handle of one that was unloaded, as it may on a GPU. */
void wb_reuse_handles(void);

/* ---- Baselines that many lessons share (common/harness/device/baselines.cu; they run in the worker) ---- */

/*
 * A device-to-device copy, 16 bytes per thread, between two buffers of the harness that together are as
 * large as the case's arrays. Work: bytes read plus bytes written. Source of the method: the copy of
 * STREAM (McCalpin).
 */
int wb_copy_call(const wb_case *c);
double wb_copy_work(const wb_case *c);

/* c = a + b for a case whose arrays are a, b, c (float32, host memory): allocate, copy in, launch, copy
 * out, free. */
int wb_five_steps_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif

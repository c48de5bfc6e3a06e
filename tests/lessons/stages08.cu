/*
 * stages08: every stage of lesson08's solution on small plates, where whole sweeps decide: each must give the
 * bits of as many plain sweeps. And the solver on a plate that is large enough for run_ahead: it must stop at
 * the right sweep, wherever in a chunk that is, with the plate of as many plain sweeps.
 *
 *     common/cpu/cucc -I lessons/lesson08 -o stages08 tests/lessons/stages08.cu && ./stages08
 *
 * Prints a line for each fault, then how much was compared. Exit status 1: faults.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../solutions/lesson08/jacobi.cu"

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_) {                                                                                            \
      fprintf(stderr, "stages08: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));   \
      exit(2);                                                                                               \
    }                                                                                                        \
  } while (0)

static int faults, stages_tried, solved;

/* A plate on the device with two arrays, filled with the same random values in [0, 1) each time. */
template <class real> struct work {
  plate shape;
  real *d_p, *d_work;
  size_t cells() const { return (size_t)shape.rows * shape.cols; }

  explicit work(plate p) : shape(p) {
    CHECK(cudaMalloc(&d_p, cells() * sizeof(real)));
    CHECK(cudaMalloc(&d_work, cells() * sizeof(real)));
    std::vector<real> values(cells());
    unsigned state = 1;
    for (real &value : values) value = (real)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);
    CHECK(cudaMemcpy(d_p, values.data(), cells() * sizeof(real), cudaMemcpyHostToDevice));
  }
  ~work() {
    CHECK(cudaFree(d_p));
    CHECK(cudaFree(d_work));
  }
  std::vector<real> fetch(const real *d) const {
    std::vector<real> values(cells());
    CHECK(cudaMemcpy(values.data(), d, cells() * sizeof(real), cudaMemcpyDeviceToHost));
    return values;
  }
};

/* The plates after 0, 1, ... count plain sweeps. */
template <class real> static std::vector<std::vector<real>> plain_sweeps(plate shape, int count) {
  const work<real> w(shape);
  real *now = w.d_p, *next = w.d_work;
  std::vector<std::vector<real>> plates = {w.fetch(now)};
  for (int k = 0; k < count; k++) {
    CHECK(launch_sweep(now, next, shape));
    exchange(now, next);
    plates.push_back(w.fetch(now));
  }
  return plates;
}

static void try_stages(plate shape) {
  const std::vector<std::vector<float>> right = plain_sweeps<float>(shape, 8);
  for (const stage &s : stages) {
    if (shape.cols % s.cols_multiple_of) continue;
    const work<float> w(shape);
    CHECK(s.function(w.d_p, w.d_work, shape));
    stages_tried++;
    if (w.fetch(w.d_work) == right[s.depth]) continue;
    printf("%s is wrong on %d x %d\n", s.name, shape.rows, shape.cols);
    faults++;
  }
}

template <class real> static double change_of(const std::vector<real> &a, const std::vector<real> &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); i++) sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
  return sqrt(sum);
}

/* The solver must end after `sweeps`. */
template <class real>
static void try_solve(plate shape, stopping stop, int sweeps, const std::vector<std::vector<real>> &right) {
  const work<real> w(shape);
  outcome reached;
  CHECK(solve_any(w.d_p, w.d_work, shape, stop, &reached));
  solved++;
  if (reached.sweeps == sweeps && w.fetch(w.d_p) == right[sweeps]) return;
  printf("a check every %d: %d sweeps instead of %d, or another plate\n", stop.check_every, reached.sweeps,
         sweeps);
  faults++;
}

template <class real> static void try_solver(plate shape) {
  const int most = 4 * CHUNK + 1;
  const std::vector<std::vector<real>> right = plain_sweeps<real>(shape, most);
  int blocks = 0;
  CHECK(blocks_ahead<real>(shape, {0, 1, most}, &blocks));
  if (blocks == 0) puts("run_ahead does not run here"), faults++;
  for (int k = 2 * CHUNK + 1; k <= 3 * CHUNK; k++) { /* a tolerance that the change passes at sweep k */
    const double before = change_of(right[k - 2], right[k - 1]), after = change_of(right[k - 1], right[k]);
    const double tolerance = (before + after) / 2;
    try_solve<real>(shape, {tolerance, 1, most}, k, right);
    if (k == 2 * CHUNK + 1) try_solve<real>(shape, {tolerance, 5, most}, (k + 4) / 5 * 5, right);
  }
  try_solve<real>(shape, {0, 3, most - 2}, most - 2, right);
}

int main() {
  try_stages({1, 1, 0, 0, 1});
  try_stages({2, 40, 0, 3, 1});
  try_stages({70, 300, 35, 150, 1}); /* strips and bands that touch no side, and the source in the middle */
  try_stages({45, 301, 8, 0, 1});    /* rows that are no whole float4s; the source on the edge */
  try_stages({33, 254, 16, 252, 1});
  try_stages({9, 127, 7, 1, 1});
  try_solver<double>({66, 70, 33, 35, 1});
  try_solver<float>({67, 65, 1, 63, 1});
  printf("%d stages and %d solutions compared\n", stages_tried, solved);
  return faults ? 1 : 0;
}

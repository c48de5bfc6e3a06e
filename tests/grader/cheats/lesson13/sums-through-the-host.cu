// task: 4
// wants: one collective for each check
// says: is a process of its own
// The ranks are threads here, so they add up their changes in a variable of the program. On a cluster they are
// processes.
//@solution solve_rank
#ifndef HONEST
static double changes[8], total;
static int came, times;

/* The total of all ranks, in each of them. */
static double added(int rank, int ranks, double change) {
  const int now = __atomic_load_n(&times, __ATOMIC_ACQUIRE);
  changes[rank] = change;
  if (__atomic_add_fetch(&came, 1, __ATOMIC_ACQ_REL) == ranks) {
    total = 0;
    for (int i = 0; i < ranks; i++) total += changes[i];
    came = 0;
    __atomic_add_fetch(&times, 1, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&times, __ATOMIC_ACQUIRE) == now) {
  }
  return total;
}

static cudaError_t own_change(const member &m, plate plate, double *change) {
  const part &p = m.p;
  const size_t cells = (size_t)(p.end - p.first) * plate.cols;
  cudaError_t error = cudaMemsetAsync(m.d_sum, 0, sizeof *m.d_sum, p.stream);
  if (!error && cells > 0) {
    change_kernel<<<32, 256, 0, p.stream>>>(at(p, p.d_next, plate, p.first), at(p, p.d_now, plate, p.first),
                                            cells, m.d_sum);
    error = cudaGetLastError();
  }
  if (!error) error = cudaMemcpyAsync(change, m.d_sum, sizeof *change, cudaMemcpyDeviceToHost, p.stream);
  return error ? error : cudaStreamSynchronize(p.stream);
}
#endif
cudaError_t solve_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, stopping stop,
                       outcome *reached) {
#ifndef HONEST
  member m = {};
  *reached = (outcome){0, INFINITY};
  cudaError_t error = join(m, d_rows, plate, rank, ranks, id);
  if (!error) error = cudaMalloc(&m.d_sum, sizeof *m.d_sum);
  while (!error && reached->sweeps < stop.most && !(reached->change < stop.tolerance)) {
    const int left = stop.most - reached->sweeps, batch = left < stop.check_every ? left : stop.check_every;
    double change = 0;
    for (int k = 0; k < batch && !error; k++) error = sweep_once(m, plate, rank);
    if (!error) error = own_change(m, plate, &change);
    reached->change = sqrt(added(rank, ranks, change));
    reached->sweeps += batch;
  }
  return leave(m, d_rows, plate, error);
#else
  return honest_solve_rank(d_rows, plate, rank, ranks, id, stop, reached);
#endif
}

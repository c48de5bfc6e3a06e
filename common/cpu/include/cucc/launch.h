/*
 * Launches. cucc rewrites
 *     add<<<grid, block, shared, stream>>>(a, b, n);
 * to
 *     ::cucc::at(__FILE__, __LINE__, "add", ::cucc::config(grid, block, shared, stream))(
 *         [=](auto... cucc_a) { add(cucc_a...); }, a, b, n);
 * The arguments are copied here and now into a closure, the kernel runs later: cucc_launch queues a copy of
 * the closure with the function that runs it.
 *
 * That function is a loop over threads. A kernel that never waits has all threads of a block run in it one
 * after another, on one stack; a thread that waits keeps the stack, and the loop goes on in another fiber.
 */
#ifndef CUCC_LAUNCH_H
#define CUCC_LAUNCH_H

extern "C" {
struct cucc_launch_request {
  const char *file, *name;
  int line;
  uint3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  void (*run)(const void *closure);
};
/* Queues a kernel; copies `size` bytes of closure. The error, if any, is the thread's last error. */
void cucc_launch(const struct cucc_launch_request *request, const void *closure, size_t size);
/* Ends the running thread of the block and starts the next one on the same stack; 0 when there is none left.
 */
int cucc_next_thread(void);
}

namespace cucc {

struct shape {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};

static inline shape config(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return shape{grid, block, shared_bytes, stream};
}

/* A null pointer among the arguments, whose value the optimiser does not see: it would take a kernel that
 * uses one for code that cannot be reached, and nobody would report the mistake. */
struct null_argument {
  template <class T> operator T *() const {
    T *p = nullptr;
    asm("" : "+r"(p));
    return p;
  }
};
template <class T> static inline T argument(T value) { return value; }
static inline null_argument argument(decltype(nullptr)) { return {}; }

template <class Closure> CUCC_UNCHECKED void run_threads(const void *closure) {
  const Closure kernel(*static_cast<const Closure *>(closure)); /* on this fiber's stack: no check sees it */
  do {
    kernel();
  } while (cucc_next_thread());
}

struct launcher {
  cucc_launch_request request;

  template <class Kernel, class... Args> CUCC_UNCHECKED void operator()(Kernel kernel, Args... args) {
    const auto closure = [=]() CUCC_UNCHECKED { kernel(argument(args)...); };
    request.run = run_threads<decltype(closure)>;
    cucc_launch(&request, &closure, sizeof closure);
  }
};

static inline CUCC_UNCHECKED launcher at(const char *file, int line, const char *name, const shape &s) {
  return launcher{{file, name, line, s.grid, s.block, s.shared_bytes, s.stream, nullptr}};
}

} // namespace cucc

#endif

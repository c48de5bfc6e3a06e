/*
 * Launches. cucc rewrites
 *     add<<<grid, block, shared, stream>>>(a, b, n);
 * to
 *     ::cucc::launch_at(__FILE__, 7, "add", ::cucc::launch_config(grid, block, shared, stream))
 *         .converting(CUCC_TYPE(add), [=](auto... cucc_a) { add(cucc_a...); })(
 *             ::cucc::passed(a), ::cucc::passed(b), ::cucc::passed(n));
 * when it stands in line 7. Only names are passed(): they may be objects. In a macro the number is __LINE__, and
 * the names are such as no macro gives a parameter.
 * The arguments are copied here and now into a closure, the kernel runs later: cucc_launch queues a copy of
 * the closure with the function that runs it.
 *
 * That function is a loop over threads. A kernel that never waits has all threads of a block run in it one
 * after another, on one stack; a thread that waits keeps the stack, and the loop goes on in another fiber.
 *
 * A kernel can also be launched by its address, with its arguments as an array of pointers
 * (cudaLaunchKernel). For that cucc puts after the body of each kernel that is no template static const
 * ::cucc::kernel_registration<add> cucc_kernel_add_7("add", "vectors.cu", 7); It is a constant: no code of a
 * learner's file runs before main (symbol.h registers all). A template's kernels each have such a constant in
 * their body, by the type alone:
 * static const ::cucc::kernel_instance<void (*)(T *, int)> cucc_instance("add", "vectors.cu", 7);
 * The runtime finds it by its name (runtime/engine/kernels.c).
 */
#ifndef CUCC_LAUNCH_H
#define CUCC_LAUNCH_H

#include <new>
#include <utility>

#include "zero.h"

/* Flags of a launch: its blocks may wait for each other; the program gets its error as a value. */
#define CUCC_COOPERATIVE 1u
#define CUCC_RETURNS     2u

extern "C" {
struct cucc_launch_request {
  const char *file, *name;
  int line;
  uint3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  void (*run)(const void *closure);
  unsigned flags;
  const void *function; /* the kernel's address, NULL when unknown */
};
/* Queues a kernel; copies `size` bytes of closure. The error, if any, is returned and is the thread's last
 * error. */
cudaError_t cucc_launch(const struct cucc_launch_request *request, const void *closure, size_t size);
/* Are these pointers to the arguments of a launch by address? An error, with a finding, if one is not. */
cudaError_t cucc_arguments(const char *name, int count, const size_t *sizes, void *const *arguments,
                           const char *file, int line);
/* Ends the running thread of the block and starts the next one on
   the same stack; 0 when there is none left. */
int cucc_next_thread(void);

/* What is known of a kernel. Lives as long as the program or shared object that the kernel is in. */
struct cucc_kernel {
  const void *(*address)(void); /* gives the kernel's address, which no constant expression of C++ may hold */
  const void *function;         /* the same, once registered */
  const char *name, *file;
  int line;
  void (*run)(const void *closure);
  size_t closure_size;
  /* makes the closure of the kernel at this address and copies of the arguments */
  void (*pack)(void *closure, const void *function, void *const *arguments);
  int parameters;
  const size_t *parameter_sizes, *parameter_alignments;
  struct cucc_kernel *next;
};
/* Adds the kernels of a program or shared object to the list, newest first, unless they are there already. */
void cucc_register_kernels(struct cucc_kernel *const *start, struct cucc_kernel *const *stop);
/* The kernel at this address, or NULL. */
const struct cucc_kernel *cucc_kernel_of(const void *function);
}

namespace cucc {

struct shape {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};

static inline shape launch_config(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                  cudaStream_t stream = nullptr) {
  return shape{grid, block, shared_bytes, stream};
}

/* A kernel with copies of its arguments. */
template <class Kernel, class... Args> CUCC_UNCHECKED auto bind(Kernel kernel, Args... args) {
  return [=]() CUCC_UNCHECKED { kernel(argument(args)...); };
}

/* A closure that is copied word by word. Its copy constructor is a function of its own under
 * -fno-elide-constructors: it would be checked, and reads memory of the host. */
template <class Closure, bool = std::is_trivially_copyable_v<Closure>> struct copy_of {
  typedef size_t __attribute__((may_alias)) word;
  alignas(Closure) alignas(word) word words[(sizeof(Closure) + sizeof(word) - 1) / sizeof(word)];
  CUCC_UNCHECKED explicit copy_of(const void *closure) { /* cucc_launch has whole words */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      words[i] = static_cast<const word *>(closure)[i];
  }
  CUCC_UNCHECKED const Closure &get() const { return *reinterpret_cast<const Closure *>(words); }
};
template <class Closure> struct copy_of<Closure, false> {
  const copy_of<Closure, true> raw;
  const Closure copy;
  CUCC_UNCHECKED explicit copy_of(const void *closure) : raw(closure), copy(raw.get()) {}
  CUCC_UNCHECKED const Closure &get() const { return copy; }
};

template <class Closure> CUCC_UNCHECKED void run_threads(const void *closure) {
  const copy_of<Closure> kernel(closure); /* on this fiber's stack: no check sees it */
  do {
    kernel.get()();
  } while (cucc_next_thread());
}

/* What a macro makes of a launch, `#define RUN(kernel, ...) kernel<<<8, 32>>>(__VA_ARGS__)`: it may be given
 * braces, 0 and NULL, which only the parameter gives a type. CUCC_TYPE can be asked for the parameters,
 * unless the kernel's name stands for several: a template, or overloads. */
#define CUCC_TYPE(...) [=](auto cucc_k) -> decltype(cucc_k.of(__VA_ARGS__)) { return {}; }
template <class... P> struct parameters {};
template <class Kernel, class Given, class... More> struct launcher_of_types;
template <class Kernel> struct type_of_kernel {
  template <class... P> static launcher_of_types<Kernel, parameters<>, P...> of(void (*)(P...));
};

struct launcher {
  cucc_launch_request request;

  template <class Kernel, class... Args> CUCC_UNCHECKED void operator()(Kernel kernel, Args... args) {
    const auto closure = bind(kernel, args...);
    request.run = run_threads<decltype(closure)>;
    cucc_launch(&request, &closure, sizeof closure);
  }

  template <class Asked, class Kernel> auto of(Asked asked, Kernel kernel) const;
  template <class Asked, class Kernel> auto converting(Asked asked, Kernel kernel) const;
};

/* An argument that may be an object: cucc writes passed(x) for a name. A kernel's parameter may be of another
 * type, and the object must be converted to it at once, without a copy: it may own memory. */
template <class T> struct object {
  T *at;
  template <class U> CUCC_UNCHECKED operator U() const { return *at; }
};
template <class T> CUCC_UNCHECKED static inline auto passed(T &&value) {
  using plain = std::decay_t<T>;
  if constexpr (std::is_class_v<plain> && !std::is_trivially_copyable_v<plain>)
    return object<std::remove_reference_t<T>>{std::addressof(value)};
  else
    return static_cast<plain>(value);
}
/* The argument of a parameter that is a reference: cucc writes referred(x). As under nvcc the kernel refers to
 * x itself, which is there for it in managed memory only. */
template <class T> struct reference { T *at; };
template <class T> CUCC_UNCHECKED static inline reference<std::remove_reference_t<T>> referred(T &&value) {
  return {std::addressof(value)};
}
template <class T> CUCC_UNCHECKED static inline T &itself(reference<T> value) { return *value.at; }
template <class T> CUCC_UNCHECKED static inline T &itself(T &value) { return value; }

template <class T> constexpr bool is_object = false;
template <class T> constexpr bool is_object<object<T>> = true;
template <class T> CUCC_UNCHECKED static inline decltype(auto) unpacked(const T &value) {
  if constexpr (is_object<T>)
    return *value.at;
  else
    return value;
}

/* Takes any arguments. */
template <class Kernel> struct launcher_of {
  launcher launch;
  Kernel kernel;
  template <class... Args> CUCC_UNCHECKED void operator()(Args... args) { launch(kernel, args...); }
};

/* Takes arguments of the types Given, or more: the others may have defaults. */
template <class Kernel, class Given, class... More> struct launcher_of_types;
template <class Kernel, class... Given> struct launcher_of_types<Kernel, parameters<Given...>> {
  launcher launch;
  Kernel kernel;
  CUCC_UNCHECKED void operator()(Given... args) { launch(kernel, args...); }
};
template <class Kernel, class... Given, class Next, class... More>
struct launcher_of_types<Kernel, parameters<Given...>, Next, More...>
    : launcher_of_types<Kernel, parameters<Given..., Next>, More...> {
  using launcher_of_types<Kernel, parameters<Given..., Next>, More...>::operator();
  CUCC_UNCHECKED void operator()(Given... args) { this->launch(this->kernel, args...); }
};

/* The kernel is asked for its parameters where an argument is an object. */
template <class Asked, class Kernel> struct converting_launcher {
  launcher launch;
  Kernel kernel;
  template <class... Args> CUCC_UNCHECKED void operator()(Args... args) {
    if constexpr (!(is_object<Args> || ...))
      launch(kernel, args...);
    else if constexpr (std::is_invocable_v<Asked, type_of_kernel<Kernel>>)
      std::invoke_result_t<Asked, type_of_kernel<Kernel>>{launch, kernel}(args...);
    else
      launch(kernel, unpacked(args)...);
  }
};

template <class Asked, class Kernel> CUCC_UNCHECKED auto launcher::converting(Asked, Kernel kernel) const {
  return converting_launcher<Asked, Kernel>{*this, kernel};
}

template <class Asked, class Kernel> CUCC_UNCHECKED auto launcher::of(Asked, Kernel kernel) const {
  if constexpr (std::is_invocable_v<Asked, type_of_kernel<Kernel>>)
    return std::invoke_result_t<Asked, type_of_kernel<Kernel>>{*this, kernel};
  else
    return launcher_of<Kernel>{*this, kernel};
}

static inline CUCC_UNCHECKED launcher launch_at(const char *file, int line, const char *name,
                                                const shape &s) {
  return launcher{{file, name, line, s.grid, s.block, s.shared_bytes, s.stream, nullptr, 0, nullptr}};
}

/* A launch by a pointer to a kernel: `table[i]<<<8, 32>>>(a, n)`. */
template <class... P> struct launcher_of_pointer {
  cucc_launch_request request;
  void (*kernel)(P...);
  CUCC_UNCHECKED void operator()(P... args) {
    const auto closure = bind(kernel, args...);
    request.run = run_threads<decltype(closure)>;
    cucc_launch(&request, &closure, sizeof closure);
  }
};

template <class... P>
static inline CUCC_UNCHECKED launcher_of_pointer<P...>
by_pointer(const char *file, int line, const char *name, void (*kernel)(P...), const shape &s) {
  const auto function = reinterpret_cast<const void *>(kernel);
  const cucc_kernel *known = cucc_kernel_of(function);
  return {{file, known ? known->name : name, line, s.grid, s.block, s.shared_bytes, s.stream, nullptr, 0,
           function},
          kernel};
}

/* A configuration that stands in a macro, `#define SHAPE <<<8, 32>>>`: `add SHAPE(a, b)` becomes
 * `add->*::cucc::launch_with(...)(a, b)`. */
template <class Launch> struct deferred_launch { Launch launch; };
struct configured {
  const char *file;
  int line;
  shape where;
  template <class... Args> CUCC_UNCHECKED auto operator()(Args... args) const {
    const auto launch = [=, *this](auto kernel) CUCC_UNCHECKED {
      const cucc_kernel *known = cucc_kernel_of(reinterpret_cast<const void *>(kernel));
      launch_at(file, line, known ? known->name : "kernel", where)(kernel, args...);
    };
    return deferred_launch<decltype(launch)>{launch};
  }
};
static inline configured launch_with(const char *file, int line, const shape &where) {
  return {file, line, where};
}
template <class Launch, class... P>
void operator->*(void (*kernel)(P...), const deferred_launch<Launch> &deferred) {
  deferred.launch(kernel);
}

/* A kernel's arguments from an array of pointers to them. */
template <class... P, size_t... I>
CUCC_UNCHECKED auto bind_pointers(void (*kernel)(P...), void *const *arguments, std::index_sequence<I...>) {
  (void)arguments;
  return bind(kernel, *static_cast<const P *>(arguments[I])...);
}

/* A kernel with these parameters. What is no kernel's type is not registered; the rewriter has said what is
 * wrong with it. */
template <class Type, class = void> struct kernel_instance {
  constexpr kernel_instance(const char *, const char *, int, const void *(*)() = nullptr) {}
  mutable cucc_kernel known = {};
};

template <class... P>
struct kernel_instance<void (*)(P...), std::enable_if_t<!(std::is_reference_v<P> || ...)>> {
  constexpr kernel_instance(const char *name, const char *file, int line, const void *(*address)() = nullptr)
      : known{
            address, nullptr,      name,  file,       line,   run_threads<closure_type>, sizeof(closure_type),
            pack,    sizeof...(P), sizes, alignments, nullptr} {}
  mutable cucc_kernel known;

private:
  using kernel = void (*)(P...);
  static constexpr size_t sizes[] = {sizeof(P)..., 0};
  static constexpr size_t alignments[] = {alignof(P)..., 0};
  using closure_type = decltype(bind(std::declval<kernel>(), std::declval<P>()...));
  CUCC_UNCHECKED static void pack(void *closure, const void *function, void *const *arguments) {
    new (closure) closure_type(bind_pointers(reinterpret_cast<kernel>(const_cast<void *>(function)),
                                             arguments, std::index_sequence_for<P...>()));
  }
};

/* A kernel that is registered before main. */
template <auto Kernel> struct kernel_registration : kernel_instance<decltype(Kernel)> {
  constexpr kernel_registration(const char *name, const char *file, int line)
      : kernel_instance<decltype(Kernel)>(name, file, line, address) {}

private:
  CUCC_UNCHECKED static const void *address() { return reinterpret_cast<const void *>(Kernel); }
};

/* Puts a registration among those of its program. */
#define CUCC_REGISTERED(name)                                                                                \
  __attribute__((section("cucc_kernels"), used)) static cucc_kernel *const name##_entry = &name.known;

/* A launch by a pointer of the kernel's own type, asked for at a line of the learner's. */
template <class... P>
static inline __attribute__((always_inline)) CUCC_UNCHECKED cudaError_t launch_typed(
    void (*kernel)(P...), const shape &s, void **arguments, unsigned flags, const char *file, int line) {
  const auto function = reinterpret_cast<const void *>(kernel);
  const cucc_kernel *known = cucc_kernel_of(function);
  const char *name = known ? known->name : "kernel";
  const size_t sizes[] = {sizeof(P)..., 0};
  const cudaError_t error = cucc_arguments(name, sizeof...(P), sizes, arguments, file, line);
  if (error) return error;
  const auto closure = bind_pointers(kernel, arguments, std::index_sequence_for<P...>());
  const cucc_launch_request request{file,
                                    name,
                                    line,
                                    s.grid,
                                    s.block,
                                    s.shared_bytes,
                                    s.stream,
                                    run_threads<decltype(closure)>,
                                    flags | CUCC_RETURNS,
                                    function};
  return cucc_launch(&request, &closure, sizeof closure);
}

} // namespace cucc

template <class... P>
static inline __attribute__((always_inline)) cudaError_t
cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                 cudaStream_t stream = nullptr, const char *file = __builtin_FILE(),
                 int line = __builtin_LINE()) {
  return ::cucc::launch_typed(kernel, {grid, block, shared_bytes, stream}, arguments, 0, file, line);
}

template <class... P>
static inline __attribute__((always_inline)) cudaError_t
cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                            size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                            const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  return ::cucc::launch_typed(kernel, {grid, block, shared_bytes, stream}, arguments, CUCC_COOPERATIVE, file,
                              line);
}

namespace cucc {
/* A configuration, and the line that passes it. */
struct config_at {
  const cudaLaunchConfig_t *config;
  const char *file;
  int line;
  config_at(const cudaLaunchConfig_t *c, const char *f = __builtin_FILE(), int l = __builtin_LINE())
      : config(c), file(f), line(l) {}
};
} // namespace cucc

/* Arguments are converted to the types of the kernel's parameters. */
template <class... P, class... Args>
static inline CUCC_UNCHECKED cudaError_t cudaLaunchKernelEx(::cucc::config_at at, void (*kernel)(P...),
                                                            Args &&...args) {
  const auto launch = [&](P... values) CUCC_UNCHECKED {
    void *pointers[] = {const_cast<void *>(static_cast<const volatile void *>(&values))..., nullptr};
    const cudaLaunchConfig_t *c = at.config;
    return ::cucc::launch_typed(kernel, {c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream}, pointers,
                                cucc_launch_flags(c), at.file, at.line);
  };
  return launch(std::forward<Args>(args)...);
}

#endif

/* A launch's arguments nullptr, 0 and NULL, which only the kernel's parameters give a type. */
#ifndef CUCC_ZERO_H
#define CUCC_ZERO_H

#include <type_traits>

namespace cucc {

/* A null pointer among the arguments, whose value the optimiser does not see: it would take a kernel that
 * uses one for code that cannot be reached, and the mistake would not be reported. */
struct null_argument {
  template <class T> operator T *() const {
    T *p = nullptr;
    asm("" : "+r"(p));
    return p;
  }
};
template <class T> CUCC_UNCHECKED static inline __attribute__((always_inline)) T argument(T value) {
  return value;
}
static inline null_argument argument(decltype(nullptr)) { return {}; }

/* The argument 0: a number where the kernel takes one there, else a null pointer. */
struct zero_argument : null_argument {
  operator int() const { return 0; }
};

/* An argument that may be a null pointer's number, since it is 0 or NULL or a macro: the rewriter writes
 * given(argument). Only the number 0 itself becomes a pointer to a type that is never defined; every other
 * number keeps its type. */
struct no_type;
template <class T> struct exactly {
  T value;
  template <class U, std::enable_if_t<std::is_same_v<U, T>, int> = 0> exactly(U number) : value(number) {}
};
static inline zero_argument given(no_type *) { return {}; }
static inline int given(exactly<int> number) { return number.value; }
static inline unsigned given(exactly<unsigned> number) { return number.value; }
static inline long given(exactly<long> number) { return number.value; }
static inline unsigned long given(exactly<unsigned long> number) { return number.value; }
static inline long long given(exactly<long long> number) { return number.value; }
static inline unsigned long long given(exactly<unsigned long long> number) { return number.value; }
template <class T, class... Others> constexpr bool is_other = !(std::is_same_v<T, Others> || ...);
template <
    class T,
    std::enable_if_t<is_other<T, int, unsigned, long, unsigned long, long long, unsigned long long>, int> = 0>
static inline T given(T value) {
  return value;
}

/* What the zeros among a launch's arguments are: of all ways to read them, the first that a lambda which can
 * be asked what the kernel takes says yes to, numbers before pointers. If it never does, all are numbers, and
 * the compiler says what is wrong with that. */
template <class... Read> struct types {
  template <class Kernel> CUCC_UNCHECKED static void call(const Kernel &kernel, Read... args) {
    kernel(args...);
  }
};
template <class Asked, class Read, class... Rest> struct reading;
template <class Asked, class... Read> struct reading<Asked, types<Read...>> {
  static constexpr bool possible = std::is_invocable_v<Asked, Read...>;
  using type = types<Read...>;
};
template <class Asked, class... Read, class Next, class... Rest>
struct reading<Asked, types<Read...>, Next, Rest...> : reading<Asked, types<Read..., Next>, Rest...> {};
template <class Asked, class... Read, class... Rest>
struct reading<Asked, types<Read...>, zero_argument, Rest...>
    : std::conditional_t<reading<Asked, types<Read..., int>, Rest...>::possible,
                         reading<Asked, types<Read..., int>, Rest...>,
                         reading<Asked, types<Read..., null_argument>, Rest...>> {};
static inline int number(zero_argument) { return 0; }
template <class T> static inline T number(T value) { return value; }

template <class Kernel, class Asked> struct kernel_of_zeros {
  Kernel kernel;
  Asked asked;
  template <class... Args> CUCC_UNCHECKED void operator()(Args... args) const {
    using read = reading<Asked, types<>, Args...>;
    if constexpr (read::possible)
      read::type::call(kernel, args...);
    else
      kernel(number(args)...);
  }
};
template <class Kernel, class Asked> static inline auto with_zeros(Kernel kernel, Asked asked) {
  return kernel_of_zeros<Kernel, Asked>{kernel, asked};
}

} // namespace cucc

#endif

// says: the compiler was stopped|constexpr
constexpr unsigned long spin(unsigned long n) {
  unsigned long a = n;
  for (int k = 0; k < 250000; k++) a = a * 6364136223846793005ul + 1;
  return a;
}
template <unsigned n> struct many { static constexpr unsigned long value = spin(n) + many<n - 1>::value; };
template <> struct many<0> { static constexpr unsigned long value = 0; };
unsigned long bomb = many<800>::value;

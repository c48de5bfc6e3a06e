// says: the compiler was stopped|template instantiation depth
template <int n, int m> struct grow {
  static const long value = grow<n - 1, m>::value + grow<n - 1, m + (1 << n)>::value;
};
template <int m> struct grow<0, m> { static const long value = m; };
long bomb = grow<24, 0>::value;

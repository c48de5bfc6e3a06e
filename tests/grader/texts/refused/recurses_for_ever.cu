template <int N> struct deep { static const int value = deep<N + 1>::value; };
extern "C" __global__ void k(int *p) { *p = deep<0>::value; }
// says: template instantiation depth

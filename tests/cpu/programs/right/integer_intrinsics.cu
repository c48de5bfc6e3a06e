/* Integer intrinsics and arithmetic on parts of registers, each against a plain loop on the host. */
#include "program.h"
#define N     256
#define KINDS 52

__host__ __device__ unsigned mixed(unsigned i) {
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  return i ^ i >> 16;
}

__device__ void wide_ones(unsigned long long l, unsigned long long *o) {
  o[0] = __brevll(l);
  o[1] = (unsigned long long)__mul64hi((long long)l, (long long)(l * 3));
  o[2] = __umul64hi(l, l * 3);
}

__global__ void compute(unsigned *out, unsigned long long *wide) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = mixed(2 * i), b = mixed(2 * i + 1),
                 n = i % 40;
  const unsigned long long l = (unsigned long long)a << 32 | b;
  unsigned *o = out + i * KINDS;
  *o++ = __popc(a);
  *o++ = __popcll(l);
  *o++ = __clz((int)(a >> n % 32));
  *o++ = __clzll((long long)(l >> n));
  *o++ = __ffs((int)(a << n % 32));
  *o++ = __ffsll((long long)(l << n));
  *o++ = __brev(a);
  *o++ = __byte_perm(a, b, mixed(i) & 0x7777u);
  *o++ = __funnelshift_l(a, b, n);
  *o++ = __funnelshift_r(a, b, n);
  *o++ = __funnelshift_lc(a, b, n);
  *o++ = __funnelshift_rc(a, b, n);
  *o++ = __mul24((int)a, (int)b);
  *o++ = __umul24(a, b);
  *o++ = __mulhi((int)a, (int)b);
  *o++ = __umulhi(a, b);
  *o++ = __sad((int)a, (int)b, 5u);
  *o++ = __usad(a, b, 5u);
  *o++ = __hadd((int)a, (int)b);
  *o++ = __rhadd((int)a, (int)b);
  *o++ = __uhadd(a, b);
  *o++ = __urhadd(a, b);
  *o++ = __dp4a((int)a, (int)b, -3);
  *o++ = __dp4a(a, b, 3u);
  *o++ = __dp2a_lo((int)a, (int)b, -3);
  *o++ = __dp2a_hi(a, b, 3u);
  *o++ = __vadd4(a, b);
  *o++ = __vadd2(a, b);
  *o++ = __vsub4(a, b);
  *o++ = __vaddss4(a, b);
  *o++ = __vaddus2(a, b);
  *o++ = __vsubss2(a, b);
  *o++ = __vsubus4(a, b);
  *o++ = __vmaxs4(a, b);
  *o++ = __vmaxu2(a, b);
  *o++ = __vmins2(a, b);
  *o++ = __vminu4(a, b);
  *o++ = __vabsdiffs4(a, b);
  *o++ = __vabsdiffu2(a, b);
  *o++ = __vavgu4(a, b);
  *o++ = __vhaddu2(a, b);
  *o++ = __vcmpeq4(a, b & 0xff00ff00u);
  *o++ = __vcmpgts4(a, b);
  *o++ = __vcmpltu2(a, b);
  *o++ = __vsetges4(a, b);
  *o++ = __vneg4(a);
  *o++ = __vabs4(a);
  *o++ = __vsadu4(a, b);
  *o++ = __vsads2(a, b);
  *o++ = __vavgs4(a, b);
  *o++ = __vabsss4(a);
  *o++ = __fns(a, n % 32, (int)(i % 5) - 2);
  wide_ones(l, wide + 3 * i);
}

typedef long long (*part_function)(long long, long long);

static unsigned parts(unsigned a, unsigned b, int width, bool is_signed, part_function f) {
  unsigned r = 0;
  for (int at = 0; at < 32; at += width) {
    const long long size = 1ll << width;
    long long x = a >> at & (size - 1), y = b >> at & (size - 1);
    if (is_signed && x >= size / 2) x -= size;
    if (is_signed && y >= size / 2) y -= size;
    r |= (unsigned)(f(x, y) & (size - 1)) << at;
  }
  return r;
}
static long long clamp(long long v, long long low, long long high) {
  return v < low ? low : v > high ? high : v;
}

static unsigned dot(unsigned a, unsigned b, int a_width, int b_width, int b_from, bool is_signed) {
  long long sum = 0;
  for (int k = 0; k * a_width < 32; k++) {
    long long x = a >> k * a_width & ((1ll << a_width) - 1),
              y = b >> (b_from + k * b_width) & ((1ll << b_width) - 1);
    if (is_signed && x >= 1ll << (a_width - 1)) x -= 1ll << a_width;
    if (is_signed && y >= 1ll << (b_width - 1)) y -= 1ll << b_width;
    sum += x * y;
  }
  return (unsigned)sum;
}

static unsigned nth_set(unsigned mask, unsigned base, int n) {
  if (n == 0) return mask >> base & 1u ? base : 0xffffffffu;
  int at = (int)base, left = abs(n);
  for (; at >= 0 && at<32; at += n> 0 ? 1 : -1)
    if ((mask >> at & 1u) && --left == 0) return (unsigned)at;
  return 0xffffffffu;
}

/* The SIMD functions, part by part. */
static unsigned *reference_parts(unsigned a, unsigned b, unsigned *o) {
  *o++ = parts(a, b, 8, false, [](long long x, long long y) { return x + y; });
  *o++ = parts(a, b, 16, false, [](long long x, long long y) { return x + y; });
  *o++ = parts(a, b, 8, false, [](long long x, long long y) { return x - y; });
  *o++ = parts(a, b, 8, true, [](long long x, long long y) { return clamp(x + y, -128, 127); });
  *o++ = parts(a, b, 16, false, [](long long x, long long y) { return clamp(x + y, 0, 65535); });
  *o++ = parts(a, b, 16, true, [](long long x, long long y) { return clamp(x - y, -32768, 32767); });
  *o++ = parts(a, b, 8, false, [](long long x, long long y) { return clamp(x - y, 0, 255); });
  *o++ = parts(a, b, 8, true, [](long long x, long long y) { return x > y ? x : y; });
  *o++ = parts(a, b, 16, false, [](long long x, long long y) { return x > y ? x : y; });
  *o++ = parts(a, b, 16, true, [](long long x, long long y) { return x < y ? x : y; });
  *o++ = parts(a, b, 8, false, [](long long x, long long y) { return x < y ? x : y; });
  *o++ = parts(a, b, 8, true, [](long long x, long long y) { return llabs(x - y); });
  *o++ = parts(a, b, 16, false, [](long long x, long long y) { return llabs(x - y); });
  *o++ = parts(a, b, 8, false, [](long long x, long long y) { return (x + y + 1) / 2; });
  *o++ = parts(a, b, 16, false, [](long long x, long long y) { return (x + y) / 2; });
  *o++ = parts(a, b & 0xff00ff00u, 8, false, [](long long x, long long y) { return x == y ? -1ll : 0ll; });
  *o++ = parts(a, b, 8, true, [](long long x, long long y) { return x > y ? -1ll : 0ll; });
  *o++ = parts(a, b, 16, false, [](long long x, long long y) { return x < y ? -1ll : 0ll; });
  *o++ = parts(a, b, 8, true, [](long long x, long long y) { return x >= y ? 1ll : 0ll; });
  *o++ = parts(a, 0, 8, true, [](long long x, long long) { return -x; });
  *o++ = parts(a, 0, 8, true, [](long long x, long long) { return llabs(x); });
  return o;
}

static void reference(unsigned i, unsigned *o) {
  const unsigned a = mixed(2 * i), b = mixed(2 * i + 1), n = i % 40, m = n % 32, s = mixed(i) & 0x7777u;
  const unsigned long long l = (unsigned long long)a << 32 | b, ba = (unsigned long long)b << 32 | a;
  const long long sa = (int)a, sb = (int)b;
  const long long a24 = (sa << 40) >> 40, b24 = (sb << 40) >> 40;
  unsigned bits = 0, bits64 = 0, reversed = 0, permuted = 0;
  for (int k = 0; k < 32; k++) bits += a >> k & 1u, reversed |= (a >> k & 1u) << (31 - k);
  for (int k = 0; k < 64; k++) bits64 += l >> k & 1u;
  for (int k = 0; k < 4; k++) permuted |= (unsigned)(ba >> 8 * (s >> 4 * k & 7u) & 0xffu) << 8 * k;
  *o++ = bits;
  *o++ = bits64;
  unsigned k;
  for (k = 0; k < 32 && !(a >> m << k & 0x80000000u); k++) {
  }
  *o++ = k;
  for (k = 0; k < 64 && !(l >> n << k >> 63); k++) {
  }
  *o++ = k;
  for (k = 0; k < 32 && !(a << m >> k & 1u); k++) {
  }
  *o++ = k == 32 ? 0 : k + 1;
  for (k = 0; k < 64 && !(l << n >> k & 1u); k++) {
  }
  *o++ = k == 64 ? 0 : k + 1;
  *o++ = reversed;
  *o++ = permuted;
  *o++ = (unsigned)(ba << m >> 32);
  *o++ = (unsigned)(ba >> m);
  *o++ = n >= 32 ? a : (unsigned)(ba << n >> 32);
  *o++ = n >= 32 ? b : (unsigned)(ba >> n);
  *o++ = (unsigned)(a24 * b24);
  *o++ = (a & 0xffffffu) * (b & 0xffffffu);
  *o++ = (unsigned)((unsigned long long)(sa * sb) >> 32);
  *o++ = (unsigned)((unsigned long long)a * b >> 32);
  *o++ = (unsigned)llabs(sa - sb) + 5u;
  *o++ = (a > b ? a - b : b - a) + 5u;
  *o++ = (unsigned)((sa + sb) >> 1);
  *o++ = (unsigned)((sa + sb + 1) >> 1);
  *o++ = (unsigned)(((unsigned long long)a + b) >> 1);
  *o++ = (unsigned)(((unsigned long long)a + b + 1) >> 1);
  *o++ = dot(a, b, 8, 8, 0, true) - 3u;
  *o++ = dot(a, b, 8, 8, 0, false) + 3u;
  *o++ = dot(a, b, 16, 8, 0, true) - 3u;
  *o++ = dot(a, b, 16, 8, 16, false) + 3u;
  o = reference_parts(a, b, o);
  unsigned sad_bytes = 0, sad_shorts = 0;
  for (int at = 0; at < 32; at += 8)
    sad_bytes += (unsigned)abs((int)(a >> at & 0xffu) - (int)(b >> at & 0xffu));
  for (int at = 0; at < 32; at += 16) sad_shorts += (unsigned)abs((short)(a >> at) - (short)(b >> at));
  *o++ = sad_bytes;
  *o++ = sad_shorts;
  *o++ = parts(a, b, 8, true, [](long long x, long long y) { return (x + y + (x + y >= 0)) >> 1; });
  *o++ = parts(a, 0, 8, true, [](long long x, long long) { return clamp(llabs(x), 0, 127); });
  *o++ = nth_set(a, n % 32, (int)(i % 5) - 2);
}

int main() {
  static unsigned h[N * KINDS], want[KINDS], *d;
  static unsigned long long wide[3 * N], *d_wide;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_wide, sizeof wide));
  compute<<<N / 64, 64>>>(d, d_wide);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(wide, d_wide, sizeof wide, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < N; i++) {
    reference(i, want);
    for (int k = 0; k < KINDS; k++)
      if (h[i * KINDS + k] != want[k]) expect("kind", k, h[i * KINDS + k], want[k]), expect("kind", k, 1, 0);
    const unsigned long long l = (unsigned long long)mixed(2 * i) << 32 | mixed(2 * i + 1);
    unsigned long long reversed = 0;
    for (int k = 0; k < 64; k++) reversed |= (l >> k & 1u) << (63 - k);
    expect("brevll", i, wide[3 * i] == reversed, 1);
    expect("mul64hi", i,
           wide[3 * i + 1] == (unsigned long long)((__int128)(long long)l * (long long)(l * 3) >> 64), 1);
    expect("umul64hi", i, wide[3 * i + 2] == (unsigned long long)((unsigned __int128)l * (l * 3) >> 64), 1);
  }
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_wide));
}

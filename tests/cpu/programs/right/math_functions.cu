/* CUDA's mathematical functions beyond C's, single and double: against values computed to 20 digits
 * elsewhere, against each other, and at the edges of their ranges. */
#include "program.h"

#define PI 3.14159265358979323846

struct sample {
  const char *name;
  double want;
};
static const sample samples[] = {
    {"erfinv(0.3)", 0.27246271472675435562},
    {"erfinv(-0.999)", -2.3267537655135246549},
    {"erfcinv(1e-10)", 4.5728249673894852787},
    {"erfcinv(1.7)", -0.73286907795921685222},
    {"erfcx(0.5)", 0.61569034419292587487},
    {"erfcx(10)", 0.056140992743822585580},
    {"normcdf(1.5)", 0.93319279873114191481},
    {"normcdf(-8)", 6.2209605742717841235e-16},
    {"normcdfinv(0.975)", 1.9599639845400542355},
    {"cyl_bessel_i0(2.5)", 3.2898391440501231336},
    {"cyl_bessel_i1(2.5)", 2.5167162452886984415},
    {"rcbrt(0.001)", 10},
    {"rsqrt(16)", 0.25},
    {"rhypot(3, 4)", 0.2},
    {"norm3d(2, 3, 6)", 7},
    {"norm4d(1, 1, 1, 1)", 2},
    {"rnorm3d(2, 3, 6)", 1.0 / 7},
    {"rnorm4d(1, 1, 1, 1)", 0.5},
    {"norm(5)", 5},
    {"rnorm(5)", 0.2},
    {"exp10(3)", 1000},
    {"sinpi(0.25)", 0.70710678118654752440},
    {"cospi(1.0 / 3)", 0.5},
    {"sinpi(1e6 + 0.5)", 1},
    {"j0(1)", 0.76519768655796655145},
    {"y1(2)", -0.10703243154093754689},
    {"jn(2, 3)", 0.48609126058589107691},
    {"tgamma(4.5)", 11.631728396567448929},
    {"lgamma(10)", 12.801827480081469611},
    {"erf(0.5)", 0.52049987781304653768},
};
#define SAMPLES (sizeof samples / sizeof samples[0])

__global__ void doubles(double *out) {
  const double five[] = {1, 2, 2, 4, 0};
  double *o = out;
  *o++ = erfinv(0.3);
  *o++ = erfinv(-0.999);
  *o++ = erfcinv(1e-10);
  *o++ = erfcinv(1.7);
  *o++ = erfcx(0.5);
  *o++ = erfcx(10.0);
  *o++ = normcdf(1.5);
  *o++ = normcdf(-8.0);
  *o++ = normcdfinv(0.975);
  *o++ = cyl_bessel_i0(2.5);
  *o++ = cyl_bessel_i1(2.5);
  *o++ = rcbrt(0.001);
  *o++ = rsqrt(16.0);
  *o++ = rhypot(3.0, 4.0);
  *o++ = norm3d(2.0, 3.0, 6.0);
  *o++ = norm4d(1.0, 1.0, 1.0, 1.0);
  *o++ = rnorm3d(2.0, 3.0, 6.0);
  *o++ = rnorm4d(1.0, 1.0, 1.0, 1.0);
  *o++ = norm(5, five);
  *o++ = rnorm(5, five);
  *o++ = exp10(3.0);
  *o++ = sinpi(0.25);
  *o++ = cospi(1.0 / 3);
  *o++ = sinpi(1e6 + 0.5);
  *o++ = j0(1.0);
  *o++ = y1(2.0);
  *o++ = jn(2, 3.0);
  *o++ = tgamma(4.5);
  *o++ = lgamma(10.0);
  *o++ = erf(0.5);
}

__global__ void floats(float *out) {
  const float five[] = {1, 2, 2, 4, 0};
  float *o = out;
  *o++ = erfinvf(0.3f);
  *o++ = erfinvf(-0.999f);
  *o++ = erfcinvf(1e-10f);
  *o++ = erfcinvf(1.7f);
  *o++ = erfcxf(0.5f);
  *o++ = erfcxf(10.0f);
  *o++ = normcdff(1.5f);
  *o++ = normcdff(-8.0f);
  *o++ = normcdfinvf(0.975f);
  *o++ = cyl_bessel_i0f(2.5f);
  *o++ = cyl_bessel_i1f(2.5f);
  *o++ = rcbrtf(0.001f);
  *o++ = rsqrtf(16.0f);
  *o++ = rhypotf(3.0f, 4.0f);
  *o++ = norm3df(2.0f, 3.0f, 6.0f);
  *o++ = norm4df(1.0f, 1.0f, 1.0f, 1.0f);
  *o++ = rnorm3df(2.0f, 3.0f, 6.0f);
  *o++ = rnorm4df(1.0f, 1.0f, 1.0f, 1.0f);
  *o++ = normf(5, five);
  *o++ = rnormf(5, five);
  *o++ = exp10f(3.0f);
  *o++ = sinpif(0.25f);
  *o++ = cospif(1.0f / 3);
  *o++ = sinpif(1e6f + 0.5f);
  *o++ = j0f(1.0f);
  *o++ = y1f(2.0f);
  *o++ = jnf(2, 3.0f);
  *o++ = tgammaf(4.5f);
  *o++ = lgammaf(10.0f);
  *o++ = erff(0.5f);
}

/* Inverses give back what they were given; sine and cosine of multiples of pi are what they must be. */
__global__ void identities(double *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = (i - 128) / 40.0, p = (i + 0.5) / 256;
  double s, c, s2, c2;
  float fs, fc;
  sincospi(x, &s, &c);
  sincos(PI * x, &s2, &c2);
  sincospif((float)x, &fs, &fc);
  double worst = fmax(fabs(s - s2), fabs(c - c2));
  worst = fmax(worst, 1e-8 * (fabs(fs - s) + fabs(fc - c)));
  worst = fmax(worst, fabs(erf(erfinv(2 * p - 1)) - (2 * p - 1)));
  worst = fmax(worst, fabs(erfc(erfcinv(2 * p)) / (2 * p) - 1));
  worst = fmax(worst, fabs(normcdf(normcdfinv(p)) / p - 1));
  worst = fmax(worst, fabs(erfcx(x) / (exp(x * x) * erfc(x)) - 1));
  int exponent, quotient;
  double whole;
  const double fraction = frexp(x, &exponent), rest = modf(x, &whole),
               remainder = remquo(x, 0.7390851, &quotient);
  worst = fmax(worst, fabs(ldexp(fraction, exponent) - x) + fabs(whole + rest - x));
  worst = fmax(worst, fabs(fma(0.7390851, rint(x / 0.7390851), remainder) - x));
  worst = fmax(
      worst, nextafter(x, 1e9) > x && scalbn(x, 3) == 8 * x && fdim(x, 1.0) == fmax(x - 1, 0.0) ? 0.0 : 1.0);
  out[i] = worst;
}

__global__ void edges(double *out) {
  out[0] = erfinv(1.0) == INFINITY && erfinv(-1.0) == -INFINITY && isnan(erfinv(1.5));
  out[1] = erfcinv(0.0) == INFINITY && erfcinv(2.0) == -INFINITY && isnan(erfcinv(-0.1));
  out[2] = normcdfinv(0.0) == -INFINITY && normcdf(-INFINITY) == 0 && normcdf(INFINITY) == 1;
  out[3] = sinpi(3.0) == 0 && cospi(2.5) == 0 && cospi(3.0) == -1 && isnan(sinpi(INFINITY));
  out[4] = norm3d(1e300, 1e300, 0.0) < 1.42e300 && norm3d(1e-300, 0.0, 1e-300) > 1.41e-300;
  out[5] = erfcx(1e200) > 0 && erfcx(-30.0) == INFINITY && erfinv(0.0) == 0;
  out[6] = max(3, -4) == 3 && min(3u, 4u) == 3u && max(-1, 1u) == 0xffffffffu && min(NAN, 2.0f) == 2.0f;
  out[7] = __saturatef(1.5f) == 1 && __saturatef(-2.0f) == 0 && __saturatef(NAN) == 0;
}

__global__ void fast(float *out) {
  float s, c;
  __sincosf(0.5f, &s, &c);
  out[0] = __sinf(0.5f) - s;
  out[1] = __cosf(0.5f) - c;
  out[2] = __tanf(0.5f) - tanf(0.5f);
  out[3] = __expf(1.0f) - expf(1.0f);
  out[4] = __exp10f(2.0f) - 100.0f;
  out[5] = __logf(3.0f) - logf(3.0f);
  out[6] = __log2f(8.0f) - 3.0f;
  out[7] = __log10f(1000.0f) - 3.0f;
  out[8] = __powf(2.0f, 5.0f) - 32.0f;
  out[9] = __fdividef(1.0f, 3.0f) - 1.0f / 3;
}

int main() {
  double h[256], *d;
  float f[SAMPLES], *d_f;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_f, sizeof f));
  doubles<<<1, 1>>>(d);
  CHECK(cudaMemcpy(h, d, SAMPLES * sizeof *d, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < SAMPLES; i++)
    if (!(fabs(h[i] - samples[i].want) <= 2e-15 * fabs(samples[i].want)))
      expect(samples[i].name, i, 1e9 * h[i], 1e9 * samples[i].want), expect(samples[i].name, i, 1, 0);
  floats<<<1, 1>>>(d_f);
  CHECK(cudaMemcpy(f, d_f, sizeof f, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < SAMPLES; i++) {
    if (!(fabs(f[i] - samples[i].want) <= 3e-6 * fabs(samples[i].want))) /* of a rounded argument, too */
      expect(samples[i].name, i, f[i], samples[i].want), expect(samples[i].name, i, 1, 0);
  }
  identities<<<2, 128>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; i++) expect("within 1e-13", i, h[i] < 1e-13 ? 0 : h[i] + 1, 0);
  edges<<<1, 1>>>(d);
  CHECK(cudaMemcpy(h, d, 8 * sizeof *d, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; i++) expect("edge", i, h[i], 1);
  fast<<<1, 1>>>(d_f);
  CHECK(cudaMemcpy(f, d_f, 10 * sizeof *d_f, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 10; i++) expect("fast", i, fabs(f[i]) < 1e-5 ? 0 : f[i], 0);
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_f));
}

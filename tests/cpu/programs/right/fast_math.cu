/* The fast intrinsics are as coarse as NVIDIA states, and no coarser: the largest errors of the CUDA C++
 * Programming Guide's table, over ranges and at their edges. Outside of its range a sine is worse. */
#include "program.h"
#include <float.h>

#define COUNT 4096

enum { SIN, COS, EXP, EXP10, LOG, LOG2, LOG10, POW, DIVIDE, TAN, SINCOS, FUNCTIONS };
static const char *const name[] = {"__sinf",   "__cosf", "__expf",     "__exp10f", "__logf",   "__log2f",
                                   "__log10f", "__powf", "__fdividef", "__tanf",   "__sincosf"};

__global__ void all(int function, const float *x, float *y, float second) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0, c = 0;
  switch (function) {
  case SIN:
    y[i] = __sinf(x[i]);
    break;
  case COS:
    y[i] = __cosf(x[i]);
    break;
  case EXP:
    y[i] = __expf(x[i]);
    break;
  case EXP10:
    y[i] = __exp10f(x[i]);
    break;
  case LOG:
    y[i] = __logf(x[i]);
    break;
  case LOG2:
    y[i] = __log2f(x[i]);
    break;
  case LOG10:
    y[i] = __log10f(x[i]);
    break;
  case POW:
    y[i] = __powf(x[i], second);
    break;
  case DIVIDE:
    y[i] = __fdividef(second, x[i]);
    break;
  case TAN:
    y[i] = __tanf(x[i]);
    break;
  default:
    __sincosf(x[i], &s, &c);
    y[i] = s * s + c * c;
  }
}

static double right(int function, double x, double second) {
  switch (function) {
  case SIN:
    return sin(x);
  case COS:
    return cos(x);
  case EXP:
    return exp(x);
  case EXP10:
    return pow(10, x);
  case LOG:
    return log(x);
  case LOG2:
    return log2(x);
  case LOG10:
    return log10(x);
  case POW:
    return pow(x, second);
  case DIVIDE:
    return second / x;
  case TAN:
    return tan(x);
  default:
    return 1;
  }
}

static double ulp(double y) { return nextafterf(fabsf((float)y), INFINITY) - fabsf((float)y); }

/* The largest error that NVIDIA states; half an ulp more, since it is counted from the rounded result. */
static double stated(int function, double x, double second) {
  const double y = right(function, x, second), half = 0.5 * ulp(y);
  const int near = x >= 0.5 && x <= 2;
  switch (function) {
  case SIN:
    return exp2(-21.41);
  case COS:
    return exp2(-21.19);
  case EXP:
    return (2 + floor(fabs(1.173 * x))) * ulp(y) + half;
  case EXP10:
    return (2 + floor(fabs(2.97 * x))) * ulp(y) + half;
  case LOG:
    return near ? exp2(-21.41) : 3 * ulp(y) + half;
  case LOG2:
    return near ? exp2(-22) : 2 * ulp(y) + half;
  case LOG10:
    return near ? exp2(-24) + half : 3 * ulp(y) + half;
  case POW: /* as exp2(y * log2(x)), each with its own error, and a product that rounds */
    return y * (log(2.0) * (fabs(second) * (exp2(-22) + 2 * ulp(log2(x))) + ulp(second * log2(x))) + 3e-7);
  case DIVIDE:
    return 2 * ulp(y) + half;
  case TAN:
    return 2e-6 * (1 + y * y);
  default:
    return 2e-6;
  }
}

static float *d_x, *d_y, h_x[COUNT], h_y[COUNT];

static void run(int function, float second) {
  CHECK(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
  all<<<COUNT / 256, 256>>>(function, d_x, d_y, second);
  CHECK(cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost));
}

/* Over the range, evenly. Returns the largest error. */
static double worst(int function, float low, float high, float second, int judge) {
  double largest = 0;
  for (int i = 0; i < COUNT; i++) h_x[i] = low + (high - low) * ((float)i + 0.37f) / COUNT;
  run(function, second);
  for (int i = 0; i < COUNT; i++) {
    const double error = fabs(h_y[i] - right(function, h_x[i], second));
    largest = fmax(largest, error);
    if (judge && !(error <= stated(function, h_x[i], second))) expect(name[function], i, h_y[i], h_x[i]);
  }
  return largest;
}

static float of(int function, float x, float second) {
  for (int i = 0; i < COUNT; i++) h_x[i] = x;
  run(function, second);
  return h_y[COUNT - 1];
}

static void edges(void) {
  expect("sin 0", 0, of(SIN, 0, 0), 0);
  expect("sin inf", 0, isnan(of(SIN, INFINITY, 0)), 1);
  expect("exp -inf", 0, of(EXP, -INFINITY, 0), 0);
  expect("exp 1000", 0, isinf(of(EXP, 1000, 0)), 1);
  expect("log 0", 0, of(LOG, 0, 0) == -INFINITY, 1);
  expect("log -1", 0, isnan(of(LOG, -1, 0)), 1);
  expect("pow 2 5", 0, of(POW, 2, 5), 32);
  expect("6 / 2", 0, of(DIVIDE, 2, 6), 3);
  expect("1 / 2^127", 0, of(DIVIDE, 0x1p127f, 0x1p126f), 0); /* stated: 0 from 2^126 on */
  expect("inf / 2^127", 0, isnan(of(DIVIDE, 0x1p127f, INFINITY)), 1);
}

int main() {
  CHECK(cudaMalloc(&d_x, sizeof h_x));
  CHECK(cudaMalloc(&d_y, sizeof h_y));
  const float pi = 3.14159265f;
  for (int function = SIN; function <= COS; function++)
    expect("coarse", function, worst(function, -pi, pi, 0, 1) > 5e-8, 1);
  worst(SIN, -1e-4f, 1e-4f, 0, 1);
  expect("far", 0, worst(SIN, 900, 1000, 0, 0) > 1e-5, 1);
  expect("far", 1, worst(COS, -1000, -900, 0, 0) > 1e-5, 1);
  for (int function = EXP; function <= EXP10; function++) {
    worst(function, -30, 30, 0, 1);
    worst(function, -1, 1, 0, 1);
  }
  for (int function = LOG; function <= LOG10; function++) {
    worst(function, 0.5f, 2, 0, 1);
    worst(function, 1e-30f, 1e-3f, 0, 1);
    worst(function, 2, 1e30f, 0, 1);
  }
  worst(POW, 0.1f, 10, 3.3f, 1);
  worst(DIVIDE, 0.001f, 1000, 7, 1);
  worst(DIVIDE, -1e30f, -1e20f, 0.3f, 1);
  worst(TAN, -1.5f, 1.5f, 0, 1);
  worst(SINCOS, -pi, pi, 0, 1);
  edges();
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
}

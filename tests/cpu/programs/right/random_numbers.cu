/* The random numbers of cuRAND: first words of both generators for several seeds, sequences and offsets, as
 * the CUDA toolkit 13.0 gives them, and its distributions. */
#include "program.h"
#include <curand_kernel.h>

struct known {
  unsigned long long seed, sequence, offset;
  unsigned words[3];
};
static const known xorwow[] = {
    {0ull, 0ull, 0ull, {3179217846u, 1883133293u, 2220552389u}},
    {0ull, 0ull, 1000000007ull, {330424170u, 2533389430u, 4242920526u}},
    {0ull, 1ull, 6ull, {343192820u, 1002308619u, 2187761229u}},
    {0ull, 2ull, 1ull, {1074664060u, 792354105u, 4133572041u}},
    {0ull, 77ull, 0ull, {1020313117u, 4102051655u, 4035587666u}},
    {0ull, 77ull, 1000000007ull, {1204913504u, 1458260205u, 1735858531u}},
    {0ull, 1099511627776ull, 6ull, {170989278u, 493711022u, 2810261209u}},
    {0ull, 1099511627776ull, 1000000007ull, {482501483u, 1513829859u, 4114119871u}},
    {1234ull, 0ull, 1ull, {1867875844u, 3739671282u, 1954919316u}},
    {1234ull, 1ull, 0ull, {3522650202u, 3978931785u, 2198015705u}},
    {1234ull, 1ull, 1000000007ull, {2016537746u, 747053789u, 371801740u}},
    {1234ull, 2ull, 6ull, {25984073u, 402672861u, 2783215882u}},
    {1234ull, 77ull, 1ull, {3300185444u, 601343354u, 342776314u}},
    {1234ull, 1099511627776ull, 0ull, {3198364302u, 1754633269u, 1170726373u}},
    {1234ull, 1099511627776ull, 1000000007ull, {4011797067u, 1712089296u, 284499164u}},
    {81985529216486895ull, 0ull, 6ull, {2476595936u, 1387829929u, 482560626u}},
    {81985529216486895ull, 1ull, 1ull, {1133891295u, 2789569439u, 1182441770u}},
    {81985529216486895ull, 2ull, 0ull, {326211306u, 3285420210u, 2866616989u}},
    {81985529216486895ull, 2ull, 1000000007ull, {564789771u, 996349635u, 3009792310u}},
    {81985529216486895ull, 77ull, 6ull, {3055132581u, 1537673813u, 413429308u}},
    {81985529216486895ull, 1099511627776ull, 1ull, {1335899547u, 1589513684u, 1633466234u}},
};
static const known philox[] = {
    {0ull, 0ull, 1ull, {3781805453u, 3159862348u, 2600524760u}},
    {0ull, 1ull, 0ull, {2219120097u, 4035800746u, 253345875u}},
    {0ull, 1ull, 1000000007ull, {1754801094u, 1971933721u, 2190486304u}},
    {0ull, 2ull, 6ull, {3631238161u, 1826418115u, 3715354484u}},
    {0ull, 77ull, 1ull, {4264556134u, 3190174555u, 3833185534u}},
    {0ull, 1099511627776ull, 0ull, {2604552105u, 2978944249u, 2725873102u}},
    {0ull, 1099511627776ull, 1000000007ull, {4166255418u, 3035429501u, 3578126971u}},
    {1234ull, 0ull, 6ull, {4196888723u, 343858512u, 1070188760u}},
    {1234ull, 1ull, 1ull, {1392278645u, 3354607383u, 253049307u}},
    {1234ull, 2ull, 0ull, {2336459095u, 3966386679u, 1896250878u}},
    {1234ull, 2ull, 1000000007ull, {2567200173u, 1771920353u, 2749536056u}},
    {1234ull, 77ull, 6ull, {792187149u, 4214814024u, 2094081686u}},
    {1234ull, 1099511627776ull, 1ull, {3066385124u, 4129746221u, 2892293933u}},
    {81985529216486895ull, 0ull, 0ull, {3092259374u, 3314331723u, 346529824u}},
    {81985529216486895ull, 0ull, 1000000007ull, {2550010797u, 380275961u, 4087723972u}},
    {81985529216486895ull, 1ull, 6ull, {2649802149u, 826780507u, 2171975953u}},
    {81985529216486895ull, 2ull, 1ull, {1154464812u, 4049840748u, 154180409u}},
    {81985529216486895ull, 77ull, 0ull, {1756694332u, 3764205943u, 1253653209u}},
    {81985529216486895ull, 77ull, 1000000007ull, {3555874806u, 2296180888u, 3967881010u}},
    {81985529216486895ull, 1099511627776ull, 6ull, {4251088731u, 2292915978u, 1443925325u}},
};
#define XORWOWS  ((int)(sizeof xorwow / sizeof *xorwow))
#define PHILOXES ((int)(sizeof philox / sizeof *philox))

template <class State> __global__ void words(const known *cases, int n, unsigned *out) {
  const int i = threadIdx.x;
  if (i >= n) return;
  State s;
  curand_init(cases[i].seed, cases[i].sequence, cases[i].offset, &s);
  for (int k = 0; k < 3; k++) out[3 * i + k] = curand(&s);
}

template <class State> static void judge_words(const char *generator, const known *cases, int n) {
  known *d_cases;
  unsigned h[3 * 64], *d;
  CHECK(cudaMalloc(&d_cases, n * sizeof *cases));
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d_cases, cases, n * sizeof *cases, cudaMemcpyHostToDevice));
  words<State><<<1, 64>>>(d_cases, n, d);
  CHECK(cudaMemcpy(h, d, 3 * n * sizeof *h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 3 * n; i++) expect(generator, i, (double)h[i] - cases[i / 3].words[i % 3], 0);
  CHECK(cudaFree(d_cases));
  CHECK(cudaFree(d));
}

__global__ void setup(curandState *states, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

__global__ void moments(curandState *states, int n, float *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState s = states[i];
  float mean = 0, square = 0;
  for (int k = 0; k < n; k++) {
    const float x = curand_normal(&s);
    mean += x;
    square += x * x;
  }
  states[i] = s;
  atomicAdd(&sums[0], mean);
  atomicAdd(&sums[1], square);
}

__global__ void distributions(double *out) {
  curandState x;
  curand_init(42, 3, 0, &x);
  double d1 = curand_uniform_double(&x), d0 = curand_uniform_double(&x);
  float f1 = curand_uniform(&x), f0 = curand_uniform(&x);
  *out++ = f0;
  *out++ = f1;
  *out++ = d0;
  *out++ = d1;
  for (int i = 0; i < 3; i++) *out++ = curand_normal(&x);
  const float2 n = curand_normal2(&x);
  *out++ = n.x;
  *out++ = n.y;
  for (int i = 0; i < 3; i++) *out++ = curand_normal_double(&x);
  curandStatePhilox4_32_10_t p;
  curand_init(42, 3, 1, &p);
  d1 = curand_uniform_double(&p), d0 = curand_uniform_double(&p);
  f1 = curand_uniform(&p), f0 = curand_uniform(&p);
  *out++ = f0;
  *out++ = f1;
  *out++ = d0;
  *out++ = d1;
  for (int i = 0; i < 3; i++) *out++ = curand_normal(&p);
  const float2 m = curand_normal2(&p);
  *out++ = m.x;
  *out++ = m.y;
  const float4 u = curand_uniform4(&p), v = curand_normal4(&p);
  *out++ = u.x;
  *out++ = u.w;
  *out++ = v.x;
  *out++ = v.w;
  curandState a, b;
  curand_init(7, 0, 1000, &a);
  curand_init(7, 0, 0, &b);
  for (int i = 0; i < 1000; i++) curand(&b);
  *out++ = curand(&a) == curand(&b);
}
static const double drawn[] = {0.271452248,         0.0794050917,
                               0.5508048550349347,  0.42819776511925883,
                               -1.08967328,         -1.02445269,
                               1.33977962,          0.225822642,
                               -1.96798146,         0.4608381808815234,
                               0.20270869695457458, -0.47850933068077067,
                               0.522108018,         0.598150015,
                               0.72303428361192346, 0.44562593521550298,
                               -1.77399266,         -1.08159339,
                               1.50521863,          -0.0243089814,
                               -0.466479242,        0.619515359,
                               0.888240457,         1.38454533,
                               1.07107246,          1};
#define DRAWN ((int)(sizeof drawn / sizeof *drawn))

int main() {
  judge_words<curandStateXORWOW>("xorwow", xorwow, XORWOWS);
  judge_words<curandStatePhilox4_32_10_t>("philox", philox, PHILOXES);

  double h[DRAWN], *d;
  CHECK(cudaMalloc(&d, sizeof h));
  distributions<<<1, 1>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < DRAWN; i++) expect("drawn", i, h[i], drawn[i]);
  CHECK(cudaFree(d));

  curandState *states;
  float sums[2] = {0, 0}, *d_sums;
  CHECK(cudaMalloc(&states, 128 * sizeof *states));
  CHECK(cudaMalloc(&d_sums, sizeof sums));
  CHECK(cudaMemset(d_sums, 0, sizeof sums));
  setup<<<2, 64>>>(states, 1234);
  moments<<<2, 64>>>(states, 100, d_sums);
  CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  expect("mean within 0.03", 0, fabs(sums[0] / 12800) < 0.03, 1);
  expect("variance within 0.05", 0, fabs(sums[1] / 12800 - 1) < 0.05, 1);
  CHECK(cudaFree(states));
  CHECK(cudaFree(d_sums));
}

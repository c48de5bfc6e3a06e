/* Structures with padding, and bit fields: written field by field, copied as a whole, in global and shared
 * memory. */
#include "program.h"
struct tagged {
  char kind;
  int value;
};
struct odd {
  double d;
  char c;
  short s;
};
struct big {
  char c;
  double a[4];
  char e;
};
struct bits {
  unsigned a : 5, b : 11, c : 16;
};
struct flags {
  unsigned char on : 1, hot : 1, level : 6;
};
__device__ tagged stash[64];
__global__ void fill(tagged *t, odd *o, big *b, bits *f, flags *g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  t[i].kind = (char)(i % 7);
  t[i].value = i;
  o[i].d = i * 0.5;
  o[i].c = (char)(i % 5);
  o[i].s = (short)(i * 3);
  b[i].c = 1;
  for (int k = 0; k < 4; k++) b[i].a[k] = i + k;
  b[i].e = 2;
  bits w;
  w.a = i % 32;
  w.b = i;
  w.c = i * 2;
  f[i] = w;
  flags q;
  q.on = i & 1;
  q.hot = 0;
  q.level = i % 64;
  g[i] = q;
}
__global__ void copy(const tagged *t, const odd *o, const big *b, const bits *f, const flags *g, tagged *t2,
                     odd *o2, big *b2, int *sum, int n) {
  __shared__ tagged st[64];
  __shared__ odd so[64];
  __shared__ big sb[64];
  __shared__ bits sf[64];
  __shared__ flags sg[64];
  const int l = threadIdx.x, i = blockIdx.x * blockDim.x + l;
  if (i < n) {
    st[l].kind = t[i].kind;
    st[l].value = t[i].value;
    so[l] = o[i];
    sb[l].c = b[i].c;
    sb[l].e = b[i].e;
    for (int k = 0; k < 4; k++) sb[l].a[k] = b[i].a[k];
    sf[l] = f[i];
    sg[l] = g[i];
    if (i < 64) stash[i].kind = 3, stash[i].value = i;
  }
  __syncthreads();
  const int o_ = min(64, n - (int)(blockIdx.x * blockDim.x)) - 1 - l;
  if (i < n) {
    t2[i] = st[o_];
    o2[i] = so[o_];
    b2[i] = sb[o_];
    tagged mine = st[l];
    sg[l].level = sg[l].level + 0u;
    sg[l].on ^= 1;
    sf[l].b = sf[l].b;
    sf[l].a += 1;
    sum[i] = mine.value + (int)sf[l].b + sg[l].level;
  }
}
__global__ void look(tagged *t) { t[threadIdx.x] = stash[threadIdx.x]; }
int main() {
  const int n = 100;
  tagged *t, *t2, ht[n];
  odd *o, *o2, ho[n];
  big *b, *b2, hb[n];
  bits *f;
  flags *g;
  int *s, hs[n];
  CHECK(cudaMalloc(&t, n * sizeof *t));
  CHECK(cudaMalloc(&t2, n * sizeof *t));
  CHECK(cudaMalloc(&o, n * sizeof *o));
  CHECK(cudaMalloc(&o2, n * sizeof *o));
  CHECK(cudaMalloc(&b, n * sizeof *b));
  CHECK(cudaMalloc(&b2, n * sizeof *b));
  CHECK(cudaMalloc(&f, n * sizeof *f));
  CHECK(cudaMalloc(&g, n * sizeof *g));
  CHECK(cudaMalloc(&s, n * 4));
  fill<<<2, 64>>>(t, o, b, f, g, n);
  copy<<<2, 64>>>(t, o, b, f, g, t2, o2, b2, s, n);
  CHECK(cudaMemcpy(ht, t2, sizeof ht, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(ho, o2, sizeof ho, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hb, b2, sizeof hb, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hs, s, sizeof hs, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    int m = i < 64 ? 63 - i : 64 + 35 - (i - 64);
    expect("t", i, ht[i].value, m);
    expect("tk", i, ht[i].kind, m % 7);
    expect("o", i, ho[i].s, (short)(m * 3));
    expect("od", i, ho[i].d, m * .5);
    expect("b", i, hb[i].a[3], m + 3);
    expect("s", i, hs[i], i + i % 2048 + i % 64);
  }
  look<<<1, 64>>>(t);
  CHECK(cudaMemcpy(ht, t, 64 * sizeof *t, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) expect("stash", i, ht[i].value, i);
  CHECK(cudaFree(t));
  CHECK(cudaFree(t2));
  CHECK(cudaFree(o));
  CHECK(cudaFree(o2));
  CHECK(cudaFree(b));
  CHECK(cudaFree(b2));
  CHECK(cudaFree(f));
  CHECK(cudaFree(g));
  CHECK(cudaFree(s));
}

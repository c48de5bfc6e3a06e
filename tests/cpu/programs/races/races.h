/*
 * Pairs of kernels, in the manner of DataRaceBench: one with a race or a barrier that not all threads reach,
 * and its twin without. Each is a template whose `fixed` selects the twin. `patterns` lists them; main runs
 * them all and prints a line for each fault that is missed in this order of threads, and for each twin that is
 * accused of anything.
 */
#ifndef RACES_H
#define RACES_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cucc.h"

#define N 1024

typedef void (*kernel)(int *a, int *b);

struct pattern {
  const char *name;
  int blocks, threads;
  kernel racy, fixed;
  const char *tool;
};

// clang-format off
#define PAIR(name, blocks, threads)     {#name, blocks, threads, name<false>, name<true>, "racecheck"}
#define BARRIERS(name, blocks, threads)  {#name, blocks, threads, name<false>, name<true>, "synccheck"}
// clang-format on

/* The findings of one launch, as JSON. */
static char *findings(kernel k, int blocks, int threads) {
  int h[N], *a, *b;
  for (int i = 0; i < N; i++) h[i] = i;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof h);
  cudaDeviceSynchronize();
  cucc_reset();
  k<<<blocks, threads>>>(a, b);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) printf("the kernel ended with %s\n", cudaGetErrorString(error));
  const size_t size = cucc_findings_json(NULL, 0);
  char *json = static_cast<char *>(malloc(size));
  cucc_findings_json(json, size);
  cudaFree(a);
  cudaFree(b);
  return json;
}

static int run_patterns(const pattern *patterns, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const pattern *p = &patterns[i];
    char tool[64], *racy = findings(p->racy, p->blocks, p->threads);
    char *fixed = findings(p->fixed, p->blocks, p->threads);
    snprintf(tool, sizeof tool, "\"tool\":\"%s\",\"severity\":\"error\"", p->tool);
    if (!strstr(racy, tool)) printf("missed: %s\n", p->name);
    if (strcmp(fixed, "[]")) printf("false alarm: %s: %s\n", p->name, fixed);
    free(racy);
    free(fixed);
  }
  printf("pairs: %zu\n", count);
  cucc_reset();
  return 0;
}

#endif

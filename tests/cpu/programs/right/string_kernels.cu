/* Characters: upper case in place, words counted, a byte per thread. */
#include <string.h>

#include "program.h"

__global__ void shout(char *text, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && text[i] >= 'a' && text[i] <= 'z') text[i] -= 'a' - 'A';
}

__global__ void count_words(const char *text, int n, int *words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ')) atomicAdd(words, 1);
}

int main() {
  char h[] = "the quick brown fox jumps over the lazy dog";
  const int n = (int)sizeof h - 1;
  char *text;
  int *words, count;
  CHECK(cudaMalloc(&text, sizeof h));
  CHECK(cudaMalloc(&words, sizeof *words));
  CHECK(cudaMemset(words, 0, sizeof *words));
  CHECK(cudaMemcpy(text, h, sizeof h, cudaMemcpyHostToDevice));
  count_words<<<2, 32>>>(text, n, words);
  shout<<<2, 32>>>(text, n);
  CHECK(cudaMemcpy(h, text, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&count, words, sizeof count, cudaMemcpyDeviceToHost));
  expect("words", 0, count, 9);
  expect("same text", 0, strcmp(h, "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG"), 0);
  CHECK(cudaFree(text));
  CHECK(cudaFree(words));
}

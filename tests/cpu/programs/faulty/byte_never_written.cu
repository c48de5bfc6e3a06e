// expect: initcheck: count_words
// says: reads; never written
/* The copy leaves out a string's last byte, its end; the three before it in the same word are there. */
#include "program.h"

__global__ void count_words(const char *text, int length, int *words) {
  int n = 0;
  for (int i = 0; i < length; i++) n += text[i] > ' ' && (i == 0 || text[i - 1] == ' '); // <- at
  *words = n;
}

int main() {
  const char text[] = "to be or not to";
#ifdef FIXED
  const size_t bytes = sizeof text;
#else
  const size_t bytes = sizeof text - 1;
#endif
  char *d;
  int *words;
  CHECK(cudaMalloc(&d, sizeof text));
  CHECK(cudaMalloc(&words, sizeof *words));
  CHECK(cudaMemset(words, 0, sizeof *words));
  CHECK(cudaMemcpy(d, text, bytes, cudaMemcpyHostToDevice));
  count_words<<<1, 1>>>(d, sizeof text, words);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
  CHECK(cudaFree(words));
}

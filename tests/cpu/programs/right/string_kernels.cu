/*
 * Characters: upper case in place, words counted, a byte per thread; and functions of the C library, which
 * read no further than they must.
 */
#include <errno.h>
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

/* 7e5, without an end: no integer goes beyond the letter, and no text beyond its precision. */
__global__ void read_parts(char *text, long *numbers) {
  char line[16];
  text[0] = '7', text[1] = 'e', text[2] = '5';
  numbers[0] = atoi(text) + atol(text) + strtol(text, nullptr, 10);
  numbers[1] = snprintf(line, sizeof line, "<%.*s%.0s>", 0, text + 3, text + 3);
  numbers[2] = snprintf(line, sizeof line, "%.3s%4.1f%-3.*s", text, 2.5, 2, text + 1);
  numbers[3] = snprintf(line, sizeof line, "%2$.*1$s%%%2$.1s", 3, text);
}

static void try_parts() {
  char *text, *end, number[8] = "7e999";
  long *numbers, h[4];
  CHECK(cudaMalloc(&text, 3));
  CHECK(cudaMalloc(&numbers, sizeof h));
  read_parts<<<1, 1>>>(text, numbers);
  CHECK(cudaMemcpy(h, numbers, sizeof h, cudaMemcpyDeviceToHost));
  expect("numbers", 0, (double)h[0], 21);
  expect("length", 0, (double)h[1], 2);
  expect("length", 0, (double)h[2], 10);
  expect("length", 0, (double)h[3], 5);
  errno = 0;
  expect("strtol", 0, (double)strtol(number, &end, 10), 7);
  expect("atoi", 0, atoi(number), 7);
  expect("errno", 0, errno, 0);
  expect("end", 0, (double)(end - number), 1);
  expect("atof", 0, atof("7e2"), 700);
  expect("strtod", 0, strtod("7e2f", &end), 700);
  expect("letter after it", 0, *end, 'f');
  CHECK(cudaFree(text));
  CHECK(cudaFree(numbers));
}

int main() {
  try_parts();
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

// Which call failed, where and why, as a harness asks for it: cucc_failed_with.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cucc.h>

__global__ void add_one(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

static cucc_origin found;

static bool has(const char *text, const char *part) {
  if (strstr(text, part)) return true;
  fprintf(stderr, "\"%s\" is not in: %s\n", part, text);
  return false;
}

// Asks for the error, and forgets it.
static bool says(int error, const char *call, const char *reason) {
  const bool known = cucc_failed_with(error, &found) != 0;
  cucc_forget_failures();
  return known && has(found.call, call) && has(found.reason, reason);
}

static cudaError_t copy_back(float *host, float *device) {
  return cudaMemcpy(device, host, 400, cudaMemcpyDeviceToHost); // line 25
}

static void calls_are_named() {
  float *device, host[100];
  assert(!cudaMalloc(&device, sizeof host));
  assert(says(copy_back(host, device), "cudaMemcpy at failed.cu:25", "contradicts the pointers"));
  assert(says(cudaMalloc(&device, (size_t)-4), "cudaMalloc at failed.cu:", "of -4 bytes"));
  assert(
      says(cudaMalloc(&device, (size_t)1 << 60), "cudaMalloc", "1152921504606846976 bytes; the device has"));
  assert(!cudaHostRegister(host, sizeof host, 0));
  assert(says(cudaHostRegister(host, sizeof host, 0), "cudaHostRegister", "registered already"));
  assert(!cudaHostUnregister(host));
  assert(says(cudaHostUnregister(host), "cudaHostUnregister", "no registered memory"));
  assert(says(cudaFree(host), "cudaFree at failed.cu:", "not returned by a CUDA allocation"));
  cudaDeviceSynchronize(); // the next one refuses its argument before it is entered
  assert(says(cudaGetDevice(NULL), "cudaGetDevice at failed.cu:", ""));
}

static void launches_are_named() {
  add_one<<<0, 256>>>(NULL);
  assert(says(cudaGetLastError(), "the launch of add_one<<<(0,1,1), (256,1,1)>>> at failed.cu:45",
              "rounded up"));
  add_one<<<1, 2048>>>(NULL);
  assert(says(cudaGetLastError(), "(2048,1,1)>>>", "one block cannot do all elements"));
  add_one<<<256, 2048>>>(NULL);
  assert(says(cudaGetLastError(), "(2048,1,1)>>>", "are they exchanged?"));
  add_one<<<dim3(1, 65536), 32>>>(NULL);
  assert(says(cudaGetLastError(), "(1,65536,1)", "only x may have more than 65535"));
}

static void of_several_the_one_in_question_counts() {
  float *device;
  cudaHostUnregister(&found);
  assert(!cucc_failed_with(cudaErrorInvalidValue, &found)); // no call failed with this one
  assert(cudaMalloc(NULL, 4) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
  add_one<<<0, 1>>>(NULL); // nothing has asked for this error
  cudaFree(&found);
  assert(says(cudaErrorInvalidValue, "the launch of add_one", "rounded up"));
  assert(!cudaMalloc(&device, 400));
  assert(!cucc_failed_with(cudaErrorInvalidValue, &found)); // forgotten
}

static void a_fault_is_its_kernel_s() {
  float *device, host[100];
  assert(!cudaMalloc(&device, sizeof host));
  add_one<<<1, 128>>>(device); // line 71
  const cudaError_t error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  assert(cudaDeviceSynchronize() == error);
  assert(says(error, "kernel add_one<<<(1,1,1), (128,1,1)>>>, launched at failed.cu:71",
              "failed.cu:7: thread (100,0,0) of block (0,0,0) reads 4 bytes, immediately past the end"));
}

int main() {
  cucc_forget_failures();
  calls_are_named();
  launches_are_named();
  of_several_the_one_in_question_counts();
  a_fault_is_its_kernel_s();
  printf("named\n");
}

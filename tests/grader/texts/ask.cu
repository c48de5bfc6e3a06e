// flags: -lnvrtc -lcuda
/*
 * Compiles texts through another process, as a worker of the harness does.
 *
 *     ask [--most N] FILE...   what NVRTC says of each, and the value that its kernel `value` gives, if it has
 *                              one; no more than N different texts are compiled
 *     ask --garbage            writes to the socket by hand
 *     ask --fill N             N texts of a megabyte, of which none is compiled; prints the megabytes that the
 *                              other process has used
 */
#include <cucc.h>
#include <cuda.h>
#include <nvrtc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static std::string read_file(const char *path) {
  std::string text;
  FILE *file = fopen(path, "r");
  for (int c; file && (c = getc(file)) != EOF;) text += static_cast<char>(c);
  if (file) fclose(file);
  return text;
}

static void show_value(nvrtcProgram program) {
  size_t size;
  CUmodule module;
  CUfunction kernel;
  int *d_value, h_value = 0;
  if (nvrtcGetPTXSize(program, &size)) return;
  std::string ptx(size, 0);
  nvrtcGetPTX(program, &ptx[0]);
  cudaMalloc(&d_value, sizeof *d_value);
  cuModuleLoadData(&module, ptx.data());
  void *arguments[] = {&d_value};
  if (cuModuleGetFunction(&kernel, module, "value") == CUDA_SUCCESS) {
    cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
    cudaMemcpy(&h_value, d_value, sizeof h_value, cudaMemcpyDeviceToHost);
    printf("value %d\n", h_value);
  }
  cuModuleUnload(module);
  cudaFree(d_value);
}

static void compile(const char *path) {
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  nvrtcProgram program;
  size_t size;
  nvrtcCreateProgram(&program, read_file(path).c_str(), name, 0, nullptr, nullptr);
  const char *macro = "-DHIDDEN=asm";
  const nvrtcResult result = nvrtcCompileProgram(program, strstr(name, "option") ? 1 : 0, &macro);
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, 0);
  nvrtcGetProgramLog(program, &log[0]);
  printf("== %s %s\n%s\n", name, nvrtcGetErrorString(result), log.c_str());
  if (result == NVRTC_SUCCESS) show_value(program);
  nvrtcDestroyProgram(&program);
}

static void compile_large(int number) {
  nvrtcProgram program;
  const std::string text = std::to_string(number) + std::string(1000000, ' ');
  nvrtcCreateProgram(&program, text.c_str(), "large.cu", 0, nullptr, nullptr);
  nvrtcCompileProgram(program, 0, nullptr);
  nvrtcDestroyProgram(&program);
}

/* A request as nvrtc.c makes it, of one field that claims to be long. */
static void write_garbage(int socket, int kind) {
  const uint64_t much = UINT64_MAX, field[2] = {16, UINT64_MAX}, promised = 100;
  if (kind == 0) write(socket, &much, sizeof much);
  if (kind == 1) write(socket, &promised, sizeof promised);
  if (kind == 2) write(socket, field, sizeof field), write(socket, field, 8);
  shutdown(socket, SHUT_WR);
}

static int most = 100;

static int serve(int socket) {
  const cucc_compile_limits limits = {4, most, getenv("WB_LOOK")}; // 2 s are few on a busy machine
  return cucc_compile_serve(socket, &limits);
}

static void serve_garbage() {
  int ends[2];
  for (int kind = 0; kind < 3; kind++) {
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    write_garbage(ends[1], kind);
    printf("%d\n", serve(ends[0]));
  }
}

static void ask(int count, char **files, int large) {
  for (int i = 0; i < count; i++) compile(files[i]);
  for (int i = 0; i < large; i++) compile_large(i);
}

int main(int argc, char **argv) {
  const bool has_option = argc > 1 && argv[1][0] == '-', fill = has_option && !strcmp(argv[1], "--fill");
  const int first = has_option ? 3 : 1;
  int ends[2];
  if (has_option && !strcmp(argv[1], "--garbage")) return serve_garbage(), 0;
  if (has_option) most = fill ? 0 : atoi(argv[2]);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    cucc_compile_through(ends[1]);
    ask(argc - first, argv + first, fill ? atoi(argv[2]) : 0);
    fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  char byte;
  while (recv(ends[0], &byte, 1, MSG_PEEK) == 1 && serve(ends[0]) == 0) continue;
  int status;
  waitpid(child, &status, 0);
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  if (fill) printf("%ld\n", used.ru_maxrss / 1024);
  return status != 0;
}

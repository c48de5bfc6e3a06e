// flags: -lnvrtc -lcuda
/* Compiles the files that are its arguments through another process, as a worker of the harness does, and prints
 * what NVRTC says of each. With --garbage it writes to the socket by hand instead. */
#include <cucc.h>
#include <nvrtc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
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

static int serve(int socket) {
  const cucc_compile_limits limits = {4, 100, getenv("WB_LOOK")}; // 2 s are few on a busy machine
  return cucc_compile_serve(socket, &limits);
}

int main(int argc, char **argv) {
  const bool garbage = argc == 2 && !strcmp(argv[1], "--garbage");
  int ends[2];
  for (int kind = 0; garbage && kind < 3; kind++) {
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    write_garbage(ends[1], kind);
    printf("%d\n", serve(ends[0]));
  }
  if (garbage) return 0;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    cucc_compile_through(ends[1]);
    for (int i = 1; i < argc; i++) compile(argv[i]);
    fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  char byte;
  while (recv(ends[0], &byte, 1, MSG_PEEK) == 1 && serve(ends[0]) == 0) continue;
  int status;
  waitpid(child, &status, 0);
  return status != 0;
}

/*
 * supervisor.c: runs one untrusted command under limits. When the command passes a limit, the supervisor ends
 * it and all that it started. Used by grader/check (sandbox.bash).
 *
 *   supervisor --report FILE [--seconds N] [--cpu N] [--memory MIB] [--tasks N] [--file MIB] [--files N]
 *              [--folder DIR --disk MIB] [--output MIB] [--names N] COMMAND...
 *   supervisor --kill-tree PID...
 *
 * The kernel limits what it can for one process (processor time, size of a file, open files). The supervisor
 * measures memory and the number of threads over the whole process tree: RLIMIT_AS forbids the address space
 * that CUDA and the CPU backend's shadow memory reserve, and RLIMIT_NPROC counts all processes of a user.
 * Output is passed on up to its limit. The reason goes to FILE, one sentence: "it used more than 512 MiB of
 * memory". Exit status: the command's, 128 + its signal, or 124.
 *
 * --kill-tree ends the processes and all that they started: SIGTERM, two seconds later SIGKILL (process.bash).
 */
#include "base/process_tree.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB (1024LL * 1024)

typedef struct limits {
  const char *report, *folder;
  long long seconds, cpu, memory, tasks, file, files, disk, names, output;
} limits;

static volatile sig_atomic_t asked_to_end;
static char reason[256];

static void ask_to_end(int signal) { asked_to_end = signal; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Memory ---- */

/* Memory that belongs to the process alone. Pages that it shares with its parent since fork count twice,
 * files don't count. */
static long long own_memory(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  FILE *in = fopen(path, "re");
  if (!in) return 0;
  long long size, resident = 0, shared = 0;
  if (fscanf(in, "%lld %lld %lld", &size, &resident, &shared) != 3) resident = shared = 0;
  fclose(in);
  return (resident - shared) * sysconf(_SC_PAGESIZE);
}

static long long memory_of(const wb_process_tree *tree) {
  long long bytes = 0;
  for (int i = 0; i < tree->count; i++) bytes += own_memory(tree->pid[i]);
  return bytes;
}

/* ---- The folder ---- */

static long long folder_bytes, folder_names;

static int add_file(const char *path, const struct stat *file, int type, struct FTW *place) {
  (void)path, (void)type, (void)place;
  folder_bytes += file->st_blocks * 512LL;
  folder_names++;
  return 0;
}

/* ---- Limits ---- */

static bool stop(const char *format, long long n) {
  if (!reason[0]) snprintf(reason, sizeof reason, format, n);
  return false;
}

/* Whether the process tree keeps to its limits. */
static bool keeps_to(const limits *most, wb_process_tree *tree, double since, int turn) {
  if (most->seconds && now() - since > (double)most->seconds)
    return stop("it did not end within %lld seconds", most->seconds);
  wb_process_tree_list(tree);
  if (most->tasks && tree->threads > most->tasks)
    return stop("it started more than %lld processes and threads", most->tasks);
  if (most->memory && memory_of(tree) > most->memory * MIB)
    return stop("it used more than %lld MiB of memory", most->memory);
  if (!most->folder || turn % 8) return true;
  folder_bytes = folder_names = 0;
  nftw(most->folder, add_file, 16, FTW_PHYS);
  if (most->disk && folder_bytes > most->disk * MIB)
    return stop("it filled more than %lld MiB of disk", most->disk);
  if (most->names && folder_names > most->names) return stop("it made more than %lld files", most->names);
  return true;
}

static void limit(int what, long long value, long long scale) {
  const struct rlimit both = {(rlim_t)(value * scale), (rlim_t)(value * scale) + 1};
  if (value) setrlimit(what, &both);
}

static void run_command(const limits *most, int output, char **command) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  for (int fd = 3; fd < 1024; fd++) close(fd);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit(RLIMIT_CPU, most->cpu, 1);
  limit(RLIMIT_FSIZE, most->file, MIB);
  limit(RLIMIT_NOFILE, most->files, 1);
  execvp(command[0], command);
  dprintf(STDERR_FILENO, "supervisor: cannot run %s: %s\n", command[0], strerror(errno));
  _exit(127);
}

/* ---- Output ---- */

/* Passes on what was printed, up to its limit. Sixteen times as much is a flood, and ends the command. */
static bool pass_on(int from, long long most, long long *seen) {
  char buffer[65536];
  for (int turn = 0; turn < 16; turn++) {
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got <= 0) return true;
    const long long room = most ? most * MIB - *seen : got;
    *seen += got;
    if (room > 0 && write(STDOUT_FILENO, buffer, (size_t)(got < room ? got : room)) < 0) return true;
    if (room >= 0 && room < got) dprintf(STDOUT_FILENO, "\n… (more than %lld MiB was printed)\n", most);
    if (most && *seen > 16 * most * MIB) return stop("it printed more than %lld MiB", 16 * most);
  }
  return true;
}

static int watch(const limits *most, pid_t child, int output) {
  static wb_process_tree tree;
  const double since = now();
  long long seen = 0;
  int status = 0, turn = 0;
  double look = 0;
  for (;;) {
    struct pollfd file = {output, POLLIN, 0};
    poll(&file, 1, turn < 20 ? 10 : 50);
    bool good = pass_on(output, most->output, &seen) && !asked_to_end;
    /* A process that forks in a loop has many children within a tenth of a second: so look often at first. */
    if (good && now() >= look) {
      good = keeps_to(most, &tree, since, turn++);
      look = now() + (turn < 20 ? 0.01 : 0.05);
    }
    if (!good) break;
    if (waitpid(child, &status, WNOHANG) == child) {
      wb_process_tree_kill_all(10); /* processes that outlived the command */
      pass_on(output, most->output, &seen);
      if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        stop("it used more than %lld seconds of processor time", most->cpu);
      if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
        stop("it wrote a file of more than %lld MiB", most->file);
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (file.revents & POLLHUP) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  wb_process_tree_kill_all(10);
  pass_on(output, most->output, &seen);
  return asked_to_end ? 128 + asked_to_end : 124;
}

static void parse(int argc, char **argv, limits *most) {
  static const struct option names[] = {{"report", 1, 0, 'r'}, {"folder", 1, 0, 'F'}, {"seconds", 1, 0, 's'},
                                        {"cpu", 1, 0, 'c'},    {"memory", 1, 0, 'm'}, {"tasks", 1, 0, 't'},
                                        {"file", 1, 0, 'f'},   {"files", 1, 0, 'n'},  {"disk", 1, 0, 'd'},
                                        {"names", 1, 0, 'N'},  {"output", 1, 0, 'o'}, {0}};
  for (int option; (option = getopt_long(argc, argv, "+", names, NULL)) != -1;) {
    const long long n = optarg ? atoll(optarg) : 0;
    switch (option) {
    case 'r':
      most->report = optarg;
      break;
    case 'F':
      most->folder = optarg;
      break;
    case 's':
      most->seconds = n;
      break;
    case 'c':
      most->cpu = n;
      break;
    case 'm':
      most->memory = n;
      break;
    case 't':
      most->tasks = n;
      break;
    case 'f':
      most->file = n;
      break;
    case 'n':
      most->files = n;
      break;
    case 'd':
      most->disk = n;
      break;
    case 'N':
      most->names = n;
      break;
    case 'o':
      most->output = n;
      break;
    default:
      exit(2);
    }
  }
}

static int kill_trees(int count, char **ids) {
  pid_t *root = calloc((size_t)count + 1, sizeof *root);
  int valid = 0;
  for (int i = 0; root && i < count; i++)
    if (atoi(ids[i]) > 1) root[valid++] = atoi(ids[i]);
  if (valid) wb_process_tree_terminate(root, valid, 2);
  free(root);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--kill-tree") == 0) return kill_trees(argc - 2, argv + 2);
  limits most = {0};
  int pipes[2];
  parse(argc, argv, &most);
  if (!most.report || optind == argc) {
    fprintf(stderr, "supervisor: needs --report FILE and a command\n");
    return 2;
  }
  struct sigaction action = {.sa_handler = ask_to_end};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  wb_process_tree_setup();
  if (pipe2(pipes, O_CLOEXEC) != 0) return 3;
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  const pid_t child = fork();
  if (child < 0) return 3;
  if (child == 0) run_command(&most, pipes[1], argv + optind);
  close(pipes[1]);
  const int status = watch(&most, child, pipes[0]);
  FILE *report = reason[0] ? fopen(most.report, "w") : NULL;
  if (report) fprintf(report, "%s\n", reason), fclose(report);
  return status;
}

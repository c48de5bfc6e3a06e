/* worker/worker.c: see worker/worker.h. */
#include "worker/worker.h"
#include "base/clock.h"
#include "base/process_tree.h"
#include "base/starved.h"
#include "model/random.h"
#include "worker/faults.h"
#include "worker/sandbox.h"
#include "worker/seats.h"
#include "worker/serve.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_LIMITS 5 /* of wall time, however busy the machine is */

volatile sig_atomic_t wb_interrupted;

static void interrupt(int signal) { wb_interrupted = signal; }

void wb_worker_setup(void) {
  struct sigaction action = {.sa_handler = interrupt}; /* without SA_RESTART, so poll returns at once */
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  wb_process_tree_setup();
  wb_sandbox_protect_parent();
}

double wb_worker_limit(void) {
  const char *text = getenv("WB_TIME_LIMIT");
  const double limit = text ? strtod(text, NULL) : 0;
  return limit > 0 ? limit : wb_device_time_limit();
}

/* ---- The child ---- */

/* Gives the child an empty standard input, sends both outputs to the pipe, and moves the sockets to large
 * numbers. */
static int settle(int socket, int output, int compile) {
  const int keep = fcntl(socket, F_DUPFD_CLOEXEC, 200);
  const int asks = compile < 0 ? -1 : fcntl(compile, F_DUPFD_CLOEXEC, 201);
  const int seat = wb_seats_keep(202);
  const int nowhere = open("/dev/null", O_RDONLY);
  dup2(nowhere, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  const long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < (most > 0 && most < 4096 ? most : 4096); fd++)
    if (fd != keep && fd != asks && fd != seat) close(fd);
  if (asks >= 0) wb_device_compile_through(asks);
  return keep;
}

static void child(const wb_task *task, wb_arena *arena, wb_channel *channel, int socket, int output,
                  int compile, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  const int keep = settle(socket, output, compile);
  wb_forget_stack();
  wb_sandbox_drop_privileges();
  wb_faults_watch(arena->shared ? arena : NULL, channel);
  setvbuf(stdout, NULL, _IOLBF, 0); /* output printed before a crash is kept */
  wb_server server = {.task = task, .arena = arena, .channel = channel, .sandboxed = true};
  wb_serve_loop(&server, keep);
}

/* ---- The parent ---- */

bool wb_worker_start(wb_worker *worker, const wb_task *task, wb_arena *arena, double limit_s) {
  *worker = (wb_worker){.socket = -1, .output = -1, .compile = -1, .limit_s = limit_s};
  int sockets[2] = {-1, -1}, pipes[2] = {-1, -1}, compile[2] = {-1, -1};
  void *memory = mmap(NULL, sizeof(wb_channel), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  worker->channel = memory;
  bool made =
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0 && pipe2(pipes, O_CLOEXEC) == 0;
  if (made && wb_device_compiles() && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, compile) != 0)
    compile[0] = compile[1] = -1;
  fflush(NULL); /* otherwise the child would flush the same buffer again */
  const pid_t parent = getpid();
  const pid_t pid = made ? fork() : -1;
  if (pid == 0) child(task, arena, worker->channel, sockets[1], pipes[1], compile[1], parent);
  if (made) {
    close(sockets[1]);
    close(pipes[1]);
  }
  if (compile[1] >= 0) close(compile[1]);
  if (pid < 0) {
    if (compile[0] >= 0) close(compile[0]);
    if (sockets[0] >= 0) close(sockets[0]);
    if (pipes[0] >= 0) close(pipes[0]);
    return false;
  }
  setpgid(pid, pid); /* parent and child both call setpgid; whichever runs first wins */
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  worker->pid = pid;
  worker->socket = sockets[0];
  worker->output = pipes[0];
  worker->compile = compile[0];
  return true;
}

static void read_output(wb_worker *worker) {
  char buffer[16384];
  ssize_t got;
  while (worker->output >= 0 && (got = read(worker->output, buffer, sizeof buffer)) > 0) {
    const size_t room = WB_OUTPUT_BYTES - worker->printed.size;
    const size_t take = (size_t)got < room ? (size_t)got : room;
    wb_text_add_bytes(&worker->printed, buffer, take);
    if ((size_t)got > room) worker->printed_more = true;
    if (worker->printed_more && (size_t)got == sizeof buffer) break; /* it may print endlessly */
  }
}

static void end(wb_worker *worker, bool reaped) {
  if (worker->pid == 0) return;
  wb_process_tree_kill(worker->pid, reaped ? NULL : &worker->status);
  worker->pid = 0;
  worker->frozen = false;
  read_output(worker);
  close(worker->socket);
  close(worker->output);
  if (worker->compile >= 0) close(worker->compile);
  worker->socket = worker->output = worker->compile = -1;
}

/* The socket was closed. Waits briefly for the process to exit, to find out how it ended. */
static wb_outcome gone(wb_worker *worker) {
  for (int wait = 0; wait < 200; wait++) {
    read_output(worker);
    const pid_t ended = waitpid(worker->pid, &worker->status, WNOHANG);
    const bool reaped = ended < 0 && errno == ECHILD; /* when another worker ended, and all with it */
    if (reaped) worker->status = SIGKILL;
    if (ended == worker->pid || reaped) {
      end(worker, true);
      return WB_DIED;
    }
    poll(NULL, 0, 10);
  }
  end(worker, false);
  return WB_NONSENSE;
}

/*
 * When a request ends that has begun at `start`. Time in which the worker was ready to run, but had no
 * processor, does not count: right code on a busy machine is not too slow. It is measured from half of the
 * limit on, so that short calls cost nothing. A worker that sleeps, or waits for itself, gets no more time.
 */
typedef struct deadline {
  double start_ms, limit_ms, starved_ms; /* starved_ms: when half of the limit had passed; -1: not yet */
} deadline;

static bool is_over(deadline *d, const wb_worker *worker) {
  const double passed = wb_now_ms() - d->start_ms;
  if (d->starved_ms < 0 && passed > d->limit_ms / 2) d->starved_ms = wb_starved_ms(worker->pid);
  if (passed <= d->limit_ms) return false;
  return passed > MOST_LIMITS * d->limit_ms ||
         passed - (wb_starved_ms(worker->pid) - d->starved_ms) > d->limit_ms;
}

/* Compiles what the worker asks for; the time is no part of its limit. */
static void serve_compile(wb_worker *worker, deadline *until) {
  const double start = wb_now_ms();
  if (wb_device_compile_serve(worker->compile) != 0) {
    close(worker->compile);
    worker->compile = -1;
  }
  until->start_ms += wb_now_ms() - start;
}

static wb_outcome wait_reply(wb_worker *worker, uint64_t number, wb_reply *reply, deadline until) {
  for (;;) {
    struct pollfd files[] = {
        {worker->socket, POLLIN, 0}, {worker->output, POLLIN, 0}, {worker->compile, POLLIN, 0}};
    const double left = until.start_ms + until.limit_ms / 2 - wb_now_ms();
    const int ready = wb_interrupted ? 0 : poll(files, 3, left > 0 && left < 20 ? (int)left + 1 : 20);
    read_output(worker);
    if (wb_interrupted) {
      end(worker, false);
      return WB_INTERRUPTED;
    }
    if (ready > 0 && files[0].revents) {
      const ssize_t got = recv(worker->socket, reply, sizeof *reply, MSG_DONTWAIT);
      if (got == (ssize_t)sizeof *reply && reply->number == number) return WB_ANSWERED;
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return gone(worker);
      if (got > 0) {
        end(worker, false);
        return WB_NONSENSE;
      }
    }
    if (ready > 0 && files[2].revents) serve_compile(worker, &until);
    /* Its children may hold the socket open after it has ended. */
    if (ready == 0 && waitpid(worker->pid, &worker->status, WNOHANG) == worker->pid) {
      end(worker, true);
      return WB_DIED;
    }
    if (is_over(&until, worker)) {
      end(worker, false);
      return WB_TOO_SLOW;
    }
  }
}

void wb_worker_freeze(wb_worker *worker) {
  if (worker->pid == 0 || worker->frozen) return;
  kill(worker->pid, SIGSTOP);
  worker->frozen = true;
  siginfo_t state;
  const double deadline = wb_now_ms() + 1000; /* under a debugger it may never stop */
  do {
    state.si_pid = 0;
    if (waitid(P_PID, (id_t)worker->pid, &state, WSTOPPED | WEXITED | WNOWAIT | WNOHANG) != 0 || state.si_pid)
      return;
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  } while (wb_now_ms() < deadline);
}

static void thaw(wb_worker *worker) {
  if (worker->frozen) kill(worker->pid, SIGCONT);
  worker->frozen = false;
}

/* Whether the worker sent a message without a request. */
static bool speaks_unasked(const wb_worker *worker) {
  char byte;
  return recv(worker->socket, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0;
}

wb_outcome wb_worker_send(wb_worker *worker, wb_request *request) {
  if (worker->pid == 0) return WB_DIED;
  if (speaks_unasked(worker)) {
    end(worker, false);
    return WB_NONSENSE;
  }
  request->number = wb_random_seed();
  thaw(worker);
  worker->asked_ms = wb_now_ms();
  const bool sent = send(worker->socket, request, sizeof *request, MSG_NOSIGNAL) == (ssize_t)sizeof *request;
  return sent ? WB_ANSWERED : gone(worker);
}

wb_outcome wb_worker_receive(wb_worker *worker, const wb_request *request, wb_reply *reply, double *seen_ms) {
  *reply = (wb_reply){0};
  if (worker->pid == 0) return WB_DIED;
  const deadline until = {worker->asked_ms, 1e3 * worker->limit_s, -1};
  const wb_outcome outcome = wait_reply(worker, request->number, reply, until);
  if (seen_ms) *seen_ms = wb_now_ms() - worker->asked_ms;
  wb_text_tidy(reply->name, sizeof reply->name);
  wb_text_tidy(reply->text, sizeof reply->text);
  wb_text_tidy(reply->origin.call, sizeof reply->origin.call);
  wb_text_tidy(reply->origin.place, sizeof reply->origin.place);
  wb_text_tidy(reply->origin.reason, sizeof reply->origin.reason);
  wb_text_tidy(reply->not_as_asked, sizeof reply->not_as_asked);
  return outcome;
}

wb_outcome wb_worker_ask(wb_worker *worker, wb_request *request, wb_reply *reply, double *seen_ms) {
  const wb_outcome outcome = wb_worker_send(worker, request);
  if (outcome == WB_ANSWERED) return wb_worker_receive(worker, request, reply, seen_ms);
  *reply = (wb_reply){0};
  return outcome;
}

wb_outcome wb_worker_stop(wb_worker *worker) {
  if (worker->pid == 0) return WB_DIED;
  wb_request request = {.verb = WB_DO_QUIT};
  wb_reply reply;
  const double limit = worker->limit_s;
  if (worker->limit_s > 5) worker->limit_s = 5;
  wb_outcome outcome = wb_worker_ask(worker, &request, &reply, NULL);
  worker->limit_s = limit;
  if (outcome == WB_ANSWERED && speaks_unasked(worker)) outcome = WB_NONSENSE;
  end(worker, false);
  return outcome;
}

void wb_worker_free(wb_worker *worker) {
  wb_text_free(&worker->printed);
  if (worker->channel) munmap(worker->channel, sizeof(wb_channel));
  worker->channel = NULL;
}

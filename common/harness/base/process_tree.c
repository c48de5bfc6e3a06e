/* base/process_tree.c: see base/process_tree.h. */
#include "base/process_tree.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 256

static pid_t
    elder[MOST]; /* children from before the first worker: of a shell that became this program by exec */
static int elders;

/* The direct children of this process; returns how many (at most MOST). */
static int children(pid_t list[MOST]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *in = fopen(path, "r");
  if (!in) return 0;
  int count = 0, pid;
  while (count < MOST && fscanf(in, "%d", &pid) == 1) list[count++] = pid;
  fclose(in);
  return count;
}

void wb_process_tree_setup(void) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  elders = children(elder);
}

static pid_t spared;

void wb_process_tree_spare(pid_t pid) { spared = pid; }

static int is_elder(pid_t pid) {
  if (pid == spared) return 1;
  for (int i = 0; i < elders; i++)
    if (elder[i] == pid) return 1;
  return 0;
}

void wb_process_tree_kill(pid_t pid, int *status) {
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
  const struct timespec millisecond = {.tv_nsec = 1000000};
  int ignored;
  /* A process that hangs in a driver can't be killed: after ten seconds it is left behind. */
  for (int round = 0; status && round < 10000 && waitpid(pid, status, WNOHANG) == 0; round++)
    nanosleep(&millisecond, NULL);
  /* Killing one process hands its children on to this one: until none is left, or a second has passed. */
  for (int round = 0; round < 1000; round++) {
    pid_t list[MOST];
    const int count = children(list);
    int left = 0;
    for (int i = 0; i < count; i++) {
      if (is_elder(list[i])) continue;
      left++;
      kill(list[i], SIGKILL);
      waitpid(list[i], &ignored, WNOHANG);
    }
    if (left == 0) break;
    nanosleep(&millisecond, NULL);
  }
}

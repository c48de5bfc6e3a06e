/* base/process_tree.c: see base/process_tree.h. */
#include "base/process_tree.h"
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_EARLIER 256

/* Children inherited across exec, from a shell that became this program. */
static pid_t earlier[MOST_EARLIER];
static int earlier_count;
static pid_t spared_child;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_ms(int ms) { nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL); }

static bool is_spared(pid_t pid) {
  if (pid == spared_child) return true;
  for (int i = 0; i < earlier_count; i++)
    if (earlier[i] == pid) return true;
  return false;
}

/* ---- Listing ---- */

/* Adds the children of one thread. */
static void add_children_of_thread(wb_process_tree *tree, pid_t pid, const char *thread) {
  char path[96];
  snprintf(path, sizeof path, "/proc/%d/task/%.16s/children", (int)pid, thread);
  FILE *in = fopen(path, "re");
  if (!in) return;
  int child;
  while (tree->count < WB_PROCESS_TREE_MOST && fscanf(in, "%d", &child) == 1)
    if (!is_spared(child)) tree->pid[tree->count++] = child;
  fclose(in);
}

/* Adds the children of a process. Returns how many threads it has. */
static int add_children(wb_process_tree *tree, pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  DIR *threads = opendir(path);
  if (!threads) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(threads));) {
    if (entry->d_name[0] == '.') continue;
    count++;
    add_children_of_thread(tree, pid, entry->d_name);
  }
  closedir(threads);
  return count;
}

/* Adds the descendants of the processes in the list. */
static void add_descendants(wb_process_tree *tree) {
  tree->threads = 0;
  for (int i = 0; i < tree->count; i++) tree->threads += add_children(tree, tree->pid[i]);
}

void wb_process_tree_list(wb_process_tree *tree) {
  tree->count = 0;
  add_children(tree, getpid());
  add_descendants(tree);
}

void wb_process_tree_setup(void) {
  static wb_process_tree tree;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  tree.count = earlier_count = 0;
  add_children(&tree, getpid());
  while (earlier_count < tree.count && earlier_count < MOST_EARLIER) {
    earlier[earlier_count] = tree.pid[earlier_count];
    earlier_count++;
  }
}

void wb_process_tree_spare(pid_t pid) { spared_child = pid; }

/* ---- Ending ---- */

void wb_process_tree_kill_all(double seconds) {
  static wb_process_tree tree;
  const double give_up = now() + seconds;
  for (int round = 0; now() < give_up; round++) {
    wb_process_tree_list(&tree);
    if (tree.count == 0) return;
    /* They are stopped first, so that none starts new ones meanwhile. */
    for (int i = 0; i < tree.count && round < 3; i++) kill(tree.pid[i], SIGSTOP);
    for (int i = 0; i < tree.count; i++) kill(tree.pid[i], SIGKILL);
    /* Only children can be waited for. The others become children of this process as their parents end. */
    for (int i = 0; i < tree.count; i++) waitpid(tree.pid[i], NULL, WNOHANG);
    pause_ms(1);
  }
}

void wb_process_tree_kill(pid_t pid, int *status) {
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
  const double give_up = now() + 10;
  while (status && waitpid(pid, status, WNOHANG) == 0 && now() < give_up) pause_ms(1);
  wb_process_tree_kill_all(1);
}

/* Whether the process exists and has not ended. A zombie has ended. */
static bool is_alive(pid_t pid) {
  char path[64], state = 'Z';
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *in = fopen(path, "re");
  if (!in) return false;
  /* "PID (NAME) STATE"; the name may contain anything but has at most 15 bytes. */
  char line[64] = "";
  const size_t size = fread(line, 1, sizeof line - 1, in);
  for (size_t i = 0; i + 2 < size; i++)
    if (line[i] == ')') state = line[i + 2];
  fclose(in);
  return state != 'Z' && state != 'X';
}

static int count_alive(const wb_process_tree *tree) {
  int alive = 0;
  for (int i = 0; i < tree->count; i++) alive += is_alive(tree->pid[i]);
  return alive;
}

void wb_process_tree_terminate(const pid_t *root, int count, double seconds) {
  static wb_process_tree tree;
  const double give_up = now() + seconds;
  for (tree.count = 0; tree.count < count && tree.count < WB_PROCESS_TREE_MOST; tree.count++)
    tree.pid[tree.count] = root[tree.count];
  add_descendants(&tree);
  for (int i = 0; i < count; i++) kill(-root[i], SIGTERM);
  for (int i = 0; i < tree.count; i++) kill(tree.pid[i], SIGTERM);
  while (count_alive(&tree) && now() < give_up) pause_ms(10);
  for (int i = 0; i < tree.count; i++)
    if (is_alive(tree.pid[i])) kill(tree.pid[i], SIGKILL);
  for (int i = 0; i < count; i++) kill(-root[i], SIGKILL);
}

/* base/process_tree.h: a process and everything that it started: listing it, and ending it. */
#ifndef WB_PROCESS_TREE_H
#define WB_PROCESS_TREE_H

#include <sys/types.h>

#define WB_PROCESS_TREE_MOST 8192 /* processes that are looked at */

typedef struct wb_process_tree {
  pid_t pid[WB_PROCESS_TREE_MOST];
  int count;
  long long threads; /* of all these processes */
} wb_process_tree;

/* Makes this process the parent of its descendants' orphans, so that none of them escapes. Spares the
 * children that exist already. */
void wb_process_tree_setup(void);

/* A child that the functions below leave alone unless they are called for it. 0: none any longer. */
void wb_process_tree_spare(pid_t pid);

/* Lists all descendants of this process, parents before their children, without the spared children and
 * their descendants. */
void wb_process_tree_list(wb_process_tree *tree);

/* Kills all of them and waits for them. Gives up after `seconds`: a process that hangs in a driver can't
 * be killed. */
void wb_process_tree_kill_all(double seconds);

/*
 * Kills the process group `pid` and waits for process `pid`, ten seconds at most. Its status goes to
 * *status (NULL: it was waited for already). Then kills all other descendants, which takes one second at
 * most.
 */
void wb_process_tree_kill(pid_t pid, int *status);

/* For processes whose parent is another process: sends SIGTERM to the process groups `root`, to the
 * processes and to their present descendants; after `seconds`, sends SIGKILL to those that still run. */
void wb_process_tree_terminate(const pid_t *root, int count, double seconds);

#endif

/* base/process_tree.h: ending a process and everything that it started. */
#ifndef WB_PROCESS_TREE_H
#define WB_PROCESS_TREE_H

#include <sys/types.h>

/* Makes this process the parent of its descendants' orphans, so that none of them gets away; notes the
 * children that it has already, which are left alone. */
void wb_process_tree_setup(void);

/*
 * Kills the process group `pid`, waits for process `pid` (ten seconds at most; its status goes to *status
 * unless it was taken already: status NULL) and then kills and waits for every orphan that has become a child
 * of this process.
 */
void wb_process_tree_kill(pid_t pid, int *status);

/* A child of this process that wb_process_tree_kill leaves alone when it is not asked for it; 0: none any more. */
void wb_process_tree_spare(pid_t pid);

#endif

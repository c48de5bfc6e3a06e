/* base/exit_status.c: see base/exit_status.h. */
#include "base/exit_status.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

void wb_exit_status(int status, wb_text *text) {
  if (WIFEXITED(status)) {
    wb_text_add(text, "ended the program (exit status %d) instead of returning", WEXITSTATUS(status));
    return;
  }
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  switch (signal) {
  case SIGSEGV:
    wb_text_add(text, "crashed: segmentation fault (SIGSEGV): it read or wrote memory that isn't its own, "
                      "such as past the end of an array, or device memory from the host");
    break;
  case SIGBUS:
    wb_text_add(text, "crashed: bus error (SIGBUS): it used memory that does not exist");
    break;
  case SIGFPE:
    wb_text_add(text, "crashed: integer division by zero (SIGFPE)");
    break;
  case SIGILL:
    wb_text_add(text, "crashed: illegal instruction (SIGILL), as after a function without a return");
    break;
  case SIGABRT:
    wb_text_add(text, "was aborted (SIGABRT), by abort, a failed assert or the C library");
    break;
  case SIGKILL:
    wb_text_add(text, "was killed (SIGKILL), as the system does when memory runs out");
    break;
  case SIGTRAP:
    wb_text_add(text, "crashed: trap (SIGTRAP)");
    break;
  default:
    wb_text_add(text, "ended by signal %d (%s)", signal, strsignal(signal));
  }
}

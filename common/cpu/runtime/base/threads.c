/* Starts the runtime's own threads. */
#include "base/threads.h"

/* What is sent to the program goes to the program's own threads, as with a GPU's driver: a handler that
 * ran on this one would run as part of a kernel, or with a lock held, and a default would leave sigwait
 * nothing. Only what the thread does itself, and the watch's own signal, reach it, whatever its creator
 * has blocked. */
bool thread_start(size_t stack_bytes, void *(*run)(void *), void *argument) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGURG};
  sigset_t set, kept;
  pthread_attr_t attributes;
  pthread_t thread;
  sigfillset(&set);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&set, own[i]);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (stack_bytes) pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_sigmask(SIG_SETMASK, &set, &kept);
  const bool started = pthread_create(&thread, &attributes, run, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &kept, NULL);
  pthread_attr_destroy(&attributes);
  return started;
}

/*
 * Time: a kernel that never ends is stopped, and one that spins without telling is made to share.
 *
 * One thread of the process watches while a kernel runs. When no block has ended for CUCC_KERNEL_LIMIT
 * seconds, it signals the workers (SIGURG, which nobody minds otherwise). The signal's handler runs on the
 * stack of the fiber that it interrupts, as if the kernel had called it right there; so it may report where
 * the kernel is, and leave the fiber for good, as a thread does that an error ends. That needs no help from
 * the kernel: a loop without any access to memory is stopped as well.
 *
 * The handler acts only when the interrupted instruction is the kernel's own. In the runtime or in the C
 * library a lock may be held: then it returns, and the next signal finds a better moment. Which code is
 * whose, addresses tell: a kernel's module is known from its launch, and the runtime's code lies in a section
 * of its own (build-runtime.bash).
 *
 * In the fast build nothing sees a kernel's volatile reads. There, after NO_PROGRESS_MS without the end of a
 * block, the handler gives the turn to the block's next thread, in case the interrupted one waits for it. It
 * comes back later by simply returning from the handler.
 */
#include "limits.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "findings.h"

#define TICK_MS        50.0
#define NO_PROGRESS_MS 100.0
#define PREEMPT_MS     0.2
#define STOP_MS        1.0
#define GRACE_MS       1000.0 /* to find a kernel in its own code, and to have it leave */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct launch *running;
static bool watching, asleep;

/* ------------------------------------------------------------------ whose code is it */

extern char __start_cucc_text[] __attribute__((weak)), __stop_cucc_text[] __attribute__((weak));
extern char __start_cucc_hooks[] __attribute__((weak)), __stop_cucc_hooks[] __attribute__((weak));

#define MODULES_MAX 64
static struct { uintptr_t start, size; } modules[MODULES_MAX]; /* with kernels */
static int module_count;

static bool in_module(uintptr_t pc) {
  const int n = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);
  for (int i = 0; i < n; i++)
    if (pc - modules[i].start < modules[i].size) return true;
  return false;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *code) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || (uintptr_t)code - (info->dlpi_addr + p->p_vaddr) >= p->p_memsz) continue;
    modules[module_count].start = info->dlpi_addr + p->p_vaddr;
    modules[module_count].size = p->p_memsz;
    __atomic_store_n(&module_count, module_count + 1, __ATOMIC_RELEASE);
    return 1;
  }
  return 0;
}

/* Jumps by which a program calls other libraries (.plt): they are neither the kernel's nor the runtime's. */
static bool is_plt(const unsigned char *code) {
  static const unsigned char starts[][4] = {
      {0xff, 0x25}, {0xff, 0x35}, {0xf2, 0xff, 0x25}, {0xf3, 0x0f, 0x1e, 0xfa}, {0x68}};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (!memcmp(code, starts[i], strnlen((const char *)starts[i], 4))) return true;
  return false;
}

/* The weak bounds of a section; where there is none, or no objcopy, both are zero. */
static bool within(uintptr_t pc, const char *start, const char *stop) {
  return pc - (uintptr_t)start < (uintptr_t)stop - (uintptr_t)start;
}

void code_add_kernel(uintptr_t pc) {
  if (!in_module(pc) && module_count < MODULES_MAX) dl_iterate_phdr(add_module, (void *)pc);
}

bool limits_in_hook(uintptr_t pc) { return within(pc, __start_cucc_hooks, __stop_cucc_hooks); }

bool limits_in_kernel(uintptr_t pc) {
  if (!__start_cucc_text || within(pc, __start_cucc_text, __stop_cucc_text) || limits_in_hook(pc))
    return false;
  if (context_switches(pc)) return false;
  return in_module(pc) && !is_plt((const unsigned char *)pc);
}

/* ------------------------------------------------------------------ the watch */

static void report(const struct launch *l, uintptr_t pc) {
  struct finding f = pc ? finding_here(TOOL_SYNC, pc + 1) : (struct finding){.tool = TOOL_SYNC, .launch = l};
  snprintf(f.sentence, sizeof f.sentence,
           "the kernel does not end: no block has come to its end for %g seconds, so it is stopped",
           options()->kernel_limit);
  f.cause = "a loop whose condition never changes, a lock that nobody releases, a flag that nobody sets "
            "(CUCC_KERNEL_LIMIT sets the seconds, 0 for no limit)";
  finding_add(&f);
}

/* Said once for each launch. */
static void stop(struct launch *l, uintptr_t pc) {
  if (__atomic_exchange_n(&l->overdue, 2, __ATOMIC_RELAXED) != 1) return;
  report(l, pc);
  launch_stop(l, cudaErrorLaunchTimeout);
}

void limits_interrupt(uintptr_t pc) {
  const int before = errno;
  struct worker *w = cucc_worker;
  if (w && limits_in_kernel(pc)) {
    struct launch *l = w->launch;
    if (__atomic_load_n(&l->overdue, __ATOMIC_RELAXED) == 1) stop(l, pc);
    if (!CUCC_CHECKED || l->error == cudaErrorLaunchTimeout) block_yield(w);
  }
  errno = before;
}

static void sleep_ms(double ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  const uint64_t ns = (uint64_t)t.tv_nsec + (uint64_t)(ms * 1e6);
  t.tv_sec += (time_t)(ns / 1000000000u);
  t.tv_nsec = (long)(ns % 1000000000u);
  pthread_cond_timedwait(&wake, &lock, &t);
}

/* A launch whose time is over. Returns when it has ended. */
static void end_launch(struct launch *l) {
  const double since = now_ms();
  __atomic_store_n(&l->overdue, 1, __ATOMIC_RELAXED);
  while (running == l) {
    const double late = now_ms() - since;
    pthread_mutex_unlock(&lock);
    if (late > GRACE_MS) stop(l, 0);
    if (late > 10 * GRACE_MS) {
      fprintf(stderr, "cucc: the kernel cannot be stopped where it is; the program ends here\n");
      _exit(86);
    }
    pool_interrupt();
    pthread_mutex_lock(&lock);
    if (running == l) sleep_ms(STOP_MS);
  }
}

/* With the lock held: one launch, from its begin to its end or beyond, to the next one's. */
static void watch_launch(struct launch *l, uint64_t launch) {
  const double limit_ms = options()->kernel_limit * 1e3;
  double since = now_ms();
  uint64_t progress = pool_progress();
  while (running == l && l->number == launch) {
    const double late = now_ms() - since;
    const bool stuck = late > NO_PROGRESS_MS;
    sleep_ms(stuck && !CUCC_CHECKED ? PREEMPT_MS : TICK_MS);
    if (running != l || l->number != launch) break;
    const uint64_t now = pool_progress();
    if (now != progress) {
      progress = now;
      since = now_ms();
    } else if (limit_ms > 0 && late > limit_ms)
      end_launch(l);
    else if (stuck && !CUCC_CHECKED)
      pool_interrupt();
  }
}

static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    if (running) {
      watch_launch(running, running->number);
      continue;
    }
    asleep = true;
    while (!running) pthread_cond_wait(&wake, &lock);
    asleep = false;
  }
  return NULL;
}

void limits_begin(struct launch *l) {
  static uint64_t launches;
  pthread_mutex_lock(&lock);
  code_add_kernel((uintptr_t)l->run);
  if (!watching) {
    faults_start();
    watching = thread_start(0, watch, NULL);
  }
  l->number = ++launches;
  running = l;
  if (asleep) pthread_cond_signal(&wake);
  pthread_mutex_unlock(&lock);
}

void limits_end(void) {
  pthread_mutex_lock(&lock);
  running = NULL;
  pthread_mutex_unlock(&lock);
}

/* Handlers of the signals by which kernels fault, divide by zero and are interrupted. */
#include "blocks/signals.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/code.h"
#include "base/fibers.h"
#include "base/options.h"
#include "state/sanitize.h"
#include "state/worker.h"
#include "checker/findings.h"
#include "blocks/faults.h"
#include "blocks/overdue.h"

static struct sigaction before[65];

#if defined(__x86_64__)
static uintptr_t pc_of(const ucontext_t *c) { return (uintptr_t)c->uc_mcontext.gregs[REG_RIP]; }
static uintptr_t stack_of(const ucontext_t *c) { return (uintptr_t)c->uc_mcontext.gregs[REG_RSP]; }
static void go_on_in(ucontext_t *c, void (*function)(void), uintptr_t stack) {
  c->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)function;
  c->uc_mcontext.gregs[REG_RSP] = (greg_t)((stack & ~(uintptr_t)15) - 8); /* as after a call */
}

/* Skips a div or idiv and gives its result. False when it is another instruction. */
static bool skip_division(ucontext_t *c) {
  greg_t *r = c->uc_mcontext.gregs;
  const unsigned char *p = (const unsigned char *)r[REG_RIP];
  bool wide = false, narrow = false;
  for (;; p++) {
    if (*p == 0x66)
      narrow = true;
    else if ((*p & 0xf0) == 0x40)
      wide = *p & 8;
    else if (*p != 0xf2 && *p != 0xf3 && *p != 0x2e && *p != 0x3e)
      break;
  }
  const unsigned char opcode = p[0], modrm = p[1], mod = modrm >> 6, rm = modrm & 7;
  if ((opcode != 0xf6 && opcode != 0xf7) || (modrm >> 3 & 7) < 6) return false;
  p += 2;
  if (mod != 3) {
    const bool sib = rm == 4;
    if (mod == 0 && (rm == 5 || (sib && (*p & 7) == 5))) p += 4;
    p += sib + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
  }
  if (wide) {
    r[REG_RDX] = r[REG_RAX];
    r[REG_RAX] = -1;
  } else if (opcode == 0xf7 && !narrow) {
    r[REG_RDX] = (greg_t)(uint32_t)r[REG_RAX];
    r[REG_RAX] = (greg_t)UINT32_MAX;
  } else
    r[REG_RAX] |= 0xff;
  r[REG_RIP] = (greg_t)p;
  return true;
}
#else
static uintptr_t pc_of(const ucontext_t *c) { return c->uc_mcontext.pc; }
static uintptr_t stack_of(const ucontext_t *c) { return c->uc_mcontext.sp; }
static void go_on_in(ucontext_t *c, void (*function)(void), uintptr_t stack) {
  c->uc_mcontext.pc = (uintptr_t)function;
  c->uc_mcontext.sp = stack & ~(uintptr_t)15;
}
static bool skip_division(ucontext_t *c) {
  (void)c;
  return false;
}
#endif

static void say(const char *text) {
  if (write(2, text, strlen(text)) < 0) return;
}

/* To the handler that was there before; ours stays, for later kernels. The system's default is put in
 * place, in a kernel always: then the instruction is repeated, and faults again. A signal that was sent
 * comes again. */
static void pass_on(int signal, siginfo_t *info, void *context) {
  static const struct sigaction end = {.sa_handler = SIG_DFL};
  const struct sigaction *next = cucc_worker ? &end : &before[signal];
  if (next->sa_flags & SA_SIGINFO) {
    next->sa_sigaction(signal, info, context);
  } else if (next->sa_handler != SIG_DFL && next->sa_handler != SIG_IGN) {
    next->sa_handler(signal);
  } else {
    sigaction(signal, next, NULL);
    if (info->si_code <= 0) raise(signal);
  }
}

/* A return address on the stack, without the signature that aarch64 may keep in its upper bits. */
static uintptr_t unsigned_address(uintptr_t word) {
#ifdef __aarch64__
  word &= ((uintptr_t)1 << 48) - 1;
#endif
  return word;
}

/* Where the hook that faulted was called: the first address on the stack that is of a kernel's code; 0:
 * none. */
NOT_EXAMINED static uintptr_t caller_of_hook(const struct worker *w, uintptr_t stack) {
  const uintptr_t low = w->fiber->low - (size_t)w->opened * PIECE;
  const uintptr_t *word = (const uintptr_t *)((stack < low ? low : stack) & ~(sizeof *word - 1));
  while ((uintptr_t)word < w->fiber->high && !code_in_kernel(unsigned_address(*word))) word++;
  return (uintptr_t)word < w->fiber->high ? unsigned_address(*word) : 0;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  struct worker *w = cucc_worker;
  const uintptr_t address = (uintptr_t)info->si_addr;
  if (!w || info->si_code <= 0 || !w->fiber) {
    pass_on(signal, info, context);
    return;
  }
  struct fiber *f = w->fiber;
  const uintptr_t pc = pc_of(context), stack = stack_of(context);
  const bool full =
      address - (f->low - FIBER_GUARD) < FIBER_GUARD || stack - (f->low - FIBER_GUARD) < FIBER_GUARD;
  const bool hook = code_in_hook(pc);
  if (hook || code_in_kernel(pc)) {
    w->fault.site = hook ? caller_of_hook(w, stack) : pc + 1;
    w->fault.address = address;
    w->fault.signal = full ? -1 : signal;
    go_on_in(context, faults_leave, f->high - 1024);
  } else if (full && w->opened < PIECES) {
    w->opened++;
    mprotect((void *)(f->low - (size_t)w->opened * PIECE), PIECE, PROT_READ | PROT_WRITE);
  } else {
    say(full ? "cucc: a thread of a kernel has used up its stack, in a function of the library\n"
             : "cucc: a kernel faults in a function of the library that it calls\n");
    pass_on(signal, info, context);
  }
}

static void on_division(int signal, siginfo_t *info, void *context) {
  const uintptr_t pc = pc_of(context);
  if (!cucc_worker || info->si_code != FPE_INTDIV || !code_in_kernel(pc) || !skip_division(context)) {
    pass_on(signal, info, context);
    return;
  }
  faults_division(pc + 1);
}

static void on_interrupt(int signal, siginfo_t *info, void *context) {
  if (cucc_worker)
    overdue_interrupt(pc_of(context));
  else if (before[signal].sa_flags & SA_SIGINFO)
    before[signal].sa_sigaction(signal, info, context);
  else if (before[signal].sa_handler != SIG_DFL && before[signal].sa_handler != SIG_IGN)
    before[signal].sa_handler(signal);
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action = {.sa_sigaction = handler,
                             .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART | flags};
  sigaction(signal, &action, &before[signal]);
}

void signals_start(void) {
  install(SIGSEGV, on_fault, SA_ONSTACK);
  install(SIGBUS, on_fault, SA_ONSTACK);
  install(SIGFPE, on_division, 0);
  install(SIGURG, on_interrupt, 0);
}

/* worker/faults.c: see worker/faults.h. */
#include "worker/faults.h"
#include "device/device.h"
#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

static const wb_arena *watched;
static wb_channel *noted;
static struct sigaction before;

/* Whether the access was a write. On aarch64 a record after the registers says so (asm/sigcontext.h);
 * elsewhere, and under qemu, which makes no such record, it counts as a read. */
static int wrote(const void *context) {
#if defined(__x86_64__)
  return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#elif defined(__aarch64__)
  const char *record = (const char *)((const ucontext_t *)context)->uc_mcontext.__reserved;
  for (const struct _aarch64_ctx *head; (head = (const void *)record)->magic; record += head->size)
    if (head->magic == ESR_MAGIC) return ((const struct esr_context *)record)->esr >> 6 & 1;
  return 0;
#else
  return (void)context, 0;
#endif
}

/* Any other fault goes to the handler that was there before: the address sanitizer's, or the system's. */
static void on_fault(int signal, siginfo_t *info, void *context) {
  const uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)watched->shared;
  struct sigaction next = before;
  if (info->si_code > 0 && offset < watched->bytes) {
    noted->fault = (wb_fault){.seen = 1, .writes = wrote(context), .offset = offset};
    next = (struct sigaction){.sa_handler = SIG_DFL};
  }
  noted->fault.writes = wrote(context);
  if (info->si_code > 0) wb_device_past(info->si_addr, noted->past, sizeof noted->past);
#ifdef __x86_64__
  noted->fault.no_address = info->si_code == SI_KERNEL;
#endif
  sigaction(signal, &next, NULL); /* the instruction is repeated, and faults again */
}

void wb_faults_watch(const wb_arena *arena, wb_channel *channel) {
  watched = arena;
  noted = channel;
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  if (arena) sigaction(SIGSEGV, &action, &before);
}

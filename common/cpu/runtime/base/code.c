/* Which code an instruction belongs to: a kernel's, the runtime's, or that of a hook before an access. */
#include "base/code.h"

#include <link.h>
#include <string.h>

#include "base/switch.h"

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
#ifdef __aarch64__
/* adrp x16, page; ldr x17, [x16, place]; add x16, x16, place; br x17: `code` may be any of them, or just
 * before. */
static bool is_plt(const unsigned char *code) {
  const uint32_t *word = (const uint32_t *)((uintptr_t)code & ~(uintptr_t)3) + 1;
  for (int i = 0; i < 5; i++, word--)
    if ((word[0] & 0x9f00001f) == 0x90000010 && (word[1] & 0xffc003ff) == 0xf9400211) return true;
  return false;
}
#else
static bool is_plt(const unsigned char *code) {
  static const unsigned char starts[][4] = {
      {0xff, 0x25}, {0xff, 0x35}, {0xf2, 0xff, 0x25}, {0xf3, 0x0f, 0x1e, 0xfa}, {0x68}};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (!memcmp(code, starts[i], strnlen((const char *)starts[i], 4))) return true;
  return false;
}
#endif

/* The weak bounds of a section; where there is none, or no objcopy, both are zero. */
static bool within(uintptr_t pc, const char *start, const char *stop) {
  return pc - (uintptr_t)start < (uintptr_t)stop - (uintptr_t)start;
}

void code_add_kernel(uintptr_t pc) {
  if (!in_module(pc) && module_count < MODULES_MAX) dl_iterate_phdr(add_module, (void *)pc);
}

bool code_in_hook(uintptr_t pc) { return within(pc, __start_cucc_hooks, __stop_cucc_hooks); }

bool code_in_runtime(uintptr_t pc) {
  return !__start_cucc_text || within(pc, __start_cucc_text, __stop_cucc_text) || code_in_hook(pc);
}

bool code_in_kernel(uintptr_t pc) {
  if (code_in_runtime(pc)) return false;
  if (context_switches(pc)) return false;
  return in_module(pc) && !is_plt((const unsigned char *)pc);
}

/*
 * From one stack to another. With barriers this happens as often as accesses do, so on x86-64 it is done in
 * place: no call or return misleads the processor's guess of where the next return goes, and the control
 * words of floating point, slow to load, stay as they are (all contexts of a worker have the same ones).
 * Elsewhere Boost.Context's C side does it.
 */
#ifndef CUCC_BASE_SWITCH_H
#define CUCC_BASE_SWITCH_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a context stopped. sp NULL: it has to be made afresh. */
struct context {
  void *sp, *bp, *ip;
};

/* In blocks/block.c: what a fresh context begins with; `left` is the one that was left for it. */
void context_main(struct context *left) __attribute__((noreturn));

#define SWITCHED __attribute__((used, noinline)) /* what SWITCHING names NAME_at */

#if defined(__x86_64__) && !defined(CUCC_BOOST_CONTEXT) /* defined: to try the other way */
/* The context is to begin, on a stack that ends at `high`. */
static inline void context_make(struct context *c, uintptr_t high, size_t size) {
  (void)size;
  void **const top = (void **)(high & ~(uintptr_t)15) - 1; /* as after a call, from nowhere */
  *top = NULL;
  *c = (struct context){top, NULL, (void *)(uintptr_t)context_main};
}

/* Leaves the running context, which is kept at *save, and goes on in `to`. Returns when another context
 * switches back: the context that was left then. */
static inline __attribute__((always_inline)) struct context *context_switch(struct context *save,
                                                                            const struct context *to) {
  __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                   "movq %%rsp, (%%rdi)\n\t"
                   "movq %%rbp, 8(%%rdi)\n\t"
                   "movq %%rax, 16(%%rdi)\n\t"
                   "movq (%%rsi), %%rsp\n\t"
                   "movq 8(%%rsi), %%rbp\n\t"
                   "jmpq *16(%%rsi)\n"
                   "1:"
                   : "+D"(save), "+S"(to)
                   :
                   : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
                     "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                     "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
  return save;
}

/*
 * SWITCHING defines a function that kernels call and that may switch: it calls NAME_at, with the address that
 * it returns to as a further argument (which goes into register `site`), and then jumps there. A processor
 * expects a `ret` to return to the instruction after the last call; but that call was another thread's, of
 * the next barrier, so it would guess wrong at each turn, and that costs as much as all else in a turn. A
 * jump it expects to go where the last one went.
 */
#define SWITCHING(result, name, parameters, arguments, site)                                                 \
  result name parameters;                                                                                    \
  __asm__(".pushsection .text\n\t.globl " #name "\n\t.type " #name ", @function\n" #name ":\n\t"             \
          ".cfi_startproc\n\t"                                                                               \
          "movq (%rsp), %" site "\n\t"                                                                       \
          "subq $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n\t"                                                    \
          "call " #name "_at\n\t"                                                                            \
          "addq $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n\t"                                                   \
          "popq %rcx\n\tjmpq *%rcx\n\t"                                                                      \
          ".cfi_endproc\n\t.size " #name ", . - " #name "\n\t.popsection");

/* Whether an instruction is one of a switch that lies outside of the runtime's code. */
static inline bool context_switches(uintptr_t pc) { return (void)pc, false; }
#else
#define SWITCHING(result, name, parameters, arguments, site)                                                 \
  result name parameters;                                                                                    \
  result name parameters { return name##_at arguments; }

struct transfer {
  void *from, *data;
};
void *make_fcontext(void *stack_top, size_t size, void (*function)(struct transfer));
struct transfer jump_fcontext(void *to, void *data);

static inline struct context *context_left(struct transfer t) {
  struct context *const left = t.data;
  left->sp = t.from;
  return left;
}

static inline void context_begins(struct transfer t) { context_main(context_left(t)); }

static inline void context_make(struct context *c, uintptr_t high, size_t size) {
  c->sp = make_fcontext((void *)high, size, context_begins);
}

static inline struct context *context_switch(struct context *save, const struct context *to) {
  return context_left(jump_fcontext(to->sp, save));
}

static inline bool context_switches(uintptr_t pc) {
  return pc - (uintptr_t)jump_fcontext < 512 || pc - (uintptr_t)make_fcontext < 512;
}
#endif

#endif

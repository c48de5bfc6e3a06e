/*
 * arch.c: `#if __CUDA_ARCH__ >= 700` at file scope, around functions of the device.
 *
 * nvcc compiles a file twice, and only the device's compilation has __CUDA_ARCH__; here it is once. Where all
 * that a group holds, with its #else, is functions of the device, the host's compilation has no use for it:
 * its condition is answered as for the device. Any other group is answered as for the host.
 */
#define _GNU_SOURCE /* memmem */
#include "arch.h"

#include "edits.h"
#include "scope.h"

#include <string.h>

bool asks_for_device(const rewrite_unit *unit, size_t i, size_t end) {
  for (; i < end; i++) {
    const token *t = &unit->tokens.items[i];
    if (t->kind == TOKEN_DIRECTIVE &&
        memmem(unit->text + t->begin, t->end - t->begin, "__CUDA_ARCH__", strlen("__CUDA_ARCH__")))
      return true;
  }
  return false;
}

/* The last token of the function of the device that begins at token i, or NOWHERE: none does. */
static size_t device_function_end(const rewrite_unit *unit, size_t i) {
  for (size_t k = 0; k < unit->declarations.count; k++) {
    const declaration *d = &unit->declarations.items[k];
    if (d->first != i || d->kind != DECLARES_FUNCTION || !d->device || d->host || d->global) continue;
    if (d->close != NOWHERE) return d->close;
    return word_at(unit, d->right + 1, ";") ? d->right + 1 : NOWHERE;
  }
  return NOWHERE;
}

/* The #endif of the group whose #if is token i, where it holds nothing but functions of the device; else
 * NOWHERE. */
static size_t device_group_end(const rewrite_unit *unit, size_t i) {
  bool any = false;
  for (i++; i < unit->tokens.count && !directive_is(unit, i, "endif"); i++) {
    if (directive_is(unit, i, "else")) continue;
    i = device_function_end(unit, i);
    if (i == NOWHERE) return NOWHERE;
    any = true;
  }
  return any && i < unit->tokens.count ? i : NOWHERE;
}

void find_arch(rewrite_unit *unit) {
  for (size_t i = 0; i < unit->tokens.count; i++) {
    if (!directive_is(unit, i, "if") || !asks_for_device(unit, i, i + 1) ||
        unit->tokens.items[i].scope != SCOPE_FILE)
      continue;
    const size_t end = device_group_end(unit, i);
    if (end == NOWHERE) continue;
    add_edit(unit, (edit){.kind = EDIT_ARCH, .first = i, .last = i});
    add_edit(unit, (edit){.kind = EDIT_ARCH, .first = end, .last = end});
  }
}

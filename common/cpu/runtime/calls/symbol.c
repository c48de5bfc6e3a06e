/* Variables of the device: copies by their symbols, and their values while only a part of each grid runs. */
#include "base/base.h"

#include "state/device.h"
#include "state/failed.h"
#include "state/sample.h"
#include "state/state.h"
#include "memory/symbol.h"
#include "memory/values.h"
#include "checker/bad_copy.h"
#include "engine/copy.h"
#include "engine/entry.h"
#include "cucc.h"

/* The variable that a call names, and where its value for the current device is. */
static cudaError_t resolve(const char *call, const void *symbol, struct symbol **variable, uintptr_t *place) {
  const uintptr_t address = (uintptr_t)symbol;
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  struct section *s = symbol_section(address);
  if (!s) return cucc_fail(cudaErrorInvalidSymbol);
  struct symbol *v = *variable = symbol_at(s, address);
  if (v->start != address && !s->stripped) return cucc_fail(cudaErrorInvalidSymbol);
  *place = s->kind == VARIABLE_MANAGED ? address : symbol_place(address, device_current());
  return *place ? cudaSuccess : cucc_fail(cudaErrorMemoryAllocation);
}

/* A copy to the symbol when r->dst is NULL, else from it. A copy past the variable's end would fall into the
 * next variable, so it is refused here. */
static cudaError_t copy(struct transfer_request *r, const void *symbol, size_t offset) {
  const bool to = !r->dst;
  uintptr_t place;
  struct symbol *v;
  cudaError_t error = resolve(r->call, symbol, &v, &place);
  if (error || r->bytes == 0) return error;
  const bool wrong_way =
      r->kind == cudaMemcpyHostToHost || r->kind == (to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
  const bool too_long = offset > v->size || r->bytes > v->size - offset;
  void *const at = (void *)(place + (offset < v->size ? offset : 0));
  if (to)
    r->dst = at;
  else
    r->src = at;
  if (!r->src) return cucc_fail(cudaErrorInvalidValue);
  if (!wrong_way && !too_long) return copy_transfer(r);
  check_bad_copy(r->call, r->dst, r->src, r->bytes, wrong_way, r->site);
  return cucc_fail(wrong_way ? cudaErrorInvalidMemcpyDirection : cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind) {
  struct transfer_request r = {
      .call = "cudaMemcpyToSymbol", .src = src, .bytes = count, .kind = kind, .wait = true, .site = CALLER};
  return copy(&r, symbol, offset);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct transfer_request r = {.call = "cudaMemcpyToSymbolAsync",
                               .src = src,
                               .bytes = count,
                               .kind = kind,
                               .stream = stream,
                               .site = CALLER};
  return copy(&r, symbol, offset);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind) {
  struct transfer_request r = {
      .call = "cudaMemcpyFromSymbol", .dst = dst, .bytes = count, .kind = kind, .wait = true, .site = CALLER};
  return dst || !count ? copy(&r, symbol, offset) : cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct transfer_request r = {.call = "cudaMemcpyFromSymbolAsync",
                               .dst = dst,
                               .bytes = count,
                               .kind = kind,
                               .stream = stream,
                               .site = CALLER};
  return dst || !count ? copy(&r, symbol, offset) : cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  uintptr_t place;
  struct symbol *v;
  cudaError_t error = resolve("cudaGetSymbolAddress", symbol, &v, &place);
  if (error) return error;
  if (!pointer) return cucc_refuse(cudaErrorInvalidValue);
  v->given = true;
  *pointer = (void *)symbol;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  uintptr_t place;
  struct symbol *v;
  cudaError_t error = resolve("cudaGetSymbolSize", symbol, &v, &place);
  if (error) return error;
  if (!size) return cucc_refuse(cudaErrorInvalidValue);
  *size = v->size;
  return cudaSuccess;
}

/* Part of a grid may spoil a variable: its last block sets none back. */
void cucc_sample(const char *words) {
  static bool kept;
  if (words && !kept) symbols_keep();
  if (!words && kept) symbols_set_back();
  kept = words != NULL;
  sample_begin(words);
}

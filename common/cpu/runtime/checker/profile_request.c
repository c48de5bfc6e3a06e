/*
 * What a GPU's memory system does for one request: the sectors of global memory that it moves, or the
 * wavefronts that the banks of shared memory need.
 */
#include "checker/profile_request.h"

#include "memory/arena.h"
#include "memory/symbol.h"

/* A small set of numbers that mostly come in rising order. */
struct set {
  int count;
  uintptr_t values[32], most;
};

/* Adds a number; true when it was new. */
static bool add_to(struct set *set, uintptr_t value) {
  if (set->count && value <= set->most) {
    for (int i = set->count - 1; i >= 0; i--)
      if (set->values[i] == value) return false;
  } else
    set->most = value;
  set->values[set->count++] = value;
  return true;
}

static bool is_mapped(uintptr_t address) {
  struct device_variable v;
  if (in_arena(address)) return !is_device(address);
  return !symbol_is_variable(address) || (symbol_find(address, &v) && v.kind == VARIABLE_MANAGED);
}

void profile_sum_mapped(struct figures *f, uintptr_t address) {
  f->mapped_sectors += is_mapped(address);
  f->managed_sectors += is_managed(address);
}

bool profile_is_of_peer(uintptr_t address, int device) {
  const int owner = memory_device_of(address);
  return owner >= 0 && owner != device;
}

static void sum_lanes(struct figures *f, const struct asked *r, bool one_word) {
  const uint64_t lanes = (uint64_t)__builtin_popcount(r->lanes);
  f->requests++;
  f->lanes += lanes;
  if (lanes < 4) f->few_lanes += lanes;
  if (!one_word || lanes < 2) return;
  f->broadcasts++;
  f->broadcast_lanes += lanes;
}

void profile_sum_global(struct figures *f, const struct asked *r, int device) {
  struct set sectors = {0}, words = {0};
  for (uint32_t rest = r->lanes; rest; rest &= rest - 1) {
    const uintptr_t at = r->at[__builtin_ctz(rest)];
    if (add_to(&sectors, at / 32)) {
      profile_sum_mapped(f, at);
      if (profile_is_of_peer(at, device)) f->peer_sectors++;
    }
    add_to(&words, at);
  }
  f->sectors += (uint64_t)sectors.count;
  f->bytes += (uint64_t)words.count * r->size;
  f->ideal_sectors += ((uint64_t)words.count * r->size + 31) / 32;
  sum_lanes(f, r, words.count == 1);
}

/* 32 banks of 4 bytes: a wavefront takes one word from each. Lanes that want the same word share it. 8-byte
 * accesses go in two halves of the warp, 16-byte ones in four quarters. */
void profile_sum_shared(struct figures *f, const struct asked *r) {
  struct set all = {0};
  const int words_each = r->size > 4 ? (int)r->size / 4 : 1, part = 32 / words_each;
  for (int first = 0; first < 32; first += part) {
    struct set words = {0};
    int in_bank[32] = {0}, most = 0;
    for (int lane_index = first; lane_index < first + part; lane_index++)
      for (int k = 0; (r->lanes >> lane_index & 1) && k < words_each; k++) {
        const uintptr_t word = r->at[lane_index] / 4 + (uintptr_t)k;
        if (add_to(&words, word) && ++in_bank[word % 32] > most) most = in_bank[word % 32];
      }
    f->wavefronts += (uint64_t)most;
    f->ideal_wavefronts += most > 0;
  }
  for (uint32_t rest = r->lanes; rest; rest &= rest - 1) add_to(&all, r->at[__builtin_ctz(rest)] / 4);
  sum_lanes(f, r, all.count == 1 && r->size <= 4);
}

void profile_add_figures(struct figures *to, const struct figures *f, double scale) {
#define ADD(field) to->field += (uint64_t)((double)f->field * scale + 0.5)
  ADD(requests);
  ADD(lanes);
  ADD(sectors);
  ADD(ideal_sectors);
  ADD(bytes);
  ADD(wavefronts);
  ADD(ideal_wavefronts);
  ADD(mapped_sectors);
  ADD(managed_sectors);
  ADD(peer_sectors);
  ADD(broadcasts);
  ADD(broadcast_lanes);
  ADD(few_lanes);
#undef ADD
}

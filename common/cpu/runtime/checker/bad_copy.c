/* Findings on host calls with bad pointers: copies, frees and prefetches. */
#include "checker/bad_copy.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "base/options.h"
#include "memory/arena.h"
#include "checker/describe.h"
#include "checker/findings.h"
#include "checker/variables.h"

void check_bad_free(const char *call, uintptr_t address, enum space space, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct allocation a;
  struct finding f = {.tool = TOOL_MEM, .site = site, .call = call};
  const bool known = in_arena(address) && memory_find(address, &a) && address - a.start <= a.size;
  if (!known) {
    snprintf(f.sentence, sizeof f.sentence, "%s of a pointer that was not returned by a CUDA allocation",
             call);
    f.cause =
        "a host pointer, or a pointer that was never set; malloc goes with free, cudaMalloc with cudaFree";
  } else if (a.space != space) {
    snprintf(f.sentence, sizeof f.sentence, "%s of %s", call, memory_name(a.space));
    f.cause = "cudaMalloc goes with cudaFree, cudaMallocHost and cudaHostAlloc with cudaFreeHost";
  } else if (a.start != address) {
    snprintf(f.sentence, sizeof f.sentence, "%s of a pointer into the middle of an allocation", call);
    f.cause = "the pointer was moved (p += …) since cudaMalloc; free the pointer that cudaMalloc returned";
  } else {
    snprintf(f.sentence, sizeof f.sentence, "%s of memory that is already freed", call);
    f.cause = "two cudaFree for one cudaMalloc";
  }
  if (known) describe_address(&f, address, 1);
  *f.index = 0;
  finding_add(&f);
}

void check_unmanaged(const char *call, const void *pointer, size_t bytes, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  snprintf(f.sentence, sizeof f.sentence, "%s of %zu bytes that are not entirely managed memory", call,
           bytes);
  describe_address(&f, (uintptr_t)pointer, 1);
  *f.index = 0;
  f.cause = "only memory of cudaMallocManaged and __managed__ variables moves between host and device; or a "
            "size that is too large";
  finding_add(&f);
}

/* Which side of a refused copy is wrong, and how. */
static void explain_copy(struct finding *f, const char *call, const void *p, const char *side, size_t bytes) {
  struct allocation a;
  const uintptr_t address = (uintptr_t)p;
  const bool there = memory_find(address, &a);
  if (there && address < a.start && a.start - address < bytes) {
    describe_address(f, address, 1);
    *f->index = 0;
    snprintf(f->sentence, sizeof f->sentence,
             "%s of %zu bytes: the %s is not device memory: it begins %zu bytes before an array", call, bytes,
             side, (size_t)(a.start - address));
    f->cause = "an index, or a difference of two sizes, that is below 0";
    return;
  }
  if (!there || address - a.start > a.size) {
    snprintf(f->sentence, sizeof f->sentence, "%s of %zu bytes: the %s is not device memory", call, bytes,
             side);
    f->cause = "a pointer that was never set by cudaMalloc, or that went astray";
    return;
  }
  describe_address(f, address, 1);
  *f->index = 0;
  if (a.freed || a.free_issue) {
    snprintf(f->sentence, sizeof f->sentence, "%s of %zu bytes: the %s was freed", call, bytes, side);
    f->cause = "cudaFree too early";
    return;
  }
  snprintf(f->sentence, sizeof f->sentence, "%s of %zu bytes: the %s has only %zu bytes from that address on",
           call, bytes, side, a.size - (address - a.start));
  f->cause = "a size in elements where bytes are meant, or in bytes of another type; or an allocation "
             "without sizeof";
}

void check_array_left(const char *call, const struct given *array, const void *p, size_t bytes, bool writes,
                      uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  const uintptr_t address = (uintptr_t)p, end = array->start + array->size;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  if (address < array->start)
    snprintf(f.sentence, sizeof f.sentence, "%s of %zu bytes %s %s from %zu bytes before its start on", call,
             bytes, writes ? "writes" : "reads", array->name, array->start - address);
  else
    snprintf(f.sentence, sizeof f.sentence,
             "%s of %zu bytes %s %zu bytes past the end of %s, which has %zu bytes", call, bytes,
             writes ? "writes" : "reads", address + bytes - (address < end ? end : address), array->name,
             array->size);
  f.cause =
      "a size that is rounded up to whole blocks or chunks, or counts other elements; an offset that is "
      "added twice";
  finding_add(&f);
}

void check_kind(const char *call, const void *dst, const void *src, size_t bytes, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  snprintf(f.sentence, sizeof f.sentence,
           "%s of %zu bytes: the direction contradicts the pointers (from %s memory to %s memory)", call,
           bytes, is_device((uintptr_t)src) ? "device" : "host",
           is_device((uintptr_t)dst) ? "device" : "host");
  f.cause = "the wrong kind: CUDA's manual leaves such a copy undefined, also where a driver does it";
  finding_add(&f);
}

void check_overlap(const char *call, const void *dst, size_t bytes, size_t common, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  snprintf(f.sentence, sizeof f.sentence, "%s of %zu bytes: source and destination overlap in %zu bytes",
           call, bytes, common);
  describe_address(&f, (uintptr_t)dst, 1);
  *f.index = 0;
  f.cause =
      "a copy within one array: unlike memmove, CUDA leaves it undefined where both parts overlap; copy "
      "through another array, or by a kernel from one array to the other";
  finding_add(&f);
}

void check_null_copy(const char *call, const char *side, size_t bytes, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  snprintf(f.sentence, sizeof f.sentence, "%s of %zu bytes: the %s is a null pointer", call, bytes, side);
  f.cause = "an array that was never allocated, or whose malloc or cudaMalloc failed";
  finding_add(&f);
}

void check_bad_copy(const char *call, const void *dst, const void *src, size_t bytes, bool wrong_way,
                    uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  if (variable_explain_copy(&f, call, dst, "destination", bytes) ||
      variable_explain_copy(&f, call, src, "source", bytes)) {
  } else if (bytes > SIZE_MAX / 2) {
    snprintf(f.sentence, sizeof f.sentence, "%s of %lld bytes, which become %zu as a size_t", call,
             (long long)bytes, bytes);
    f.cause = "a size computed from an int that is negative or overflowed: compute it in size_t";
  } else if (wrong_way && src) {
    snprintf(f.sentence, sizeof f.sentence,
             "%s of %zu bytes: the direction contradicts the pointers (from %s memory to %s memory)", call,
             bytes, is_device((uintptr_t)src) ? "device" : "host",
             is_device((uintptr_t)dst) ? "device" : "host");
    f.cause = "the destination comes first: cudaMemcpy(to, from, bytes, kind); or the wrong kind";
  } else if (wrong_way) {
    snprintf(f.sentence, sizeof f.sentence, "%s of %zu bytes of host memory", call, bytes);
    f.cause = "a host pointer where one from cudaMalloc is meant";
  } else {
    struct allocation a;
    const uintptr_t d = (uintptr_t)dst;
    const bool right = !in_arena(d) || (memory_contains(d, bytes, &a) && !a.free_issue);
    explain_copy(&f, call, right ? src : dst, right ? "source" : "destination", bytes);
  }
  finding_add(&f);
}

#endif

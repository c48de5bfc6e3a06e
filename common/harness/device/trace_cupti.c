/*
 * device/trace_cupti.c: see device/trace.h. The library is loaded when it is needed, so the program also
 * runs where it isn't installed. It must have the CUDA version that the program was built with, because
 * the layout of its records depends on the version.
 */
#include "device/trace.h"
#include <stdio.h>

#ifndef WB_HAVE_CUPTI

bool wb_cupti_begin(char *reason, size_t reason_size) {
  snprintf(reason, reason_size, "not measured: this program was built without CUPTI (cupti.h)");
  return false;
}

size_t wb_cupti_end(wb_activity *list, size_t capacity, char *counters, size_t counters_size) {
  (void)list, (void)capacity, (void)counters, (void)counters_size;
  return 0;
}

#else

#include "base/json.h"
#include <ctype.h>
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The fields used here are the same in all of these; only their ends differ. */
#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 kernel_record;
typedef CUpti_ActivityMemcpy6 memcpy_record;
#else
typedef CUpti_ActivityKernel9 kernel_record;
typedef CUpti_ActivityMemcpy5 memcpy_record;
#endif

static struct {
  CUptiResult (*register_callbacks)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc);
  CUptiResult (*enable)(CUpti_ActivityKind);
  CUptiResult (*disable)(CUpti_ActivityKind);
  CUptiResult (*flush)(uint32_t);
  CUptiResult (*next)(uint8_t *, size_t, CUpti_Activity **);
} cupti;

static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                           CUPTI_ACTIVITY_KIND_MEMSET};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* ---- Loading the library ---- */

static void *open_library(void) {
  char name[32], path[600];
  snprintf(name, sizeof name, "libcupti.so.%d", CUDART_VERSION / 1000);
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const char *const homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
  const char *const folders[] = {"lib64", "lib", "extras/CUPTI/lib64"};
  for (size_t h = 0; !library && h < sizeof homes / sizeof homes[0]; h++)
    for (size_t f = 0; !library && homes[h] && f < sizeof folders / sizeof folders[0]; f++) {
      snprintf(path, sizeof path, "%s/%s/%s", homes[h], folders[f], name);
      library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
  return library;
}

/* Copies a function's address: ISO C has no conversion from void * to a function pointer. */
static bool find(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

static bool load(void) {
  if (cupti.next) return true;
  void *library = open_library();
  return library && find(library, "cuptiActivityRegisterCallbacks", &cupti.register_callbacks) &&
         find(library, "cuptiActivityEnable", &cupti.enable) &&
         find(library, "cuptiActivityDisable", &cupti.disable) &&
         find(library, "cuptiActivityFlushAll", &cupti.flush) &&
         find(library, "cuptiActivityGetNextRecord", &cupti.next);
}

/* ---- Collecting records ---- */

#define MOST 8192

typedef struct record {
  wb_activity activity;
  uint32_t stream;
  uint64_t start_ns, end_ns;
  int grid[3], block[3];
} record;

static record *records;
static size_t record_count;

/* "_Z12scale_kernelPfif" becomes "scale_kernel". If a name has several parts (namespaces, and nvcc's own
 * part of static functions), only the last one stays. An unmangled name stays as it is. */
static void plain_name(const char *mangled, char *name, size_t size) {
  snprintf(name, size, "%s", mangled ? mangled : "");
  if (!mangled || strncmp(mangled, "_Z", 2) != 0) return;
  const char *p = mangled + 2;
  while (*p == 'N' || *p == 'L' || *p == 'K') p++;
  while (isdigit((unsigned char)*p)) {
    char *end;
    const size_t length = strtoul(p, &end, 10);
    if (length > strlen(end)) return;
    snprintf(name, size, "%.*s", (int)length, end);
    p = end + length;
    while (*p == 'L') p++;
  }
}

static record *new_record(wb_kind kind, uint32_t stream, uint64_t start, uint64_t end) {
  if (!records || record_count == MOST) return NULL;
  record *r = &records[record_count++];
  *r = (record){
      .activity.kind = kind, .activity.to_device = -1, .stream = stream, .start_ns = start, .end_ns = end};
  return r;
}

static void note_memcpy(const memcpy_record *m) {
  const wb_kind kind = m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD   ? WB_H2D
                       : m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? WB_D2H
                                                                        : WB_D2D;
  record *r = new_record(kind, m->streamId, m->start, m->end);
  if (!r) return;
  r->activity.bytes = m->bytes;
  const int host = kind == WB_H2D ? m->srcKind : m->dstKind;
  r->activity.pinned = kind != WB_D2D && host == CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  snprintf(r->activity.name, sizeof r->activity.name, "memcpy");
}

static void note_kernel(const kernel_record *k) {
  record *r = new_record(WB_KERNEL, k->streamId, k->start, k->end);
  if (!r) return;
  plain_name(k->name, r->activity.name, sizeof r->activity.name);
  memcpy(r->grid, (int[]){k->gridX, k->gridY, k->gridZ}, sizeof r->grid);
  memcpy(r->block, (int[]){k->blockX, k->blockY, k->blockZ}, sizeof r->block);
}

static void note_memset(const CUpti_ActivityMemset4 *m) {
  record *r = new_record(WB_MEMSET, m->streamId, m->start, m->end);
  if (!r) return;
  r->activity.bytes = m->bytes;
  snprintf(r->activity.name, sizeof r->activity.name, "memset");
}

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *most) {
  *size = 1 << 20;
  *buffer = aligned_alloc(8, *size);
  *most = 0;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t valid) {
  (void)context, (void)stream, (void)size;
  CUpti_Activity *a = NULL;
  while (valid && cupti.next(buffer, valid, &a) == CUPTI_SUCCESS) {
    if (a->kind == CUPTI_ACTIVITY_KIND_MEMCPY) note_memcpy((const void *)a);
    if (a->kind == CUPTI_ACTIVITY_KIND_MEMSET) note_memset((const void *)a);
    if (a->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || a->kind == CUPTI_ACTIVITY_KIND_KERNEL)
      note_kernel((const void *)a);
  }
  free(buffer);
}

bool wb_cupti_begin(char *reason, size_t reason_size) {
  static void *d_mark;
  if (!load()) {
    snprintf(reason, reason_size,
             "not measured: libcupti.so.%d was not found (CUDA_HOME, /usr/local/cuda, LD_LIBRARY_PATH)",
             CUDART_VERSION / 1000);
    return false;
  }
  if (!records) records = malloc(MOST * sizeof *records);
  if (!d_mark && cudaMalloc(&d_mark, 4)) d_mark = NULL;
  bool ready = records && d_mark && cupti.register_callbacks(give_buffer, take_buffer) == CUPTI_SUCCESS;
  for (size_t k = 0; ready && k < KINDS; k++) {
    const CUptiResult result = cupti.enable(kinds[k]);
    ready = result == CUPTI_SUCCESS;
    if (!ready) snprintf(reason, reason_size, "not measured: CUPTI refuses (error %d)", (int)result);
  }
  if (!ready && !reason[0]) snprintf(reason, reason_size, "not measured: CUPTI could not be started");
  record_count = 0;
  /* This becomes the first record. It gives the default stream's number and is then dropped. */
  if (ready) ready = cudaMemset(d_mark, 0, 4) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  return ready;
}

/* ---- Returning the records ---- */

static int by_start(const void *a, const void *b) {
  const record *x = a, *y = b;
  return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* The small number of a stream: 0 for the stream of the first record, then in the order of appearance. */
static int small_number(uint32_t stream, uint32_t *known, int *count) {
  for (int s = 0; s < *count; s++)
    if (known[s] == stream) return s;
  if (*count == 256) return 255;
  known[*count] = stream;
  return (*count)++;
}

static bool same_launch(const record *a, const record *b) {
  return a->activity.kind == WB_KERNEL && b->activity.kind == WB_KERNEL &&
         a->activity.stream == b->activity.stream && strcmp(a->activity.name, b->activity.name) == 0 &&
         memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

static void triple(wb_json *json, const char *key, const int n[3]) {
  wb_json_array(json, key);
  for (int d = 0; d < 3; d++) wb_json_integer(json, NULL, n[d]);
  wb_json_end(json);
}

static void add_kernels(wb_json *json, const record *list, size_t count) {
  int launches = 0;
  for (size_t i = 0; i < count; i++) launches += list[i].activity.kind == WB_KERNEL;
  wb_json_integer(json, "launches", launches);
  wb_json_array(json, "kernels");
  for (size_t i = 0; i < count; i++) {
    if (list[i].activity.kind != WB_KERNEL) continue;
    bool first = true;
    int equal = 0;
    for (size_t k = 0; k < count; k++) {
      if (!same_launch(&list[i], &list[k])) continue;
      if (k < i) first = false;
      equal++;
    }
    if (!first) continue;
    wb_json_object(json, NULL);
    wb_json_string(json, "name", list[i].activity.name);
    triple(json, "grid", list[i].grid);
    triple(json, "block", list[i].block);
    wb_json_integer(json, "launches", equal);
    wb_json_integer(json, "stream", list[i].activity.stream);
    wb_json_end(json);
  }
  wb_json_end(json);
}

static void add_copies(wb_json *json, const record *list, size_t count) {
  static const char *const names[] = {"h2d_pageable", "h2d_pinned", "d2h_pageable", "d2h_pinned", "d2d"};
  int64_t bytes[5] = {0}, copies[5] = {0};
  for (size_t i = 0; i < count; i++) {
    const wb_activity *a = &list[i].activity;
    if (a->kind > WB_D2D) continue;
    const int which = a->kind == WB_D2D ? 4 : 2 * (int)a->kind + a->pinned;
    bytes[which] += (int64_t)a->bytes;
    copies[which]++;
  }
  wb_json_object(json, "copies");
  for (int w = 0; w < 5; w++) {
    char key[32];
    snprintf(key, sizeof key, "%s_bytes", names[w]);
    wb_json_integer(json, key, bytes[w]);
    snprintf(key, sizeof key, "%s_count", names[w]);
    wb_json_integer(json, key, copies[w]);
  }
  wb_json_end(json);
}

size_t wb_cupti_end(wb_activity *list, size_t capacity, char *counters, size_t counters_size) {
  cupti.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  for (size_t k = 0; k < KINDS; k++) cupti.disable(kinds[k]);
  qsort(records, record_count, sizeof *records, by_start);
  uint32_t known[256];
  int streams = 0;
  for (size_t i = 0; i < record_count; i++) {
    record *r = &records[i];
    r->activity.stream = small_number(r->stream, known, &streams);
    r->activity.start_us = 1e-3 * (double)(r->start_ns - records[0].start_ns);
    r->activity.end_us = 1e-3 * (double)(r->end_ns - records[0].start_ns);
  }
  const bool marked = record_count > 0 && records[0].activity.kind == WB_MEMSET;
  const record *own = records + marked;
  const size_t count = record_count - marked;
  for (size_t i = 0; i < count && i < capacity; i++) list[i] = own[i].activity;

  wb_text text = {0};
  wb_json json = {.out = &text};
  wb_json_object(&json, NULL);
  add_kernels(&json, own, count);
  add_copies(&json, own, count);
  wb_json_end(&json);
  snprintf(counters, counters_size, "%s", text.size < counters_size ? text.data : "{}");
  wb_text_free(&text);
  return count;
}

#endif

/*
 * Prints what profile.c counted: as a table for a learner, and as JSON with Nsight Compute's names.
 *
 *     profile: transpose<<<(32,32,1), (32,8,1)>>>, launched at transpose.cu:41
 *       transpose.cu:12   out[x * n + y] = in[y * n + x];
 *           global load    32768 requests   4.0 sectors each  ####            coalesced
 *           global store   32768 requests  32.0 sectors each  ##############  strided: 32 sectors, 4 would do
 */
#include "checker/profile_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/needed.h"
#include "base/places.h"
#include "memory/arena.h"
#include "state/counters.h"
#include "state/timeline.h"
#include "checker/profile.h"
#include "checker/profile_request.h"

static const char *const kind_words[PROFILE_KINDS] = {"global load",   "global store", "global atomic",
                                                      "shared load",   "shared store", "shared atomic",
                                                      "constant load", "barrier"};
static const char *const kind_space[PROFILE_KINDS] = {"global", "global", "global",   "shared",
                                                      "shared", "shared", "constant", "block"};
static const char *const kind_op[PROFILE_KINDS] = {"ld", "st", "atom", "ld", "st", "atom", "ld", "barrier"};

static double per_request(const struct figures *f, uint64_t of) {
  return f->requests ? (double)of / (double)f->requests : 0;
}

static int by_place(const void *a, const void *b) {
  const struct row *x = a, *y = b;
  const int file = strcmp(x->at.file, y->at.file);
  if (file) return file;
  return x->at.line != y->at.line ? x->at.line - y->at.line : (int)x->kind - (int)y->kind;
}

/* Finds the lines of all kernels, and those that the timeline needs later, at once: the tool for it takes time
 * to start. */
static void prepare_places(const struct profile_kernel *kernels, size_t count) {
  size_t sites = 0, n = 0;
  const size_t calls = timeline_sites(NULL, 0);
  for (size_t i = 0; i < count; i++) sites += kernels[i].site_count;
  uintptr_t *pcs = needed(calloc(sites + calls + 1, sizeof *pcs));
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < kernels[i].site_count; k++) pcs[n++] = kernels[i].sites[k].pc;
  timeline_sites(pcs + n, calls);
  places_prepare(pcs, sites + calls);
  free(pcs);
}

/* The rows of a kernel in the order of its lines; *count of them. For the caller to free. */
static struct row *rows_of(const struct profile_kernel *k, size_t *count) {
  struct row *rows = needed(calloc(k->site_count + 1, sizeof *rows));
  size_t n = 0;
  for (size_t i = 0; i < k->site_count; i++) {
    const struct profile_site *s = &k->sites[i];
    const struct place at = place_of(s->pc);
    size_t r = 0;
    while (r < n &&
           (rows[r].kind != s->kind || rows[r].at.line != at.line || strcmp(rows[r].at.file, at.file)))
      r++;
    const double each =
        per_request(&s->sum, profile_has_sectors(s->kind) ? s->sum.sectors : s->sum.wavefronts);
    if (r == n) {
      n++;
      rows[r].at = at;
      rows[r].kind = s->kind;
      rows[r].least = rows[r].most = each;
    }
    profile_add_figures(&rows[r].sum, &s->sum, 1);
    rows[r].instructions++;
    if (each < rows[r].least) rows[r].least = each;
    if (each > rows[r].most) rows[r].most = each;
  }
  qsort(rows, n, sizeof *rows, by_place);
  *count = n;
  return rows;
}

/* ------------------------------------------------------------------------------------------- for readers */

/* The text of a source line without the blanks around it; empty when the file cannot be read. */
static void source_line(const struct place *at, char *out, size_t size) {
  char text[512] = "";
  FILE *file = at->line ? fopen(at->file, "r") : NULL;
  *out = 0;
  if (!file) return;
  for (int line = 0; line < at->line; line++)
    if (!fgets(text, sizeof text, file)) *text = 0;
  fclose(file);
  text[strcspn(text, "\r\n")] = 0;
  snprintf(out, size, "%s", text + strspn(text, " \t"));
}

static void bar(wb_text *t, double length) {
  char hashes[33];
  const int n = length < 1 ? 1 : length > 32 ? 32 : (int)(length + 0.5);
  memset(hashes, '#', (size_t)n);
  hashes[n] = 0;
  wb_text_add(t, "  %-32s  ", hashes);
}

static void constant_verdict(wb_text *t, const struct row *r) {
  const bool one = r->sum.broadcasts == r->sum.requests;
  wb_text_add(t, one ? "one address for all lanes" : "several addresses, one after another");
}

static void global_verdict(wb_text *t, const struct row *r) {
  const struct figures *f = &r->sum;
  const double each = per_request(f, f->sectors), ideal = per_request(f, f->ideal_sectors);
  if (r->kind == GLOBAL_ATOMIC)
    wb_text_add(t, f->broadcasts == f->requests ? "all lanes on one address, one after another" : "atomic");
  else if (r->instructions > 1 && r->most > 1.3 * r->least)
    wb_text_add(t, "%d accesses, from %.1f to %.1f sectors each", r->instructions, r->least, r->most);
  else if (f->broadcasts == f->requests)
    wb_text_add(t, "one address for all lanes");
  else if (each <= 1.05 * ideal)
    wb_text_add(t, "coalesced");
  else if (each <= ideal + 1)
    wb_text_add(t, "coalesced, but not aligned: %.1f sectors where %.1f would do", each, ideal);
  else
    wb_text_add(t, "strided: %.1f sectors where %.1f would do", each, ideal);
  if (f->mapped_sectors) wb_text_add(t, ", over the bus to the host's memory");
}

static void shared_verdict(wb_text *t, const struct row *r) {
  const struct figures *f = &r->sum;
  const double ways = f->ideal_wavefronts ? (double)f->wavefronts / (double)f->ideal_wavefronts : 1;
  if (r->kind == SHARED_ATOMIC && f->broadcasts >= f->requests)
    wb_text_add(t, "all lanes on one address, one after another");
  else if (ways < 1.005)
    wb_text_add(t, f->broadcasts >= f->requests ? "no conflict: one word for all lanes" : "no conflict");
  else
    wb_text_add(t, "%.1f-way bank conflict", ways);
}

static void text_row(wb_text *t, const struct row *r) {
  const struct figures *f = &r->sum;
  if (r->kind == BARRIER) {
    wb_text_add(t, "      %-13s %10llu times, %.1f threads each\n", kind_words[r->kind],
                (unsigned long long)f->requests, per_request(f, f->lanes));
    return;
  }
  const bool global = profile_has_sectors(r->kind);
  const double each = per_request(f, global ? f->sectors : f->wavefronts);
  wb_text_add(t, "      %-13s %10llu requests of %4.1f lanes, %4.1f %s", kind_words[r->kind],
              (unsigned long long)f->requests, per_request(f, f->lanes), each,
              global ? "sectors each   " : "wavefronts each");
  bar(t, each);
  if (r->kind == CONSTANT_LOAD)
    constant_verdict(t, r);
  else if (global)
    global_verdict(t, r);
  else
    shared_verdict(t, r);
  wb_text_add(t, "\n");
}

static void text_kernel(wb_text *t, const struct profile_kernel *k) {
  size_t count;
  struct row *rows = rows_of(k, &count);
  wb_text_add(t, "\nprofile: %s<<<(%u,%u,%u), (%u,%u,%u)>>>, launched at %s:%d", k->name, k->grid.x,
              k->grid.y, k->grid.z, k->block.x, k->block.y, k->block.z, k->file, k->line);
  wb_text_add(t, k->launches > 1 ? ", %llu times\n" : "\n", (unsigned long long)k->launches);
  for (size_t i = 0; i < count; i++) {
    char source[96];
    if (!i || rows[i].at.line != rows[i - 1].at.line || strcmp(rows[i].at.file, rows[i - 1].at.file)) {
      source_line(&rows[i].at, source, sizeof source);
      if (rows[i].at.line)
        wb_text_add(t, "  %s:%d  %s\n", rows[i].at.file, rows[i].at.line, source);
      else
        wb_text_add(t, "  at an unknown line\n");
    }
    text_row(t, &rows[i]);
  }
  if (k->most_global_atomics)
    wb_text_add(t, "  at %s %llu atomic operations on one address of global memory in a launch\n",
                k->more_addresses ? "least" : "most", (unsigned long long)k->most_global_atomics);
  if (k->most_shared_atomics)
    wb_text_add(t, "  at most %llu atomic operations on one address of shared memory in a block\n",
                (unsigned long long)k->most_shared_atomics);
  if (k->estimated || k->crowded)
    wb_text_add(t, "  (estimated: more requests or instructions than are kept; the lanes are exact)\n");
  free(rows);
}

void profile_text(wb_text *t) {
  size_t count;
  wb_text_add(
      t, "profile: the memory requests of the kernels. These are counts, not times: they show why a kernel "
         "may be slow,\nprofile: never how slow. A request is one instruction of a warp; a sector 32 bytes "
         "of global memory; a wavefront\nprofile: one pass over the 32 banks of shared memory.\n");
  pthread_mutex_lock(&profile_lock);
  const struct profile_kernel *kernels = profile_kernels(&count);
  prepare_places(kernels, count);
  if (!count) wb_text_add(t, "profile: no kernel has run\n");
  for (size_t i = 0; i < count; i++) text_kernel(t, &kernels[i]);
  pthread_mutex_unlock(&profile_lock);
  wb_text_add(t, "\n");
  count_copies_text(t);
}

/* ------------------------------------------------------------------------------------------- as JSON */

static void metric(wb_text *t, const char *name, uint64_t value) {
  wb_text_add(t, ",\"%s\":%llu", name, (unsigned long long)value);
}

/* A ratio; 0 where nothing was counted. */
static void ratio(wb_text *t, const char *name, uint64_t over, uint64_t under) {
  wb_text_add(t, ",\"%s\":%.6g", name, under ? (double)over / (double)under : 0);
}

/* Bytes that cross the bus for a kernel's accesses to the host's memory. A page of managed memory moves once in a
 * launch, whatever its threads do with it. */
static uint64_t mapped_bytes(const struct profile_kernel *k, const struct figures *f) {
  const uint64_t managed = 32 * f->managed_sectors, most = k->launches * ((memory_managed() + 31) / 32 * 32);
  return 32 * (f->mapped_sectors - f->managed_sectors) + (managed < most ? managed : most);
}

static void json_metrics(wb_text *t, const struct profile_kernel *k) {
  struct figures sum[PROFILE_KINDS] = {0}, mapped[2] = {0};
  uint64_t peer = 0;
  for (size_t i = 0; i < k->site_count; i++) {
    profile_add_figures(&sum[k->sites[i].kind], &k->sites[i].sum, 1);
    profile_add_figures(&mapped[k->sites[i].kind != GLOBAL_LOAD], &k->sites[i].sum, 1);
    peer += 32 * k->sites[i].sum.peer_sectors;
  }
  const struct figures *ld = &sum[GLOBAL_LOAD], *st = &sum[GLOBAL_STORE], *at = &sum[GLOBAL_ATOMIC];
  const struct figures *sl = &sum[SHARED_LOAD], *ss = &sum[SHARED_STORE], *sa = &sum[SHARED_ATOMIC];
  wb_text_add(t, "{\"launches\":%llu", (unsigned long long)k->launches);
  metric(t, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", ld->requests);
  metric(t, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", ld->sectors);
  ratio(t, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", ld->sectors, ld->requests);
  metric(t, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", st->requests);
  metric(t, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", st->sectors);
  ratio(t, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", st->sectors, st->requests);
  metric(t, "smsp__inst_executed_op_shared_ld.sum", sl->requests);
  metric(t, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", sl->wavefronts);
  metric(t, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
         sl->wavefronts - sl->ideal_wavefronts);
  metric(t, "smsp__inst_executed_op_shared_st.sum", ss->requests);
  metric(t, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", ss->wavefronts);
  metric(t, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
         ss->wavefronts - ss->ideal_wavefronts);
  /* the hardware calls an atomic operation whose old value is not used a reduction: atom and red together */
  metric(t, "smsp__inst_executed_op_global_atom.sum", at->requests);
  metric(t, "smsp__inst_executed_op_shared_atom.sum", sa->requests);
  metric(t, "global_atomic_operations", at->lanes);
  metric(t, "shared_atomic_operations", sa->lanes);
  metric(t, "global_atomics_on_one_address", k->most_global_atomics);
  metric(t, "shared_atomics_on_one_address", k->most_shared_atomics);
  metric(t, "most_stored_sectors_in_a_launch", k->most_stored);
  metric(t, "writing_threads", k->writing_threads);
  metric(t, "writing_blocks", k->writing_blocks);
  metric(t, "barriers", sum[BARRIER].requests);
  uint64_t requests = 0, lanes = 0;
  for (int i = 0; i < CONSTANT_LOAD; i++) {
    requests += sum[i].requests;
    lanes += sum[i].lanes;
  }
  ratio(t, "lanes_per_request", lanes, requests);
  metric(t, "mapped_read_bytes", mapped_bytes(k, &mapped[0]));
  metric(t, "mapped_written_bytes", mapped_bytes(k, &mapped[1]));
  metric(t, "peer_touched_bytes", peer);
  wb_text_add(t, "}");
}

static void json_row(wb_text *t, const struct row *r) {
  const struct figures *f = &r->sum;
  wb_text_add(t, "{\"file\":");
  json_string(t, r->at.line ? r->at.file : NULL);
  wb_text_add(t, ",\"line\":%d,\"space\":\"%s\",\"op\":\"%s\",\"instructions\":%d", r->at.line,
              kind_space[r->kind], kind_op[r->kind], r->instructions);
  metric(t, "requests", f->requests);
  ratio(t, "lanes_per_request", f->lanes, f->requests);
  metric(t, "broadcasts", f->broadcasts);
  metric(t, "broadcast_lanes", f->broadcast_lanes);
  metric(t, "few_lanes", f->few_lanes);
  if (profile_has_sectors(r->kind)) {
    metric(t, "sectors", f->sectors);
    metric(t, "ideal_sectors", f->ideal_sectors);
    metric(t, "bytes", f->bytes);
    ratio(t, "sectors_per_request", f->sectors, f->requests);
  } else if (r->kind != BARRIER) {
    metric(t, "wavefronts", f->wavefronts);
    metric(t, "bank_conflicts", f->wavefronts - f->ideal_wavefronts);
    ratio(t, "wavefronts_per_request", f->wavefronts, f->requests);
  }
  wb_text_add(t, "}");
}

void profile_json(wb_text *t) {
  size_t count, row_count;
  pthread_mutex_lock(&profile_lock);
  const struct profile_kernel *kernels = profile_kernels(&count);
  prepare_places(kernels, count);
  wb_text_add(t, ",\"profile\":[");
  for (size_t i = 0; i < count; i++) {
    const struct profile_kernel *k = &kernels[i];
    wb_text_add(t, "%s{\"name\":", i ? "," : "");
    json_string(t, k->name);
    wb_text_add(t, ",\"file\":");
    json_string(t, k->file);
    wb_text_add(t,
                ",\"line\":%d,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"of_graph\":%s,\"estimated\":%s,"
                "\"crowded\":%s,"
                "\"metrics\":",
                k->line, k->grid.x, k->grid.y, k->grid.z, k->block.x, k->block.y, k->block.z,
                k->of_graph ? "true" : "false", k->estimated ? "true" : "false",
                k->crowded ? "true" : "false");
    json_metrics(t, k);
    wb_text_add(t, ",\"lines\":[");
    struct row *rows = rows_of(k, &row_count);
    for (size_t r = 0; r < row_count; r++) {
      if (r) wb_text_add(t, ",");
      json_row(t, &rows[r]);
    }
    free(rows);
    wb_text_add(t, "]}");
  }
  wb_text_add(t, "]");
  pthread_mutex_unlock(&profile_lock);
}

/* device/open_host.c: plain C lessons run on this machine's processor; see device/open.h. */
#include "device/host_flush.h"
#include "device/host_info.h"
#include "device/open.h"
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

/* Not NULL if the program has the address sanitizer. */
extern void __asan_init(void) __attribute__((weak));

/* Under the address sanitizer a team has more threads than most machines have cores: an array with a place for
 * each of so many threads is too short here as it would be on a large machine. */
#define MANY_THREADS 67

bool wb_device_open(wb_device_info *info, wb_refusal *refusal) {
  (void)refusal;
  if (__asan_init) omp_set_num_threads(MANY_THREADS);
  *info = (wb_device_info){.kind = "cpu"};
  wb_host_info(info->cpu_name, sizeof info->cpu_name, &info->cpu_cores);
  snprintf(info->name, sizeof info->name, "%s", info->cpu_name);
  info->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  info->free_bytes = wb_host_free_bytes();
  info->l2_bytes = wb_host_cache_bytes();
  return true;
}

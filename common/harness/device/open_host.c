/* device/open_host.c: plain C lessons run on this machine's processor; see device/open.h. */
#include "device/host_flush.h"
#include "device/host_info.h"
#include "device/open.h"
#include <stdio.h>
#include <unistd.h>

bool wb_device_open(wb_device_info *info, wb_refusal *refusal) {
  (void)refusal;
  *info = (wb_device_info){.kind = "cpu"};
  wb_host_info(info->cpu_name, sizeof info->cpu_name, &info->cpu_cores);
  snprintf(info->name, sizeof info->name, "%s", info->cpu_name);
  info->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  info->free_bytes = wb_host_free_bytes();
  info->l2_bytes = wb_host_cache_bytes();
  return true;
}

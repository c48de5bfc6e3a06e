/* model/device_info.h: the description of a device, and what was measured or refused there. */
#ifndef WB_DEVICE_INFO_H
#define WB_DEVICE_INFO_H

#include <stdint.h>

typedef struct wb_device_info {
  char name[128], kind[32];     /* kind: "gpu", "cpu backend", "cpu" */
  char compute_capability[16];  /* "9.0"; "" without one */
  char driver[64], runtime[32]; /* "580.95.05|13.0", "13.0"; "" without them */
  char cpu_name[128];
  int devices; /* that this program may use; this is the first of them */
  int cpu_cores, sm_count, copy_engines;
  /* Of the device; in plain C lessons the machine's memory and the processor's last cache. */
  uint64_t memory_bytes, free_bytes, l2_bytes;
  int shares_memory; /* the device reads the host's memory without copies over a link */
} wb_device_info;

/* Why a device can't be used; reasons as --probe prints them. */
typedef struct wb_refusal {
  char reason[24];   /* no_gpu, no_driver, driver_too_old, busy, exclusive, prohibited, no_memory, other */
  char message[400]; /* one or two sentences, with the way out */
} wb_refusal;

/* A ceiling: the best that the device reaches, measured now. */
typedef struct wb_ceiling {
  char name[16], what[96], unit[12];
  double value;
} wb_ceiling;

#define WB_MAX_CEILINGS 16

#endif

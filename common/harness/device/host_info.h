/* device/host_info.h: processor and memory of this machine. */
#ifndef WB_HOST_INFO_H
#define WB_HOST_INFO_H

#include <stddef.h>
#include <stdint.h>

/* The processor's name and the cores that this process may use. */
void wb_host_info(char *cpu_name, size_t size, int *cores);

/* Bytes of memory that this process can still get, by the system and by the control group's limit. */
uint64_t wb_host_free_bytes(void);

#endif

/* device/host_flush.h: cold caches for arrays in host memory. */
#ifndef WB_HOST_FLUSH_H
#define WB_HOST_FLUSH_H

#include <stddef.h>

/* Takes an array in host memory out of the caches of all cores. */
void wb_host_flush(const void *array, size_t bytes);

/* Bytes of this processor's last cache. */
size_t wb_host_cache_bytes(void);

#endif

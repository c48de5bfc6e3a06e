/* device/ceilings.h: the best rates that the device reaches: ceilings_cuda.cu or ceilings_host.c. */
#ifndef WB_CEILINGS_H
#define WB_CEILINGS_H

#include "model/device_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ceilings that a lesson's tasks need. */
enum { WB_NEED_MEMORY = 1, WB_NEED_FLOPS = 2, WB_NEED_LINK = 4, WB_NEED_FLOPS64 = 8 };

/* Measures ceilings into list[WB_MAX_CEILINGS]; returns how many. Tens of milliseconds each. */
int wb_device_ceilings(int needs, wb_ceiling *list);

#ifdef __cplusplus
}
#endif
#endif

/* device/open.h: opening the device: open_cuda.c (a GPU or the CPU backend) or open_host.c (plain C lessons). */
#ifndef WB_OPEN_H
#define WB_OPEN_H

#include "model/device_info.h"
#include <stdbool.h>

/* Opens the device and describes it. Returns false with a refusal when it can't be used. */
bool wb_device_open(wb_device_info *info, wb_refusal *refusal);

#endif

/*
 * worker/channel.h: reads the shared memory through which a worker returns data that are too long for a
 * message. It may contain any bytes. Each function returns a safe copy: text is cleaned, JSON is valid,
 * numbers are in range.
 */
#ifndef WB_CHANNEL_H
#define WB_CHANNEL_H

#include "worker/protocol.h"

bool wb_channel_device(const wb_channel *channel, wb_device_info *info, wb_refusal *refusal);
int wb_channel_ceilings(const wb_channel *channel, wb_ceiling *list);
/* New strings, valid JSON of the right kind in any case: "[]" or "{}" where there is nothing better. */
char *wb_channel_findings(const wb_channel *channel);
char *wb_channel_counters(const wb_channel *channel);
/* Computes the timeline's figures, too. */
void wb_channel_timeline(const wb_channel *channel, wb_timeline *timeline);

#endif

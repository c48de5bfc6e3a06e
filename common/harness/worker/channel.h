/*
 * worker/channel.h: reading the shared memory in which a worker leaves what is too long for a message.
 *
 * Any bytes may stand there. Each function returns a copy that is safe: text is cleaned, JSON is valid, numbers
 * are in range.
 */
#ifndef WB_CHANNEL_H
#define WB_CHANNEL_H

#include "worker/protocol.h"

bool wb_channel_device(const wb_channel *channel, wb_device_info *info, wb_refusal *refusal);
int wb_channel_ceilings(const wb_channel *channel, wb_ceiling *list);
/* New strings, valid JSON of the right kind in any case: "[]" or "{}" where there is nothing better. */
char *wb_channel_findings(const wb_channel *channel);
char *wb_channel_counters(const wb_channel *channel);
/* Works out the timeline's figures, too. */
void wb_channel_timeline(const wb_channel *channel, wb_timeline *timeline);

#endif

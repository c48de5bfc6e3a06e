/*
 * worker/protocol.h: the messages between parent and worker. Requests and replies are messages of fixed
 * size on a socket. Longer data go through the channel, a shared mapping. A reply counts only when it
 * repeats the random number of its request. The parent trusts nothing that it reads here: see
 * worker/channel.h.
 */
#ifndef WB_PROTOCOL_H
#define WB_PROTOCOL_H

#include "model/arena.h"
#include "model/device_info.h"
#include "device/device.h"
#include <stdbool.h>

typedef enum {
  WB_DO_OPEN = 1, /* open the device; channel: info or refusal */
  WB_DO_CEILINGS, /* measure them; channel: ceilings */
  WB_DO_PREPARE,  /* put the arrays of a case where they belong */
  WB_DO_CALL,     /* one call */
  WB_DO_FINISH,   /* bring outputs back */
  WB_DO_FINDINGS, /* channel: findings, after a look for leaks */
  WB_DO_REACH,    /* a call of the size without content, of which a few blocks run; channel: findings */
  WB_DO_QUIT
} wb_verb;

/* Flags of a request. */
enum {
  WB_FILL = 1,        /* PREPARE: copy the inputs in; without it only inout arrays */
  WB_FLUSH = 2,       /* PREPARE: leave the device's caches cold */
  WB_FLUSH_HOST = 32, /* PREPARE: take arrays in host memory out of the processor's caches */
  WB_TRACE = 4,       /* CALL: record counters and timeline; channel: both */
  WB_RELEASE = 8,     /* FINISH: free the arrays */
  WB_NO_COPY = 16,    /* FINISH: don't copy the outputs back */
  WB_REVERSE = 64,    /* CALL: threads, blocks and streams in reverse order, where the backend can */
  WB_WITHOUT = 512,   /* CALL, times a sum of wb_without: these parts do nothing, where the backend can */
  WB_STEADY = 128,    /* OPEN: with as many threads as on any other machine */
  WB_GIVEN_OUTPUTS =
      256, /* PREPARE: outputs on the device begin with what the arena has, not with the poison */
};

typedef struct wb_request {
  uint64_t number;
  wb_verb verb;
  int flags;
  int callee;      /* CALL: -1 the task's function, else the number of a baseline */
  int fail;        /* CALL, REACH: which of the calls that may fail shall fail; 0: none */
  bool fail_later; /* CALL: later waits of the same thread fail, too */
  int capability;  /* CALL: of the device, from now on, in tenths; 0: as before */
  int needs;       /* CEILINGS */
  uint64_t key;    /* FINISH: which windows of a large case come back */
  wb_size size;
  double param[WB_MAX_PARAMS];
  wb_window zeros; /* CALL */
} wb_request;

typedef struct wb_reply {
  uint64_t number;
  int error; /* of PREPARE and FINISH: the backend's code, 0 when all went well */
  wb_call_figures figures;
  size_t reached;           /* REACH: up to which element the kernels touched an array; 0: its end ... */
  size_t reached_of;        /* ... which has so many elements, as a number of the size says */
  size_t undone;            /* operations that changed an output after the call had returned ... */
  int late;                 /* ... the one of this array, counted from 1; 0: none */
  uint64_t used_bytes;      /* device memory in use, after PREPARE and before its counterpart */
  char name[64], text[160]; /* name and text of the first error above */
  char complaint[160];      /* of the driver (wb_complain); "": none */
  char not_as_asked[160];   /* likewise (wb_not_as_asked) */
  wb_origin other;          /* where no call failed with it: another one that did */
  wb_origin origin;         /* of that error; in a call in which one was made to fail, of that one */
} wb_reply;

#define WB_MAX_ACTIVITIES 8192
#define WB_FINDINGS_BYTES (512 * 1024)
#define WB_COUNTERS_BYTES (128 * 1024)
#define WB_MOST_FAILING   512

/* A fault in the pages around the arrays: where in the arena. Or one without an address (x86-64). */
typedef struct wb_fault {
  int seen, writes, no_address;
  uint64_t offset;
} wb_fault;

typedef struct wb_channel {
  int opened;
  int sandboxed; /* its system calls are filtered: worker/sandbox.h */
  wb_device_info info;
  wb_refusal refusal;
  int ceiling_count;
  wb_ceiling ceilings[WB_MAX_CEILINGS];
  char findings[WB_FINDINGS_BYTES];
  char counters[WB_COUNTERS_BYTES];
  size_t activity_count;
  wb_activity activities[WB_MAX_ACTIVITIES];
  wb_source source;
  char reason[160];
  wb_fault fault;
  char dying[160];                   /* of the driver (wb_if_it_dies) */
  char past[120];                    /* after the end of which memory of CUDA the host's fault was */
  char failing[WB_MOST_FAILING][32]; /* the names of the last call's calls that may fail */
} wb_channel;

#endif

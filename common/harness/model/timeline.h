/*
 * model/timeline.h: what the device did when, during one call: figures about overlap.
 */
#ifndef WB_TIMELINE_H
#define WB_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { WB_H2D, WB_D2H, WB_D2D, WB_MEMSET, WB_KERNEL, WB_KINDS } wb_kind;

#define WB_MOST_DEVICES 64

/* One copy, memset or kernel. */
typedef struct wb_activity {
  wb_kind kind;
  int device;              /* that did it; of a copy between devices, the one that it comes from */
  int to_device;           /* of a copy between devices, the other one; else -1 */
  int stream;              /* number in the order of creation, 0 = the default stream */
  double start_us, end_us; /* since the first activity began */
  size_t bytes;            /* of a copy or memset */
  bool pinned;             /* of a copy: its host side is page-locked */
  char name[64];           /* of a kernel */
  char file[64];           /* where it was asked for; "" when not known */
  int line;
} wb_activity;

/* Where a timeline's times come from. */
typedef enum { WB_NO_TIMELINE, WB_MODELLED, WB_MEASURED } wb_source;

typedef struct wb_timeline {
  wb_source source;
  char reason[160];  /* why there is none */
  wb_activity *list; /* owned, in order of their start; wb_timeline_free */
  size_t count;
  bool truncated;    /* more happened than could be recorded */
  double copy_us;    /* time during which a copy between host and device runs */
  double kernel_us;  /* time during which a kernel runs */
  double overlap_us; /* time during which both do */
  double two_way_us; /* time during which copies run both ways */
  /* Of each device while it is at work, from its first kernel to its last, summed over the devices: time during
   * which a copy to or from another device runs, and the part of it during which a kernel runs there, too. */
  double peer_us, hidden_us;
  double span_us; /* from the first start to the last end */
} wb_timeline;

/* Numbers the streams 1, 2, 3 ... (0 stays the default stream), sorts the activities by start, lets time
 * begin with the first, and works out the figures. */
void wb_timeline_figures(wb_timeline *timeline);

/* "h2d", "d2h", "d2d", "memset", "kernel" */
const char *wb_kind_name(wb_kind kind);
/* "modelled", "measured", "none" */
const char *wb_source_name(wb_source source);

void wb_timeline_free(wb_timeline *timeline);

#endif

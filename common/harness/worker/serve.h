/* worker/serve.h: the worker's side of worker/protocol.h. */
#ifndef WB_SERVE_H
#define WB_SERVE_H

#include "worker/protocol.h"

typedef struct wb_server {
  const wb_task *task; /* NULL in the worker that only opens the device */
  wb_arena *arena;
  wb_channel *channel;
  bool sandboxed; /* enters the sandbox when the device is open */
  bool held;      /* the arrays below are ready for `size` */
  wb_size size;
  wb_layout layout;
  void *array[WB_MAX_ARRAYS];
} wb_server;

/* Carries out one request (not QUIT) and fills in the reply. */
void wb_serve(wb_server *server, const wb_request *request, wb_reply *reply);

/* Answers requests from the socket until QUIT or until the parent is gone, then ends the process. */
void wb_serve_loop(wb_server *server, int socket) __attribute__((noreturn));

#endif

/* Graphs as wholes: copies, instantiation, launch. graph.h tells the design. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "work.h"

struct CUgraphExec_st {
  struct CUgraph_st *graph; /* its own copy, each node behind those that it needs */
  struct lane_of_graph {
    int device;
    struct CUgraphNode_st *last;
    struct CUstream_st *stream; /* made at the first launch that needs it */
  } * lanes;
  size_t lane_count;
  struct clock done; /* the last launch: the next one comes after it */
  uintptr_t site;
  unsigned epoch;
  struct CUgraphExec_st *next;
};

static struct CUgraph_st *graphs;
static struct CUgraphExec_st *execs;

/* ---------------------------------------------------------------------------------------------- sets */

bool nodes_have(const struct node_set *set, const struct CUgraphNode_st *node) {
  for (size_t i = 0; i < set->count; i++)
    if (set->at[i] == node) return true;
  return false;
}

void nodes_add(struct node_set *set, struct CUgraphNode_st *node) {
  if ((set->count & (set->count - 1)) == 0) /* full at each power of two */
    set->at = needed(realloc(set->at, (set->count ? 2 * set->count : 1) * sizeof *set->at));
  set->at[set->count++] = node;
}

void nodes_join(struct node_set *into, const struct node_set *other) {
  for (size_t i = 0; i < other->count; i++)
    if (!nodes_have(into, other->at[i])) nodes_add(into, other->at[i]);
}

void nodes_free(struct node_set *set) {
  free(set->at);
  *set = (struct node_set){0};
}

/* ---------------------------------------------------------------------------------------------- graphs */

struct CUgraph_st *graph_new(const char *call, uintptr_t site) {
  struct CUgraph_st *g = needed(calloc(1, sizeof *g));
  *g = (struct CUgraph_st){.call = call, .site = site, .epoch = cucc.epoch, .next = graphs};
  graphs = g;
  return g;
}

void op_free(struct op *op) {
  if (!op) return;
  launch_free(op->launch);
  free(op->work);
  free(op);
}

void graph_free(struct CUgraph_st *g) {
  struct CUgraph_st **link = &graphs;
  while (*link != g) link = &(*link)->next;
  *link = g->next;
  for (size_t i = 0; i < g->nodes.count; i++) {
    struct CUgraphNode_st *node = g->nodes.at[i];
    op_free(node->op);
    nodes_free(&node->needs);
    free(node);
  }
  nodes_free(&g->nodes);
  free(g);
}

struct CUgraphNode_st *graph_add(struct CUgraph_st *g, struct op *op, int device,
                                 const struct node_set *needs) {
  struct CUgraphNode_st *node = needed(calloc(1, sizeof *node));
  *node = (struct CUgraphNode_st){.graph = g, .index = g->nodes.count, .op = op, .device = device};
  node->origin = node;
  if (needs) nodes_join(&node->needs, needs);
  nodes_add(&g->nodes, node);
  return node;
}

struct CUgraph_st *graph_of(cudaGraph_t handle) {
  struct CUgraph_st *g = graphs;
  while (g && g != handle) g = g->next;
  return g && g->site ? g : NULL;
}

/* The operation once more, with all that it owns; not queued yet. */
static struct op *op_clone(const struct op *from) {
  if (!from) return NULL;
  struct op *op = memcpy(needed(malloc(sizeof *op)), from, sizeof *op);
  if (op->launch) {
    op->launch = launch_clone(op->launch);
    op->launch->op = op;
    op->call = op->launch->name;
  }
  if (op->work) op->work = memcpy(needed(malloc(op->work->size)), op->work, op->work->size);
  return op;
}

/* A copy in which each node stands behind those that it needs; NULL when they need each other. */
static struct CUgraph_st *sorted_copy(const struct CUgraph_st *g, const char *call, uintptr_t site) {
  struct CUgraph_st *copy = graph_new(call, site);
  const size_t n = g->nodes.count;
  struct CUgraphNode_st **copied = needed(calloc(n + 1, sizeof *copied));
  for (size_t i = 0; i < n; i++) {
    struct CUgraphNode_st *from = g->nodes.at[i];
    bool ready = !copied[i];
    for (size_t k = 0; ready && k < from->needs.count; k++) ready = copied[from->needs.at[k]->index] != NULL;
    if (!ready) continue;
    struct node_set needs = {0};
    for (size_t k = 0; k < from->needs.count; k++) nodes_add(&needs, copied[from->needs.at[k]->index]);
    copied[i] = graph_add(copy, op_clone(from->op), from->device, &needs);
    copied[i]->origin = from->origin;
    nodes_free(&needs);
    i = (size_t)-1; /* from the beginning: of those that are ready, the one made first */
  }
  free(copied);
  if (copy->nodes.count == n) return copy;
  graph_free(copy);
  return NULL;
}

/* ---------------------------------------------------------------------------------------------- lanes */

/* Whether `node` comes after `earlier` in any case. */
static bool follows(const struct CUgraphNode_st *node, const struct CUgraphNode_st *earlier) {
  for (size_t i = 0; i < node->needs.count; i++) {
    const struct CUgraphNode_st *need = node->needs.at[i];
    if (need == earlier || (need->index > earlier->index && follows(need, earlier))) return true;
  }
  return false;
}

static void lay_out(struct CUgraphExec_st *x) {
  const struct node_set *nodes = &x->graph->nodes;
  x->lanes = needed(calloc(nodes->count + 1, sizeof *x->lanes));
  for (size_t i = 0; i < nodes->count; i++) {
    struct CUgraphNode_st *node = nodes->at[i];
    size_t k = 0;
    while (k < x->lane_count && (x->lanes[k].device != node->device || !follows(node, x->lanes[k].last))) k++;
    if (k == x->lane_count) x->lane_count++;
    x->lanes[k].device = node->device;
    x->lanes[k].last = node;
    node->lane = k;
  }
}

/* ---------------------------------------------------------------------------------------------- launch */

static bool alive(const void *p) {
  struct allocation a;
  const uintptr_t address = (uintptr_t)p;
  return !in_arena(address) || (memory_find(address, &a) && !a.freed && address - a.start < a.size);
}

/* Kernels find out by themselves; a copy was looked at when it was captured, and its memory may be gone. */
static bool copies_alive(const struct CUgraph_st *g) {
  for (size_t i = 0; i < g->nodes.count; i++) {
    const struct op *op = g->nodes.at[i]->op;
    if (!op || (op->kind != OP_COPY && op->kind != OP_FILL) || (alive(op->dst) && alive(op->src))) continue;
    check_bad_copy(op->call, op->dst, op->kind == OP_FILL ? NULL : op->src, op->bytes, false, op->site);
    return false;
  }
  return true;
}

static struct CUstream_st *stream_of_lane(struct lane_of_graph *lane, size_t index, struct CUstream_st *s) {
  if (index == 0 && lane->device == s->device) return s;
  if (!lane->stream) lane->stream = stream_new(lane->device, cudaStreamNonBlocking, 0, true, 0);
  return lane->stream;
}

static void queue_node(struct CUgraphExec_st *x, struct CUgraphNode_st *node, const struct clock *start,
                       struct CUstream_st *s) {
  struct clock before = {0};
  clock_join(&before, start);
  for (size_t k = 0; k < node->needs.count; k++) clock_join(&before, &node->needs.at[k]->after);
  if (!node->op) {
    node->after = before;
    return;
  }
  struct op *op = op_clone(node->op);
  op->stream = stream_of_lane(&x->lanes[node->lane], node->lane, s);
  op->in_graph = node->index > 0;
  op->clock = before;
  const struct CUstream_st *lane = op->stream;
  engine_queue(op);
  clock_join(&node->after, &lane->clock);
}

static void launch(struct CUgraphExec_st *x, struct CUstream_st *s) {
  const struct node_set *nodes = &x->graph->nodes;
  struct clock start = {0};
  engine_join_order(&start, s);
  clock_join(&start, &x->done);
  for (size_t i = 0; i < nodes->count; i++) queue_node(x, nodes->at[i], &start, s);
  clock_free(&start);
  for (size_t i = 0; i < nodes->count; i++) {
    clock_join(&s->clock, &nodes->at[i]->after);
    clock_free(&nodes->at[i]->after);
  }
  if (s->legacy) clock_join(&cucc.legacy[s->device], &s->clock);
  clock_join(&x->done, &s->clock);
}

/* ---------------------------------------------------------------------------------------------- calls */

/* Takes the lock; on an error it is not held. */
static cudaError_t exec_enter(const char *call, cudaGraphExec_t handle) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  struct CUgraphExec_st *x = execs;
  while (x && x != handle) x = x->next;
  if (x) return cudaSuccess;
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cudaErrorInvalidValue);
}

static cudaError_t instantiate(const char *call, cudaGraphExec_t *exec, cudaGraph_t handle, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  const struct CUgraph_st *g = graph_of(handle);
  struct CUgraph_st *copy = exec && g ? sorted_copy(g, call, 0) : NULL;
  if (copy) {
    struct CUgraphExec_st *x = *exec = needed(calloc(1, sizeof *x));
    *x = (struct CUgraphExec_st){.graph = copy, .site = site, .epoch = cucc.epoch, .next = execs};
    lay_out(x);
    execs = x;
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(copy ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  (void)flags; /* hints, or for what is not there: memory nodes, launches by the device */
  return instantiate("cudaGraphInstantiate", exec, graph, CALLER);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  (void)flags;
  return instantiate("cudaGraphInstantiateWithFlags", exec, graph, CALLER);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = exec_enter("cudaGraphLaunch", exec);
  if (error) return error;
  error = stream_use("cudaGraphLaunch", stream, USE_QUEUE, &s, CALLER);
  if (!error && s->capture) error = cudaErrorNotSupported; /* a graph within a graph */
  if (!error && !copies_alive(exec->graph)) error = cudaErrorInvalidValue;
  if (!error) launch(exec, s);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

/* A graph is as near to the device before its first launch as after it. */
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = exec_enter("cudaGraphUpload", exec);
  if (error) return error;
  error = stream_use("cudaGraphUpload", stream, USE_LOOK, &s, CALLER);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

static void exec_clear(struct CUgraphExec_st *x) {
  graph_free(x->graph);
  for (size_t i = 0; i < x->lane_count; i++)
    if (x->lanes[i].stream) x->lanes[i].stream->destroyed = true; /* its work still runs */
  free(x->lanes);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  cudaError_t error = exec_enter("cudaGraphExecDestroy", exec);
  if (error) return error;
  struct CUgraphExec_st **link = &execs;
  while (*link != exec) link = &(*link)->next;
  *link = exec->next;
  exec_clear(exec);
  clock_free(&exec->done);
  free(exec);
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

/* Why the nodes of b cannot take the places of a's. */
static enum cudaGraphExecUpdateResult difference(const struct CUgraph_st *a, const struct CUgraph_st *b) {
  if (a->nodes.count != b->nodes.count) return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < a->nodes.count; i++) {
    const struct CUgraphNode_st *p = a->nodes.at[i], *q = b->nodes.at[i];
    if (p->needs.count != q->needs.count) return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t k = 0; k < p->needs.count; k++)
      if (p->needs.at[k]->index != q->needs.at[k]->index) return cudaGraphExecUpdateErrorTopologyChanged;
    if (!p->op != !q->op || (p->op && p->op->kind != q->op->kind))
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (p->device != q->device) return cudaGraphExecUpdateErrorParametersChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  cudaError_t error = exec_enter("cudaGraphExecUpdate", exec);
  if (error) return error;
  const struct CUgraph_st *g = graph_of(graph);
  struct CUgraph_st *copy = g ? sorted_copy(g, "cudaGraphExecUpdate", 0) : NULL;
  const enum cudaGraphExecUpdateResult why = copy ? difference(exec->graph, copy) : cudaGraphExecUpdateError;
  if (result) *result = (cudaGraphExecUpdateResultInfo){.result = why};
  if (!why) {
    exec_clear(exec);
    exec->graph = copy;
    exec->lane_count = 0;
    lay_out(exec);
  } else if (copy)
    graph_free(copy);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(!why ? cudaSuccess : g ? cudaErrorGraphExecUpdateFailure : cudaErrorInvalidValue);
}

struct CUgraphNode_st *graph_node_of_exec(cudaGraphExec_t exec, const struct CUgraphNode_st *node) {
  const struct CUgraphExec_st *x = execs;
  while (x && x != exec) x = x->next;
  for (size_t i = 0; x && i < x->graph->nodes.count; i++)
    if (x->graph->nodes.at[i]->origin == node->origin) return x->graph->nodes.at[i];
  return NULL;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  cudaError_t error = cucc_enter("cudaGraphClone");
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  const struct CUgraph_st *g = graph_of(graph);
  struct CUgraph_st *copy = clone && g ? sorted_copy(g, "cudaGraphClone", CALLER) : NULL;
  if (copy) *clone = copy;
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(copy ? cudaSuccess : cudaErrorInvalidValue);
}

void graph_each_leak(void (*leak)(const char *what, const char *call, uintptr_t site)) {
  for (const struct CUgraph_st *g = graphs; g; g = g->next)
    if (g->site && g->epoch == cucc.epoch) leak("a graph", g->call, g->site);
  for (const struct CUgraphExec_st *x = execs; x; x = x->next)
    if (x->epoch == cucc.epoch) leak("an executable graph", "cudaGraphInstantiate", x->site);
}

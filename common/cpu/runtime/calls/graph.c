/*
 * Executable graphs: their branches, and the calls that make, launch and update them.
 */
#include "base/base.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/needed.h"
#include "state/capture.h"
#include "state/counters.h"
#include "state/graph.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "state/work_record.h"
#include "memory/arena.h"
#include "checker/bad_copy.h"
#include "checker/misuse.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/stream.h"

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
  x->branches = needed(calloc(nodes->count + 1, sizeof *x->branches));
  for (size_t i = 0; i < nodes->count; i++) {
    struct CUgraphNode_st *node = nodes->at[i];
    size_t k = 0;
    while (k < x->branch_count &&
           (x->branches[k].device != node->device || !follows(node, x->branches[k].last)))
      k++;
    if (k == x->branch_count) x->branch_count++;
    x->branches[k].device = node->device;
    x->branches[k].last = node;
    node->branch = k;
  }
}

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

static struct CUstream_st *stream_of_branch(struct branch *branch, size_t index, struct CUstream_st *s) {
  if (index == 0 && branch->device == s->device) return s;
  if (!branch->stream) branch->stream = stream_new(branch->device, cudaStreamNonBlocking, 0, true, 0);
  return branch->stream;
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
  op->stream = stream_of_branch(&x->branches[node->branch], node->branch, s);
  op->of_graph = true;
  op->in_graph = node->index > 0;
  op->clock = before;
  const struct CUstream_st *stream = op->stream;
  engine_queue(op);
  if (op->work && op->work->launched) op->work->launched(op);
  clock_join(&node->after, &stream->clock);
}

static void launch(struct CUgraphExec_st *x, struct CUstream_st *s) {
  count(COUNT_GRAPH_LAUNCHES);
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

/* Takes the lock; on an error it is not held. */
static cudaError_t exec_enter(const char *call, cudaGraphExec_t handle, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  struct CUgraphExec_st *x = graph_execs;
  while (x && x != handle) x = x->next;
  if (x) return cudaSuccess;
  if (handle)
    check_bad_handle(call, "is given an executable graph that was never created, or was destroyed",
                     WITHOUT_VALUE, site, 0);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cudaErrorInvalidValue);
}

static cudaError_t instantiate(const char *call, cudaGraphExec_t *exec, cudaGraph_t handle, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  const struct CUgraph_st *g = graph_of(handle);
  struct CUgraph_st *copy = exec && g ? graph_copy(g, call, 0) : NULL;
  if (copy) {
    struct CUgraphExec_st *x = *exec = needed(calloc(1, sizeof *x));
    *x = (struct CUgraphExec_st){.graph = copy, .site = site, .epoch = cucc.epoch, .next = graph_execs};
    lay_out(x);
    graph_execs = x;
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
  cudaError_t error = exec_enter("cudaGraphLaunch", exec, CALLER);
  if (error) return error;
  error = stream_use("cudaGraphLaunch", stream, USE_QUEUE, &s, CALLER);
  if (!error && !copies_alive(exec->graph)) error = cudaErrorInvalidValue;
  if (!error && s->capture)
    capture_take_graph(s, graph_copy(exec->graph, "", 0));
  else if (!error)
    launch(exec, s);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

/* A graph is as near to the device before its first launch as after it. */
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = exec_enter("cudaGraphUpload", exec, CALLER);
  if (error) return error;
  error = stream_use("cudaGraphUpload", stream, USE_LOOK, &s, CALLER);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

static void exec_clear(struct CUgraphExec_st *x) {
  graph_free(x->graph);
  for (size_t i = 0; i < x->branch_count; i++)
    if (x->branches[i].stream) x->branches[i].stream->destroyed = true; /* its work still runs */
  free(x->branches);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  cudaError_t error = exec_enter("cudaGraphExecDestroy", exec, CALLER);
  if (error) return error;
  struct CUgraphExec_st **link = &graph_execs;
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
  cudaError_t error = exec_enter("cudaGraphExecUpdate", exec, CALLER);
  if (error) return error;
  const struct CUgraph_st *g = graph_of(graph);
  struct CUgraph_st *copy = g ? graph_copy(g, "cudaGraphExecUpdate", 0) : NULL;
  const enum cudaGraphExecUpdateResult why = copy ? difference(exec->graph, copy) : cudaGraphExecUpdateError;
  if (result) *result = (cudaGraphExecUpdateResultInfo){.result = why};
  if (!why) {
    exec_clear(exec);
    exec->graph = copy;
    exec->branch_count = 0;
    lay_out(exec);
  } else if (copy)
    graph_free(copy);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(!why ? cudaSuccess : g ? cudaErrorGraphExecUpdateFailure : cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  cudaError_t error = cucc_enter("cudaGraphClone");
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  const struct CUgraph_st *g = graph_of(graph);
  struct CUgraph_st *copy = clone && g ? graph_copy(g, "cudaGraphClone", CALLER) : NULL;
  if (copy) *clone = copy;
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(copy ? cudaSuccess : cudaErrorInvalidValue);
}

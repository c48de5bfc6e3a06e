/* Calls that make a graph node by node, and that ask about its nodes. */
#include "base/base.h"

#include "state/capture.h"
#include "state/device.h"
#include "state/graph.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "checker/misuse.h"
#include "engine/copy.h"
#include "engine/entry.h"
#include "engine/launch.h"
#include "engine/stream.h"

/* Takes the lock; on an error it is not held. */
static cudaError_t graph_enter(const char *call, cudaGraph_t handle, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  if (graph_of(handle)) return cudaSuccess;
  if (handle)
    check_bad_handle(call, "is given a graph that was never created, or was destroyed", WITHOUT_VALUE, site,
                     0);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  cudaError_t error = cucc_enter("cudaGraphCreate");
  if (error) return error;
  if (!graph || flags) return cucc_fail(cudaErrorInvalidValue);
  pthread_mutex_lock(&cucc.lock);
  *graph = graph_new("cudaGraphCreate", CALLER);
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  cudaError_t error = graph_enter("cudaGraphDestroy", graph, CALLER);
  if (error) return error;
  graph_free(graph);
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

/* The nodes of a graph, all or those without needs: at most *count of them; nodes NULL only counts. */
static cudaError_t get_nodes(const char *call, cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count,
                             bool roots, uintptr_t site) {
  if (!count) return cucc_fail(cudaErrorInvalidValue);
  cudaError_t error = graph_enter(call, graph, site);
  if (error) return error;
  size_t found = 0, room = nodes ? *count : 0;
  for (size_t i = 0; i < graph->nodes.count; i++) {
    if (roots && graph->nodes.at[i]->needs.count) continue;
    if (found < room) nodes[found] = graph->nodes.at[i];
    found++;
  }
  for (size_t i = found; i < room; i++) nodes[i] = NULL;
  *count = nodes && found > room ? room : found;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return get_nodes("cudaGraphGetNodes", graph, nodes, count, false, CALLER);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return get_nodes("cudaGraphGetRootNodes", graph, nodes, count, true, CALLER);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  static const enum cudaGraphNodeType types[] = {[OP_COPY] = cudaGraphNodeTypeMemcpy,
                                                 [OP_FILL] = cudaGraphNodeTypeMemset,
                                                 [OP_KERNEL] = cudaGraphNodeTypeKernel,
                                                 [OP_HOST] = cudaGraphNodeTypeHost,
                                                 [OP_WORK] = cudaGraphNodeTypeKernel};
  cudaError_t error = cucc_enter("cudaGraphNodeGetType");
  if (error) return error;
  if (!node || !type) return cucc_fail(cudaErrorInvalidValue);
  *type = node->op ? types[node->op->kind] : node->child ? cudaGraphNodeTypeGraph : cudaGraphNodeTypeEmpty;
  return cudaSuccess;
}

/* ---------------------------------------------------------------------------------------------- operations
 *
 * The operation of a node is made by the call that would queue it in a stream, captured into a graph that is
 * thrown away: so what is allowed and what is checked is the same for both.
 */

typedef cudaError_t (*ask_t)(const void *params, cudaStream_t stream, uintptr_t site);

static cudaError_t make(ask_t ask, const void *params, uintptr_t site, struct op **op) {
  if (!params) return cudaErrorInvalidValue;
  pthread_mutex_lock(&cucc.lock);
  struct CUgraph_st *scratch = graph_new("", 0);
  struct CUstream_st *s = capture_open(scratch);
  pthread_mutex_unlock(&cucc.lock);
  cudaError_t error = ask(params, s, site);
  pthread_mutex_lock(&cucc.lock);
  capture_close(s);
  *op = NULL;
  if (scratch->nodes.count) {
    *op = scratch->nodes.at[0]->op;
    scratch->nodes.at[0]->op = NULL;
  }
  graph_free(scratch);
  pthread_mutex_unlock(&cucc.lock);
  return error ? error : *op ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t ask_kernel(const void *params, cudaStream_t stream, uintptr_t site) {
  const struct cudaKernelNodeParams *p = params;
  if (p->extra) return cudaErrorNotSupported;
  return launch_by_address(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, stream, 0,
                           site);
}

static cudaError_t ask_transfer(const void *params, cudaStream_t stream, uintptr_t site) {
  struct transfer_request r = *(const struct transfer_request *)params;
  r.stream = stream;
  r.site = site;
  return copy_transfer(&r);
}

static cudaError_t ask_memset(const void *params, cudaStream_t stream, uintptr_t site) {
  const struct cudaMemsetParams *p = params;
  const size_t row = p->width * p->elementSize;
  const unsigned byte = p->value & 0xff;
  const bool same_bytes =
      p->elementSize == 1 || p->value == byte * (p->elementSize == 2 ? 0x101u : 0x1010101u);
  if (!p->dst || !p->height || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return cudaErrorInvalidValue;
  if (!same_bytes || (p->height > 1 && p->pitch != row)) return cudaErrorNotSupported;
  const struct transfer_request r = {
      .call = "cudaGraphAddMemsetNode", .dst = p->dst, .value = (int)byte, .bytes = row * p->height};
  return ask_transfer(&r, stream, site);
}

static cudaError_t ask_host(const void *params, cudaStream_t stream, uintptr_t site) {
  const struct cudaHostNodeParams *p = params;
  return stream_queue_host("cudaGraphAddHostNode", stream, p->fn, p->userData, site);
}

/* ---------------------------------------------------------------------------------------------- new nodes */

/* Adds a node for an operation or a child; both NULL: an empty node. Takes them over. */
static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                       struct op *op, struct CUgraph_st *child) {
  cudaError_t error = cudaSuccess;
  struct node_set set = {0};
  pthread_mutex_lock(&cucc.lock);
  if (!node || !graph_of(graph) || (count && !needs)) error = cudaErrorInvalidValue;
  for (size_t i = 0; !error && i < count; i++) {
    if (!nodes_have(&graph->nodes, needs[i])) error = cudaErrorInvalidValue;
    nodes_add(&set, needs[i]);
  }
  if (!error) {
    *node = graph_add(graph, op, device_current(), &set);
    (*node)->child = child;
  } else {
    op_free(op);
    if (child) graph_free(child);
  }
  nodes_free(&set);
  pthread_mutex_unlock(&cucc.lock);
  return error;
}

static cudaError_t make_and_add(const char *call, cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *needs, size_t count, ask_t ask, const void *params,
                                uintptr_t site) {
  struct op *op;
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!(error = make(ask, params, site, &op))) error = add(node, graph, needs, count, op, NULL);
  return cucc_fail(error);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                   size_t count, const struct cudaKernelNodeParams *params) {
  return make_and_add("cudaGraphAddKernelNode", node, graph, needs, count, ask_kernel, params, CALLER);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                     size_t count, void *dst, const void *src, size_t bytes,
                                     enum cudaMemcpyKind kind) {
  const struct transfer_request r = {
      .call = "cudaGraphAddMemcpyNode1D", .dst = dst, .src = src, .bytes = bytes, .kind = kind};
  if (!dst || !src || !bytes) return cucc_fail(cudaErrorInvalidValue);
  return make_and_add("cudaGraphAddMemcpyNode1D", node, graph, needs, count, ask_transfer, &r, CALLER);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                   size_t count, const struct cudaMemsetParams *params) {
  return make_and_add("cudaGraphAddMemsetNode", node, graph, needs, count, ask_memset, params, CALLER);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                 size_t count, const struct cudaHostNodeParams *params) {
  return make_and_add("cudaGraphAddHostNode", node, graph, needs, count, ask_host, params, CALLER);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                  size_t count) {
  cudaError_t error = cucc_enter("cudaGraphAddEmptyNode");
  return error ? error : cucc_fail(add(node, graph, needs, count, NULL, NULL));
}

/* The child is copied as it is now. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                       size_t count, cudaGraph_t child) {
  cudaError_t error = graph_enter("cudaGraphAddChildGraphNode", child, CALLER);
  if (error) return error;
  struct CUgraph_st *copy = graph_copy(child, "", 0);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(copy ? add(node, graph, needs, count, NULL, copy) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count) {
  cudaError_t error = graph_enter("cudaGraphAddDependencies", graph, CALLER);
  if (error) return error;
  (void)edges; /* those that say more than "comes after" are of kernels that trigger others: not here */
  for (size_t i = 0; !error && i < count; i++) {
    if (!nodes_have(&graph->nodes, from[i]) || !nodes_have(&graph->nodes, to[i]) ||
        nodes_have(&to[i]->needs, from[i]))
      error = cudaErrorInvalidValue;
    else
      nodes_add(&to[i]->needs, from[i]);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

/* ---------------------------------------------------------------------------------------------- changes */

static cudaError_t set_kernel(struct CUgraphNode_st *node, const struct cudaKernelNodeParams *params,
                              uintptr_t site) {
  struct op *op;
  if (!node || !node->op || node->op->kind != OP_KERNEL) return cudaErrorInvalidValue;
  cudaError_t error = make(ask_kernel, params, site, &op);
  if (error) return error;
  op_free(node->op);
  node->op = op;
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params) {
  cudaError_t error = cucc_enter("cudaGraphKernelNodeSetParams");
  return error ? error : cucc_fail(set_kernel(node, params, CALLER));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params) {
  cudaError_t error = cucc_enter("cudaGraphExecKernelNodeSetParams");
  if (error) return error;
  return cucc_fail(node ? set_kernel(graph_node_of_exec(exec, node), params, CALLER) : cudaErrorInvalidValue);
}

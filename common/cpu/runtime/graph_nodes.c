/* Graphs made and asked node by node. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* Takes the lock; on an error it is not held. */
static cudaError_t graph_enter(const char *call, cudaGraph_t handle) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  if (graph_of(handle)) return cudaSuccess;
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
  cudaError_t error = graph_enter("cudaGraphDestroy", graph);
  if (error) return error;
  graph_free(graph);
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

/* The nodes of a graph, all or those without needs: at most *count of them; nodes NULL only counts. */
static cudaError_t get_nodes(const char *call, cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count,
                             bool roots) {
  if (!count) return cucc_fail(cudaErrorInvalidValue);
  cudaError_t error = graph_enter(call, graph);
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
  return get_nodes("cudaGraphGetNodes", graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return get_nodes("cudaGraphGetRootNodes", graph, nodes, count, true);
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
  *type = node->op ? types[node->op->kind] : cudaGraphNodeTypeEmpty;
  return cudaSuccess;
}

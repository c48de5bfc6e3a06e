/* Graphs as wholes: copies, instantiation, launch. graph.h explains the design. */
#include "state/graph.h"

#include <stdlib.h>

#include "base/needed.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/state.h"

static struct CUgraph_st *graphs;
struct CUgraphExec_st *graph_execs;

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

struct CUgraphNode_st *graph_node_of_exec(cudaGraphExec_t exec, const struct CUgraphNode_st *node) {
  const struct CUgraphExec_st *x = graph_execs;
  while (x && x != exec) x = x->next;
  for (size_t i = 0; x && i < x->graph->nodes.count; i++)
    if (x->graph->nodes.at[i]->origin == node->origin) return x->graph->nodes.at[i];
  return NULL;
}

void graph_each_leak(void (*leak)(const char *what, const char *call, uintptr_t site)) {
  for (const struct CUgraph_st *g = graphs; g; g = g->next)
    if (g->site && g->epoch == cucc.epoch) leak("a graph", g->call, g->site);
  for (const struct CUgraphExec_st *x = graph_execs; x; x = x->next)
    if (x->epoch == cucc.epoch) leak("an executable graph", "cudaGraphInstantiate", x->site);
}

int graph_count(void) {
  int count = 0;
  for (const struct CUgraph_st *g = graphs; g; g = g->next) count += g->site != 0;
  for (const struct CUgraphExec_st *x = graph_execs; x; x = x->next) count++;
  return count;
}

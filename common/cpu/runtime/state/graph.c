/* Graphs as wholes: what they own, and copies. graph.h explains the design. */
#include "state/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/state.h"
#include "state/work_record.h"

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

struct op *op_clone(const struct op *from) {
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
    if (node->child) graph_free(node->child);
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

static struct CUgraphNode_st *copy_node(struct CUgraph_st *into, const struct CUgraphNode_st *from,
                                        const struct node_set *needs) {
  struct CUgraphNode_st *node = graph_add(into, op_clone(from->op), from->device, needs);
  node->origin = from->origin;
  return node;
}

/* The copies of the nodes that a node needs, by their numbers. */
static struct node_set copied_needs(const struct CUgraphNode_st *node, struct CUgraphNode_st **copied) {
  struct node_set needs = {0};
  for (size_t k = 0; k < node->needs.count; k++) nodes_add(&needs, copied[node->needs.at[k]->index]);
  return needs;
}

/* Copies the nodes of a child, each of which comes after those that it needs. Its roots come after `needs`, which
 * become its last nodes. */
static void copy_child(struct CUgraph_st *into, const struct CUgraph_st *child, struct node_set *needs) {
  const size_t n = child->nodes.count;
  struct CUgraphNode_st **copied = needed(calloc(n + 1, sizeof *copied));
  bool *followed = needed(calloc(n + 1, sizeof *followed));
  for (size_t i = 0; i < n; i++) {
    const struct CUgraphNode_st *from = child->nodes.at[i];
    struct node_set own = copied_needs(from, copied);
    copied[i] = copy_node(into, from, own.count ? &own : needs);
    for (size_t k = 0; k < from->needs.count; k++) followed[from->needs.at[k]->index] = true;
    nodes_free(&own);
  }
  if (n) nodes_free(needs);
  for (size_t i = 0; i < n; i++)
    if (!followed[i]) nodes_add(needs, copied[i]);
  free(copied);
  free(followed);
}

struct CUgraph_st *graph_copy(const struct CUgraph_st *g, const char *call, uintptr_t site) {
  struct CUgraph_st *copy = graph_new(call, site);
  const size_t n = g->nodes.count;
  struct CUgraphNode_st **copied = needed(calloc(n + 1, sizeof *copied));
  size_t done = 0;
  for (size_t i = 0; i < n; i++) {
    const struct CUgraphNode_st *from = g->nodes.at[i];
    bool ready = !copied[i];
    for (size_t k = 0; ready && k < from->needs.count; k++) ready = copied[from->needs.at[k]->index] != NULL;
    if (!ready) continue;
    struct node_set needs = copied_needs(from, copied);
    if (from->child) copy_child(copy, from->child, &needs);
    copied[i] = copy_node(copy, from, &needs);
    nodes_free(&needs);
    done++;
    i = (size_t)-1; /* from the beginning: of those that are ready, the one made first */
  }
  free(copied);
  if (done == n) return copy;
  graph_free(copy);
  return NULL;
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

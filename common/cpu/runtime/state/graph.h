/*
 * Graphs, and the nodes that they are made of.
 *
 * A node is an operation that was asked for and not queued, with the nodes that come before it. Instantiating
 * copies the graph and lays it out in branches, each of which is a stream at launch: branch 0 is the stream
 * of the launch, the others are the graph's own. A node follows in its branch a node that it has to follow
 * anyway, so that branches order nothing that the graph does not.
 *
 *     capture    A ── B ── D        branch 0   A ── B ── D
 *                  ╲─ C ─╱          branch 1      ╲─ C ─╱
 *
 * All functions here are called with cucc.lock held.
 */
#ifndef CUCC_STATE_GRAPH_H
#define CUCC_STATE_GRAPH_H

#include "base/base.h"
#include "base/clock.h"
#include "state/op.h"

struct CUstream_st;

struct CUgraphNode_st {
  struct CUgraph_st *graph;
  size_t index;                        /* in its graph */
  const struct CUgraphNode_st *origin; /* the first of a line of copies */
  struct op *op;            /* as it will be queued; NULL: an empty node, which only joins others */
  struct CUgraph_st *child; /* its own: the node stands for all of its nodes; NULL: none */
  int device;
  struct node_set needs;
  size_t branch;
  struct clock after; /* while the graph is queued: when this node has run */
};

struct CUgraph_st {
  struct node_set nodes;
  uintptr_t site; /* where it was made; 0: still being captured, or the runtime's own */
  const char *call;
  unsigned epoch;
  struct CUgraph_st *next;
};

struct branch {
  int device;
  struct CUgraphNode_st *last;
  struct CUstream_st *stream; /* made at the first launch that needs it */
};

struct CUgraphExec_st {
  struct CUgraph_st *graph; /* its own copy, each node after those that it needs */
  struct branch *branches;
  size_t branch_count;
  struct clock done; /* the last launch: the next one comes after it */
  uintptr_t site;
  unsigned epoch;
  struct CUgraphExec_st *next;
};

void nodes_add(struct node_set *set, struct CUgraphNode_st *node);
void nodes_join(struct node_set *into, const struct node_set *other);
void nodes_free(struct node_set *set);
bool nodes_have(const struct node_set *set, const struct CUgraphNode_st *node);

/* A new graph. Without a site it is no leak. */
struct CUgraph_st *graph_new(const char *call, uintptr_t site);
void graph_free(struct CUgraph_st *graph);
/* Adds a node; takes op over. No needs (NULL): a root. */
struct CUgraphNode_st *graph_add(struct CUgraph_st *graph, struct op *op, int device,
                                 const struct node_set *needs);
/* A copy in which each node comes after those that it needs, and a child's nodes stand before its node, which
 * joins them; NULL when nodes need each other. */
struct CUgraph_st *graph_copy(const struct CUgraph_st *graph, const char *call, uintptr_t site);
struct CUgraph_st *graph_of(cudaGraph_t handle);
/* The node of an executable graph that was made of this one; NULL: none, or no such graph. */
struct CUgraphNode_st *graph_node_of_exec(cudaGraphExec_t exec, const struct CUgraphNode_st *node);
/* The operation once more, with all that it owns; not queued yet. NULL of NULL. */
struct op *op_clone(const struct op *op);
/* Of an operation that is not queued. */
void op_free(struct op *op);
void graph_each_leak(void (*leak)(const char *what, const char *call, uintptr_t site));
/* Graphs that were made and not destroyed, executable ones too; with cucc.lock held. */
int graph_count(void);
extern struct CUgraphExec_st *graph_execs;

#endif

// expect: memcheck: -
// says: is given a graph that was never created, or was destroyed|is given an executable graph that was never
/* A graph and an executable graph are destroyed twice. */
#include "program.h"

int main() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
#ifndef FIXED
  cudaGraphExecDestroy(exec); // <- at
  cudaGraphDestroy(graph);    // <- at
#endif
}

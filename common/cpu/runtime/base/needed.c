/* Memory for the runtime's own records. A call that can fails with cudaErrorMemoryAllocation where there is
 * none; code that cannot return an error (a hook, the engine, a report) ends the program here. */
#include "base/needed.h"

#include <stdio.h>
#include <unistd.h>

void *needed(void *memory) {
  if (LIKELY(memory)) return memory;
  fprintf(stderr, "cucc: out of memory: the system has none left for the runtime's own records (is there a "
                  "limit, ulimit -v?); try a smaller problem, or `cucc --fast`, which keeps fewer records\n");
  _exit(2);
}

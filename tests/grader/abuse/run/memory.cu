// says: MiB of memory
// with: GRADER_MEMORY_MB=700
#include <cstdlib>
static void abuse(void) {
  for (int i = 0; i < 1000; i++) {
    volatile char *p = (volatile char *)malloc(1 << 20);
    for (int k = 0; p && k < 1 << 20; k += 4096) p[k] = 1;
  }
}

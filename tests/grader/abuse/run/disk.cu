// says: MiB of disk|a file of more|never|crash|signal|was rejected without being run|graded
// sandbox: MiB of disk|graded
// with: GRADER_DISK_MB=8
#include <cstdio>
#include <cstdlib>
static void abuse(void) {
  static char block[1 << 20];
  char name[4096];
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "%s/fill-%d", getenv("TMPDIR"), i);
    FILE *f = fopen(name, "w");
    if (f) fwrite(block, 1, sizeof block, f);
  }
}

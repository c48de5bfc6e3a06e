/* memory.cu: see memory.h. */
#include "memory.h"
#include "wb.h"

#define MOST_ALLOCATIONS 16

/* Of the CPU backend. */
extern "C" int cucc_fail_memory(int number) __attribute__((weak));

/* Whether an exception left cache_create. */
static bool throws(build_function *build, struct kernel_cache **cache) {
  try {
    *cache = cache_create(build);
    return false;
  } catch (...) {
    return true;
  }
}

void judge_no_memory(build_function *build) {
  if (!cucc_fail_memory) return;
  for (int number = 1; number <= MOST_ALLOCATIONS; number++) {
    struct kernel_cache *cache = NULL;
    wb_if_it_dies("It was in cache_create, where there was no memory: malloc gives NULL there");
    cucc_fail_memory(number);
    const bool threw = throws(build, &cache);
    const bool failed = cucc_fail_memory(0) > 0;
    cache_destroy(cache);
    wb_if_it_dies(NULL);
    if (threw)
      wb_complain("let an exception leave cache_create where there is no memory: it returns NULL there, and "
                  "new (std::nothrow) does not throw");
    else if (failed && cache)
      wb_complain("returned a cache from cache_create, though there was no memory: it returns NULL there");
    if (threw || !failed) return;
  }
}

__attribute__((no_sanitize("thread"))) static int get(int *p) { return *p; }
extern "C" __global__ void k(int *p) { *p = get(p + 1); }
// says: switches off the checks

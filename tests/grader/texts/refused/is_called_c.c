static const char *from = R"(" /*)";
__attribute__((no_sanitize("thread"))) extern "C" __global__ void k(int *p) { *p = 1; }
static const char *to = R"(*/ ")";
// says: no_sanitize

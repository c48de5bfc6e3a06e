static const char text[] = R"-(asm)-";
extern "C" __global__ void k(int *p) { *p = 1; }
// says: a raw string

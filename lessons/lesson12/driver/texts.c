/* texts.c: see texts.h. */
#include "texts.h"

#include <stdio.h>
#include <string.h>

#define ERRORS 40 /* of TEXT_MANY */

static const char map_of[] = "extern \"C\" __global__ void %s(const float *x, float *y, size_t n) {\n"
                             "  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "%s"
                             "}\n";

void undeclared_name(double factor, char *name) {
  snprintf(name, 48, "undeclared_%08x", (unsigned)(factor * (1 << 24)));
}

void write_text(text_kind kind, double factor, char *text) {
  char body[TEXT_SIZE / 2] = "  if (i < n) y[i] = FACTOR * x[i];\n", name[48];
  undeclared_name(factor, name);
  int used = 0;
  if (kind == TEXT_OPTIONS)
    snprintf(body, sizeof body,
             "#ifndef ARCHITECTURE\n  if (i < n) y[i] = -1.0f;\n"
             "#elif __CUDA_ARCH__ == ARCHITECTURE\n  if (i < n) y[i] = FACTOR * x[i];\n"
             "#else\n  if (i < n) y[i] = 0.0f;\n#endif\n");
  if (kind == TEXT_WARNING)
    snprintf(body, sizeof body, "#warning %s\n  if (i < n) y[i] = FACTOR * x[i];\n", name);
  if (kind == TEXT_BROKEN) snprintf(body, sizeof body, "  if (i < n) y[i] = %s * x[i];\n", name);
  for (int k = ERRORS - 1; kind == TEXT_MANY && k >= 0; k--)
    used +=
        snprintf(body + used, sizeof body - (size_t)used, "  if (i < n) y[i] += %s%.0d * x[i];\n", name, k);
  int at = snprintf(text, TEXT_SIZE, "// %s\n", DECOY);
  if (kind != TEXT_OPTIONS) at += snprintf(text + at, TEXT_SIZE - (size_t)at, "#define FACTOR %af\n", factor);
  snprintf(text + at, TEXT_SIZE - (size_t)at, map_of, kind == TEXT_NO_KERNEL ? "map_of_floats" : "map", body);
}

const char *options_text(unsigned options) {
  static const char *const texts[OPTIONS] = {"", "-DN=3", "-DN=31"};
  return texts[options % OPTIONS];
}

/*
 * Pairs that caches confuse: 0 and 1 differ in the last character, 2 and 3 in their length, 4 and 5 in the order
 * of their characters. 6 and 7 have the same hash by FNV-1a of 32 bits, 10 and 11 by djb2. Source 1 followed by
 * the options -DN=3 is source 8. 12 is empty, and 13 to 16 begin with the same thousands of characters, as files
 * with the same head do; so does every eighth of all others.
 */
void write_source(unsigned source, char *text, size_t size) {
  static const char *const known[] = {
      "map of x + 1", "map of x + 2", "map of x", "map of x ",         "map of ab",
      "map of ba",    "costarring",   "liquid",   "map of x + 2-DN=3", "this can't be built",
      "hetairas",     "mentioner",    ""};
  if (source < sizeof known / sizeof *known)
    snprintf(text, size, "%s", known[source]);
  else if (source <= 16 || source % 8 == 5)
    snprintf(text, size, "// %5000s\n__device__ int number = %u;", "a long comment", source);
  else
    snprintf(text, size,
             "extern \"C\" __global__ void map(const float *x, float *y, size_t n) "
             "{ if (threadIdx.x < n) y[threadIdx.x] = %u; }",
             source);
}

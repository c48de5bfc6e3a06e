/* texts.c: see texts.h. */
#include "texts.h"

#include <stdio.h>
#include <string.h>

#define ERRORS 40 /* of TEXT_MANY */

static const char map_of[] = "extern \"C\" __global__ void %s(const float *x, float *y, size_t n) {\n"
                             "  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "%s"
                             "}\n";

void words_of_log(text_kind kind, double factor, char *words) {
  snprintf(words, 48, kind == TEXT_WARNING ? "100%% of %08x" : "undeclared_%08x",
           (unsigned)(factor * (1 << 24)));
}

void write_text(text_kind kind, double factor, char *text) {
  char body[TEXT_SIZE / 2] = "  if (i < n) y[i] = FACTOR * x[i];\n", words[48];
  words_of_log(kind, factor, words);
  int used = 0;
  if (kind == TEXT_OPTIONS)
    snprintf(body, sizeof body,
             "#ifndef ARCHITECTURE\n  if (i < n) y[i] = -1.0f;\n"
             "#elif __CUDA_ARCH__ == ARCHITECTURE\n  if (i < n) y[i] = FACTOR * x[i];\n"
             "#else\n  if (i < n) y[i] = 0.0f;\n#endif\n");
  if (kind == TEXT_WARNING)
    snprintf(body, sizeof body, "#warning %s\n  if (i < n) y[i] = FACTOR * x[i];\n", words);
  if (kind == TEXT_BROKEN) snprintf(body, sizeof body, "  if (i < n) y[i] = %s * x[i];\n", words);
  for (int k = ERRORS - 1; kind == TEXT_MANY && k >= 0; k--)
    used +=
        snprintf(body + used, sizeof body - (size_t)used, "  if (i < n) y[i] += %s%.0d * x[i];\n", words, k);
  int at = snprintf(text, TEXT_SIZE, "// %s\n", DECOY);
  if (kind != TEXT_OPTIONS) at += snprintf(text + at, TEXT_SIZE - (size_t)at, "#define FACTOR %af\n", factor);
  snprintf(text + at, TEXT_SIZE - (size_t)at, map_of, kind == TEXT_NO_KERNEL ? "map_of_floats" : "map", body);
}

/* Nothing; then one, two and three of each: tab, line feed, carriage return, and what ASCII can print. */
static void write_glue(unsigned number, char glue[4]) {
  const unsigned which = (number + 2) / 3, times = (number + 2) % 3 + 1;
  const char character = which < 4 ? "?\t\n\r"[which] : (char)(' ' + which - 4);
  snprintf(glue, 4, "%.*s", number ? (int)times : 0, (char[]){character, character, character, 0});
}

void write_options(unsigned options, char *text, size_t size) {
  static const char *const texts[OPTIONS] = {"", "-DN=3", "-DN=31"};
  char glue[4] = "";
  if (options >= GLUED_OPTIONS) write_glue(options - GLUED_OPTIONS, glue);
  if (options >= GLUED_OPTIONS)
    snprintf(text, size, "-DN=3%s-DN=3", glue);
  else
    snprintf(text, size, "%s", texts[options % OPTIONS]);
}

int is_between(unsigned source) { return source > 16 && source < GLUED_SOURCES && source % 8 == 1; }

/* A number of eight digits in a long line of blanks. */
static void write_between(unsigned source, char *text, size_t size) {
  const int before = 100 + (int)(source * 2654435761u % 4800), after = 5000 - before;
  snprintf(text, size, "//%*s%08u%*s\n__device__ int number;", before, "", source, after, "");
}

/*
 * Pairs of texts with the same hash of 64 bits: by any h = h * b + c (the sequence of Thue and Morse, and the
 * same with its letters exchanged), by std::hash of libstdc++, by FNV-1a, by FNV-1.
 */
static void write_hashed(unsigned number, char *text, size_t size) {
  static const char *const others[] = {"map ofou of a, b", "map naaalAVB0Jov", "kR6Vrksgf53",
                                       "c18Vgi1pGR8",      "592fQrp9V-9",      "CTYK1Bwn3f2"};
  const size_t length = 2048;
  if (number >= 2) {
    snprintf(text, size, "%s", others[number - 2]);
    return;
  }
  for (size_t i = 0; i < length && i + 1 < size; i++)
    text[i] = (char)('a' + (__builtin_popcountll(i) + (int)number) % 2);
  text[length < size ? length : size - 1] = 0;
}

/*
 * Pairs that caches confuse: 0 and 1 differ in the last character, 2 and 3 in their length, 4 and 5 in the order
 * of their characters. 6 and 7 have the same hash by FNV-1a of 32 bits, 10 and 11 by djb2. Source 1 followed by
 * the options -DN=3 is source 8. 12 is empty, and 13 to 16 begin with the same thousands of characters, as files
 * with the same head do; so does every eighth of all others. Another eighth has the same beginnings, ends and
 * lengths: these texts differ in between, each somewhere else.
 */
void write_source(unsigned source, char *text, size_t size) {
  char glue[4];
  static const char *const known[] = {
      "map of x + 1", "map of x + 2", "map of x", "map of x ",         "map of ab",
      "map of ba",    "costarring",   "liquid",   "map of x + 2-DN=3", "this can't be built",
      "hetairas",     "mentioner",    ""};
  if (source < sizeof known / sizeof *known)
    snprintf(text, size, "%s", known[source]);
  else if (source == DIGIT_SOURCE)
    snprintf(text, size, "1%s", known[2]);
  else if (source == NULL_SOURCE)
    snprintf(text, size, "no kernel");
  else if (source >= HASHED_SOURCES)
    write_hashed((source - HASHED_SOURCES) % HASHED, text, size);
  else if (source >= GLUED_SOURCES) {
    const unsigned number = (source - GLUED_SOURCES) % GLUES;
    const int options_first = source - GLUED_SOURCES >= GLUES;
    write_glue(number, glue);
    snprintf(text, size, "%s%s%s", options_first ? "-DN=3" : known[1], glue,
             options_first ? known[1] : "-DN=3");
  } else if (source <= 16 || source % 8 == 5)
    snprintf(text, size, "// %5000s\n__device__ int number = %u;", "a long comment", source);
  else if (is_between(source))
    write_between(source, text, size);
  else
    snprintf(text, size,
             "extern \"C\" __global__ void map(const float *x, float *y, size_t n) "
             "{ if (threadIdx.x < n) y[threadIdx.x] = %u; }",
             source);
}

/*
 * With | as the glue, the options -DN=3|-DN=3 of source 1 are taken for the options -DN=3 of the source
 * "map of x + 2|-DN=3" where the source comes first, else of "-DN=3|map of x + 2". Four more differ where
 * the number of a device begins or ends: device 11 with -DN=3, device 1 with -DN=31; device 11 or 1 before
 * a source. Then there are the pairs of texts with the same hash.
 */
request glued_request(unsigned number) {
  static const request last[] = {
      {.source = 3, .options = 1, .device = 11},
      {.source = 3, .options = 2, .device = 1},
      {.source = DIGIT_SOURCE, .device = 1},
      {.source = 2, .device = 11},
      {.source = NULL_SOURCE},
  };
  const unsigned glue = number / 3, which = number % 3;
  if (number >= 3 * GLUES + HASHED) return last[(number - 3 * GLUES - HASHED) % (sizeof last / sizeof *last)];
  if (number >= 3 * GLUES) return (request){.source = HASHED_SOURCES + number - 3 * GLUES};
  if (which == 0) return (request){.source = 1, .options = GLUED_OPTIONS + glue};
  return (request){.source = GLUED_SOURCES + glue + (which == 2 ? GLUES : 0), .options = 1};
}

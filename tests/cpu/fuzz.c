/*
 * Throws damaged text at the rewriter: random tokens, and real files with pieces deleted, doubled, swapped
 * and replaced.
 *
 *   fuzz SEED ROUNDS DIRECTORY FILE...    runs ROUNDS texts of each kind; works in files of DIRECTORY
 *
 * Linked with the rewriter's own files, whose main is called rewrite_main, under gcc's address and undefined
 * sanitizers. A text fails when the rewriter crashes, takes more than ten seconds, ends with another status
 * than 0, changes what holds nothing to change, or puts a word on another line than it stands on. The failing
 * text is left in DIRECTORY/in.cu. Exit status: 0 all good, 1 a text failed, 2 usage.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rewrite_main(int argc, char **argv);

#define MAX_TEXT (1 << 18)

static uint64_t state;
static char in_path[4096], out_path[4096];
static char text[MAX_TEXT], output[MAX_TEXT * 16];
static size_t length;
static unsigned long round_number;

/* xorshift64*, as in Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled". */
static size_t below(size_t n) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (size_t)((state * 2685821657736338717u) >> 33) % n;
}

static void fail(const char *why, int line) {
  fprintf(stderr, "fuzz: round %lu: %s (line %d of %s)\n", round_number, why, line, in_path);
  exit(1);
}

static void too_long(int signal_number) {
  (void)signal_number;
  static const char message[] = "fuzz: the rewriter takes more than ten seconds\n";
  if (write(2, message, sizeof message - 1) < 0) _exit(1);
  _exit(1);
}

static void add(const char *piece) {
  size_t n = strlen(piece);
  if (length + n >= MAX_TEXT) return;
  memcpy(text + length, piece, n);
  length += n;
}

/* What makes the rewriter change something. Texts of whole lines that hold none of it must come out as they
 * are. */
static const char *const changing[] = {
    "<<<",    "__global__", "__shared__",    "__device__", "__constant__",  "__managed__", "__sync",
    "__shfl", "__ballot",   "__threadfence", "atomic",     "__CUDA_ARCH__", NULL};

static bool holds_change(void) {
  for (const char *const *word = changing; *word; word++)
    if (memmem(text, length, *word, strlen(*word))) return true;
  return false;
}

static size_t read_output(void) {
  FILE *file = fopen(out_path, "rb");
  if (!file) fail("no output", 0);
  size_t n = fread(output, 1, sizeof output - 1, file);
  fclose(file);
  output[n] = '\0';
  return n;
}

/* Words like w12_ stand on line 12 of the text; wherever one comes out, the compiler must count line 12. Not
   in strings, where the rewriter puts names, nor in lines of other files. */
static void check_lines(char *at) {
  int line = 0;
  bool ours = true;
  while (*at) {
    char *end = strchr(at, '\n'), name[64];
    int number;
    if (end) *end = '\0';
    bool directive = sscanf(at, "#line %d \"%63[^\"]\"", &number, name) == 2;
    if (directive) {
      line = number - 1;
      ours = strcmp(name, "in.cu") == 0;
    }
    /* In a macro and in its argument, where no #line can stand, the kernel's name is repeated after the
     * configuration. */
    for (char *call = at; (call = strstr(call, "CUCC_TYPE(")) != NULL;)
      while (*call && *call != ')') *call++ = ' ';
    for (char *call = at; (call = strstr(call, "(cucc_a...)")) != NULL; call++)
      for (char *c = call; c > at && *c != '{';) *--c = ' ';
    bool quoted = false;
    for (char *c = at; !directive && ours && *c; c++) {
      if (*c == '"') quoted = !quoted;
      if (!quoted && *c == 'w' && sscanf(c, "w%d_", &number) == 1 &&
          (c == at || (!isalnum((unsigned char)c[-1]) && c[-1] != '_')) && number != line)
        fail("a word has moved from its line", number);
    }
    if (!end) return;
    at = end + 1;
    line++;
  }
}

/* Rewrites the text and judges the result. `tagged`: its words tell their lines. */
static void try_text(bool tagged) {
  FILE *file = fopen(in_path, "wb");
  if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0) fail("cannot write the text", 0);
  char name_option[] = "--source-name", name[] = "in.cu", program[] = "rewrite";
  char *arguments[] = {program, name_option, name, in_path, out_path, NULL};
  alarm(10);
  int status = rewrite_main(5, arguments);
  alarm(0);
  if (status != 0) fail("the rewriter does not end with 0", 0);
  size_t size = read_output();
  char *rest = strchr(output, '\n');
  if (strncmp(output, "#line 1 \"in.cu\"\n", 16) != 0 || !rest) fail("it does not begin with #line", 1);
  rest++;
  if (!holds_change() && (size - (size_t)(rest - output) != length || memcmp(rest, text, length) != 0))
    fail("a text without anything to change has changed", 0);
  if (tagged) check_lines(output);
}

/* ---- random tokens ------------------------------------------------------------------------------------- */

static const char *const soup[] = {"<<<",
                                   ">>>",
                                   "<",
                                   ">",
                                   "<<",
                                   ">>",
                                   "(",
                                   ")",
                                   "[",
                                   "]",
                                   "{",
                                   "}",
                                   ";",
                                   ",",
                                   "::",
                                   "->",
                                   ".",
                                   "=",
                                   "*",
                                   "&",
                                   ":",
                                   "~",
                                   "__global__",
                                   "__device__",
                                   "__constant__",
                                   "__managed__",
                                   "__shared__",
                                   "__host__",
                                   "__launch_bounds__",
                                   "extern",
                                   "static",
                                   "inline",
                                   "const",
                                   "constexpr",
                                   "template",
                                   "typename",
                                   "class",
                                   "struct",
                                   "enum",
                                   "namespace",
                                   "using",
                                   "operator",
                                   "void",
                                   "int",
                                   "float",
                                   "auto",
                                   "return",
                                   "if",
                                   "else",
                                   "for",
                                   "sizeof",
                                   "decltype",
                                   "NULL",
                                   "\"a\"",
                                   "'c'",
                                   "R\"(x)\"",
                                   "u8\"y\"",
                                   "1'000",
                                   "1e+5",
                                   "0x3p-2",
                                   "// comment",
                                   "/* a */",
                                   "/*",
                                   "*/",
                                   "\"",
                                   "'",
                                   "R\"x(",
                                   "\\",
                                   "#",
                                   "\n#if A\n",
                                   "\n#else\n",
                                   "\n#endif\n",
                                   "\n#define M(a) ",
                                   "\n#include \"none\"\n",
                                   "\n#pragma once\n",
                                   "\n#error don't\n",
                                   "__VA_ARGS__",
                                   "__attribute__((x))",
                                   "alignas(8)",
                                   "[[nodiscard]]",
                                   "\xc3\xa4",
                                   "\r\n",
                                   "\t",
                                   "\\\n",
                                   "k",
                                   "f",
                                   "main",
                                   "atomicAdd",
                                   "__syncthreads",
                                   "k<<<1, 2>>>(a)",
                                   "__global__ void k(int *p) {",
                                   "[]",
                                   "\x01"};

static void random_tokens(void) {
  length = 0;
  for (size_t n = below(200); n > 0; n--) {
    add(soup[below(sizeof soup / sizeof *soup)]);
    if (below(8)) add(" ");
    if (below(12) == 0) add("\n");
  }
}

/* ---- well-formed pieces, each on lines of its own, whose words name their place ------------------- */

static int tag_line;

/* Adds a piece; @ stands for a word that tells its line. */
static void add_tagged(const char *piece) {
  char word[32];
  for (; *piece; piece++) {
    if (*piece == '@') {
      snprintf(word, sizeof word, "w%d_%c", tag_line, (char)('a' + below(26)));
      add(word);
    } else {
      add((const char[]){*piece, '\0'});
      tag_line += *piece == '\n';
    }
  }
}

static const char *const pieces[] = {"int @ = @;\n",
                                     "@<<<@, @>>>(@, @);\n",
                                     "@::@<@><<<@,\n  @>>>(\n@,\n NULL, @);\n",
                                     "CHECK((@<<<@,\n@>>>(@,\n@)));\n",
                                     "__device__ int @ = 3, @;\n",
                                     "__constant__ float @[@];\n",
                                     "static __device__ float @;\n",
                                     "// @ <<<1, 2>>>\n",
                                     "/* @\n @ */ @;\n",
                                     "extern __shared__ float @[];\n",
                                     "extern __shared__ float @[], @[];\n",
                                     "__global__ void @(int *@,\n  int @ = 3) {\n  @;\n}\n",
                                     "template <class @> __global__ void @(@ *@) { @; } int @;\n",
                                     "#if @\n",
                                     "#else // @\n",
                                     "#endif // @\n",
                                     "#define @(@) @<<<1, 2>>>(@)\n",
                                     "#define @ \\\n  @ \\\n @\n",
                                     "namespace @ {\n",
                                     "}\n",
                                     "struct @ { int @; };\n",
                                     "void @() {\n",
                                     "if (@) @<<<@, @>>>(); else @;\n",
                                     "const char *@ = \"<<<\";\n",
                                     "auto @ = R\"(\n)\"; @;\n",
                                     "@([=] __device__(int @) {\n @; });\n",
                                     "@ \\\n @;\n",
                                     "@ ? @<<<1, 1>>>(@[@]) : @;\n",
                                     "__global__ int @() { return @; }\n",
                                     "@<<<@, @>>>([&] { @<<<@, @>>>(@);\n return @; }());\n"};

static void tagged_text(void) {
  length = 0;
  tag_line = 1;
  for (size_t n = below(40); n > 0; n--) add_tagged(pieces[below(sizeof pieces / sizeof *pieces)]);
}

/* ---- real files ---------------------------------------------------------------------------------------- */

static void read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(2);
  }
  length = fread(text, 1, MAX_TEXT / 2, file);
  fclose(file);
}

static void damage(void) {
  char piece[65];
  size_t at = below(length + 1), n = below(64);
  if (at + n > length) n = length - at;
  memcpy(piece, text + at, n);
  switch (below(4)) {
  case 0: /* leave out */
    memmove(text + at, text + at + n, length - at - n);
    length -= n;
    break;
  case 1: /* a byte of another kind */
    if (at < length) text[at] = "<>(){}[];,\"'\\/*#\n &"[below(19)];
    break;
  case 2: /* put in a token, or what stood elsewhere */
    piece[n] = '\0';
    if (below(2)) n = (size_t)snprintf(piece, sizeof piece, "%.63s", soup[below(sizeof soup / sizeof *soup)]);
    size_t to = below(length + 1);
    if (length + n >= MAX_TEXT) break;
    memmove(text + to + n, text + to, length - to);
    memcpy(text + to, piece, n);
    length += n;
    break;
  default: /* cut off */
    if (below(8) == 0) length = at;
  }
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fputs("usage: fuzz SEED ROUNDS DIRECTORY FILE...\n", stderr);
    return 2;
  }
  state = strtoull(argv[1], NULL, 10) * 2 + 1;
  unsigned long rounds = strtoul(argv[2], NULL, 10);
  snprintf(in_path, sizeof in_path, "%s/in.cu", argv[3]);
  snprintf(out_path, sizeof out_path, "%s/out.cpp", argv[3]);
  signal(SIGALRM, too_long);
  for (round_number = 1; round_number <= rounds; round_number++) {
    random_tokens();
    try_text(false);
    tagged_text();
    try_text(true);
    read_text(argv[4 + below((size_t)argc - 4)]);
    for (size_t n = below(8); n > 0 && length > 0; n--) damage();
    try_text(false);
  }
  printf("%lu texts\n", 3 * rounds);
  return 0;
}

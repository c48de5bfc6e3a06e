/* ptx.c: see ptx.h. */
#include "ptx.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows, its random numbers, and what was counted in the kernel that is written now. */
typedef struct writer {
  char *text;
  size_t used;
  uint64_t state;
  unsigned counts[PTX_COUNTS];
  int kernel, labels, same_labels; /* of all kernels: labels with the same names */
} writer;

static void add(writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(w->text + w->used, PTX_ROOM - w->used, format, arguments);
  va_end(arguments);
  if (length > 0 && w->used + (size_t)length < PTX_ROOM) w->used += (size_t)length;
}

/* A number below `end` (Marsaglia's xorshift64*). */
static unsigned below(writer *w, unsigned end) {
  w->state ^= w->state >> 12;
  w->state ^= w->state << 25;
  w->state ^= w->state >> 27;
  return (unsigned)((w->state * 0x2545F4914F6CDD1Du) >> 33) % end;
}

/* Instructions, and what each counts. */
static const struct {
  const char *line;
  unsigned fmas, loads, doubles;
} instructions[] = {
    {"fma.rn.f32 \t%f3, %f1, %f2, 0f3F800000;", 1, 0, 0},
    {"fma.rn.f64 \t%fd3, %fd1, %fd2, %fd4;", 1, 0, 1},
    {"fma.rn.ftz.f32 \t%f9, %f8, %f1, %f2;", 1, 0, 0},
    {"@%p2 fma.rn.f32 \t%f3, %f1, %f2, %f4;", 1, 0, 0},
    {"ld.global.f32 \t%f1, [%rd4];", 0, 1, 0},
    {"ld.global.nc.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd4+16];", 0, 1, 0},
    {"ld.global.nc.f64 \t%fd1, [%rd4];", 0, 1, 1},
    {"ld.volatile.global.u32 \t%r1, [%rd7];", 0, 1, 0},
    {"@!%p1 ld.global.u32 \t%r1, [%rd7+-4];", 0, 1, 0},
    {"ld.param.u64 \t%rd1, [map_param_0];", 0, 0, 0},
    {"ld.shared.f32 \t%f7, [%r9];", 0, 0, 0},
    {"ld.local.f64 \t%fd7, [%rd9];", 0, 0, 1},
    {"st.global.f32 \t[%rd4], %f3;", 0, 0, 0},
    {"cvta.to.global.u64 \t%rd4, %rd1;", 0, 0, 0},
    {"mul.f64 \t%fd3, %fd1, %fd2;", 0, 0, 1},
    {"cvt.f64.f32 \t%fd1, %f1;", 0, 0, 1},
    {"cvt.rzi.f64.f64 \t%fd2, %fd1;", 0, 0, 1},
    {"mad.lo.s32 \t%r1, %r3, %r4, %r5;", 0, 0, 0},
    {"setp.ge.u64 \t%p1, %rd5, %rd3;", 0, 0, 0},
    {"add.f32 \t%f1, %f2, %f3; // fma.rn.f32, ld.global.f32, .f64", 0, 0, 0},
    {"// begin inline asm", 0, 0, 0},
    {"// fma.rn.f32 \t%f3, %f1, %f2, %f4;", 0, 0, 0},
    {".loc\t1 12 5", 0, 0, 0},
    {"", 0, 0, 0},
};

static void add_instruction(writer *w) {
  const unsigned k = below(w, sizeof instructions / sizeof *instructions);
  add(w, below(w, 8) ? "\t%s\n" : "    %s\n", instructions[k].line);
  w->counts[PTX_FMAS] += instructions[k].fmas;
  w->counts[PTX_LOADS] += instructions[k].loads;
  w->counts[PTX_DOUBLES] += instructions[k].doubles;
}

static void add_some(writer *w) {
  for (unsigned count = below(w, 6); count > 0; count--) add_instruction(w);
}

/* 1, 10, 11, 100: the name of one label is the beginning of another's. */
static int digits_of(int n) { return n < 2 ? n : 10 * digits_of(n / 2) + n % 2; }

/* A loop, often with a `continue`, which is one more branch to its label, or with another loop in it. */
static void add_loop(writer *w, int is_inner) {
  const int label = digits_of(w->labels++);
  add(w, "\n$L__BB%d_%d:\n", w->kernel, label);
  add_some(w);
  if (!is_inner && below(w, 3) == 0) add_loop(w, 1);
  if (below(w, 2)) {
    add(w, "\t@%%p2 bra \t$L__BB%d_%d;\n", w->kernel, label);
    w->counts[PTX_LOOPS]++;
    add_some(w);
  }
  add(w, below(w, 3) ? "\t@%%p3 bra \t$L__BB%d_%d;\n" : "\t@!%%p3 bra.uni \t$L__BB%d_%d; // loop\n",
      w->kernel, label);
  w->counts[PTX_LOOPS]++;
}

/* A loop, a branch forwards or a call. */
static void add_part(writer *w, const char *name) {
  const unsigned part = below(w, 4);
  if (part == 0) return add_loop(w, 0), add_some(w);
  const int label = digits_of(w->labels++);
  if (part == 1) { /* what is skipped */
    add(w, below(w, 3) ? "\t@%%p1 bra \t$L__BB%d_%d;\n" : "\tbra.uni \t$L__BB%d_%d;\n", w->kernel, label);
    add_some(w);
    add(w, "\n$L__BB%d_%d:\n", w->kernel, label);
  } else if (part == 2) { /* as NVRTC calls a function */
    add(w, "\t{ // callseq %d, 0\n", label);
    add(w, "\t.param .b64 param0;\n\tst.param.f64 \t[param0+0], %%fd1;\n");
    w->counts[PTX_DOUBLES]++;
    add(w, "\tcall.uni %s_helper, (param0);\n", name);
    add(w, "\t}\n");
  }
  add_some(w);
}

static void add_kernel(writer *w, const char *name) {
  memset(w->counts, 0, sizeof w->counts);
  w->labels = 1;
  add(w, "\t// .globl\t%s\n.visible .entry %s(\n\t.param .u64 %s_param_0,\n\t.param .u64 %s_param_1\n)\n",
      name, name, name, name);
  if (below(w, 2)) add(w, ".maxntid 256, 1, 1\n");
  add(w, "{\n\t.reg .pred \t%%p<4>;\n\t.reg .f32 \t%%f<12>;\n\t.reg .f64 \t%%fd<8>;\n\n");
  for (unsigned parts = 1 + below(w, 8); parts > 0; parts--) add_part(w, name);
  add(w, "\tret;\n\n}\n");
  w->kernel += !w->same_labels;
}

void make_ptx(uint64_t seed, const char *name, char *text, unsigned counts[PTX_COUNTS]) {
  static const char *const names[] = {"map_fast", "map", "remap", "map2"};
  writer w = {.text = text, .state = seed | 1};
  memset(counts, 0, PTX_COUNTS * sizeof *counts);
  add(&w, "// seed %016llx\n.version 8.4\n.target sm_90\n.address_size 64\n\n", (unsigned long long)seed);
  const unsigned first = below(&w, 4);
  w.same_labels = below(&w, 8) > 0;
  for (unsigned k = 0; k < 4; k++) {
    const char *kernel = names[(first + k) % 4];
    add_kernel(&w, kernel);
    if (strcmp(kernel, name) == 0) memcpy(counts, w.counts, sizeof w.counts);
  }
}

uint64_t seed_of_ptx(const char *text) { return strtoull(text + strlen("// seed "), NULL, 16); }

/* ---- What may be wrong ---- */

enum {
  WHOLE_TEXT,
  NAME_BEGINS,
  COMMENTS,
  DIRECTIVES,
  ANY_LOAD,
  ANY_BRANCH,
  CONDITIONAL_ONLY,
  WITHOUT_CONDITION,
  LABELS_OF_OTHERS,
  LABELS_BEGIN,
  COUNTED_ONCE,
  FIRST_BRACE,
  GLOBAL_FIRST,
  EACH_PART,
  LABELS_ONCE,
  LABELS_LAST,
  ALIKE_FIRST,
  WAYS
};

static const char *const causes[WAYS] = {
    [WHOLE_TEXT] = "all kernels of the text are counted: only those of the kernel with this name do",
    [NAME_BEGINS] = "kernels whose names only begin with this one are counted, too",
    [COMMENTS] = "instructions in a comment are counted",
    [DIRECTIVES] =
        "directives are counted, such as .reg .f64: a line that begins with a point is no instruction",
    [ANY_LOAD] = "loads from other memory are counted, such as ld.param: only those with the part .global do",
    [ANY_BRANCH] = "branches forwards are counted: in a loop the label stands before the branch",
    [CONDITIONAL_ONLY] = "only instructions with a condition, @%p1, are counted",
    [LABELS_OF_OTHERS] = "a label of an earlier kernel counts: two kernels may have labels of the same name",
    [COUNTED_ONCE] = "an instruction may count twice: fma.rn.f64 is an fma, and has the part .f64",
    [LABELS_BEGIN] = "a label counts though only the beginning of its name stands before: _1 is not _10",
    [WITHOUT_CONDITION] = "instructions with a condition, @%p1, are not counted",
    [FIRST_BRACE] = "what follows the first } is not counted: a kernel may have blocks { } within its own",
    [GLOBAL_FIRST] = "loads with a part between ld and .global are not counted, such as ld.volatile.global",
    [EACH_PART] = "an instruction counts once, however often it has the part: cvt.rzi.f64.f64",
    [LABELS_ONCE] = "each branch back counts: a loop may have several to its label, as for a continue",
    [ALIKE_FIRST] =
        "it is of another kernel, whose name only begins with this one: a ( stands after the whole name",
    [LABELS_LAST] = "only the last label before a branch is looked at: a loop may have another one in it",
};

/* How often a part is in a name. */
static unsigned parts_of(const char *name, const char *part) {
  unsigned count = 0;
  while ((name = strstr(name, part))) name += strlen(part), count++;
  return count;
}

/* Whether an instruction bra before this one has this label. */
static int branched_before(const char *label, size_t length, const char *before) {
  char word[64];
  snprintf(word, sizeof word, "\t%.*s;", (int)length, label);
  return strstr(before, word) != NULL;
}

/* Whether another label stands between this one and the end of the text before. */
static int is_not_last(const char *label, size_t length, const char *before) {
  const char *last = NULL;
  for (const char *at = before; (at = strstr(at, "\n$")); at++) last = at + 1;
  return last && (strncmp(last, label, length) != 0 || last[length] != ':');
}

/* Whether the label, or one whose name begins it, stands before. */
static int stands_before(const char *label, size_t length, const char *before, int how) {
  char word[64];
  for (size_t n = how == LABELS_BEGIN ? 1 : length; n <= length; n++) {
    snprintf(word, sizeof word, "\n%.*s:", (int)n, label);
    if (strstr(before, word)) return 1;
  }
  return 0;
}

/* How often a line counts, if counted in this way; `before`: the kernel's text up to the line. */
static unsigned counts_as(const char *line, const char *before, size_t which, int how) {
  const char *at = line + strspn(line, " \t"), *name = at;
  const int conditional = *at == '@';
  if (!*at || (*at == '.' && how != DIRECTIVES) || strchr("{}$(", *at) || (at[0] == '/' && how != COMMENTS))
    return 0;
  if (conditional ? how == WITHOUT_CONDITION : how == CONDITIONAL_ONLY) return 0;
  if (conditional) name = at + strcspn(at, " \t"), name += strspn(name, " \t");
  const size_t length = how == COMMENTS || how == DIRECTIVES ? strlen(name) : strcspn(name, " \t;");
  char word[256];
  snprintf(word, sizeof word, "%.*s", (int)length, name);
  if (which == PTX_FMAS) return how == COMMENTS ? strstr(word, "fma.") != NULL : !strncmp(word, "fma.", 4);
  const int is_fma = !strncmp(word, "fma.", 4), is_load = !strncmp(word, "ld.", 3) && strstr(word, ".global");
  if (which == PTX_DOUBLES && how == EACH_PART) return parts_of(word, ".f64");
  if (which == PTX_DOUBLES) return strstr(word, ".f64") && !(how == COUNTED_ONCE && (is_fma || is_load));
  if (which == PTX_LOADS)
    return how == COMMENTS       ? strstr(word, "ld.") && strstr(word, ".global")
           : how == GLOBAL_FIRST ? !strncmp(word, "ld.global", 9)
                                 : !strncmp(word, "ld.", 3) && (how == ANY_LOAD || strstr(word, ".global"));
  const char *label = strchr(name, '$');
  if (strncmp(word, "bra", 3) != 0 || !label) return 0;
  const size_t end = strcspn(label, "; \t");
  if (how == LABELS_ONCE && branched_before(label, end, before)) return 0;
  if (how == LABELS_LAST && is_not_last(label, end, before)) return 0;
  return how == ANY_BRANCH || stands_before(label, end, before, how);
}

static unsigned count_so(const char *ptx, const char *kernel, size_t which, int how) {
  char head[128], *text = strdup(ptx);
  unsigned sum = 0;
  int inside = 0, found = 0;
  if (!text) return 0;
  snprintf(head, sizeof head, ".entry %s%s", kernel, how == NAME_BEGINS || how == ALIKE_FIRST ? "" : "(");
  char *before = text;
  for (char *line = text, *next; line; line = next) {
    char *end = strchr(line, '\n');
    next = end ? end + 1 : NULL;
    if (end) *end = 0;
    if (strstr(line, ".entry "))
      inside = strstr(line, head) && !(how == ALIKE_FIRST && found++),
      before = how == LABELS_OF_OTHERS ? text : line;
    if (inside || how == WHOLE_TEXT) {
      char *const all = line > before ? strndup(ptx + (before - text), (size_t)(line - before)) : NULL;
      sum += counts_as(line, all ? all : "", which, how);
      free(all);
      if (how == FIRST_BRACE && line[strspn(line, " \t")] == '}') inside = 0;
    }
  }
  free(text);
  return sum;
}

const char *cause_of_ptx_count(const char *ptx, const char *kernel, size_t which, double got) {
  static char text[320];
  int found = 0;
  for (int how = 0; how < WAYS; how++) {
    if (count_so(ptx, kernel, which, how) != got) continue;
    if (++found > (got > 0 ? 2 : 1)) return NULL; /* a small number, by chance */
    if (found == 1)
      snprintf(text, sizeof text, "%s", causes[how]);
    else
      snprintf(text + strlen(text), sizeof text - strlen(text), "; or %s", causes[how]);
  }
  return found ? text : NULL;
}

/* check.c: finds errors that nvcc reports and a C++ compiler cannot see. They are written into the text as
   pragmas, so that the preprocessor removes those in skipped groups; cucc.d/messages.awk makes them readable.

   Tokens carry less than types: a name counts as a kernel, a host function or a device function only when all
   its declarations in the program's files agree, when no macro may hide in its declaration, and when nothing
   local has its name. */
#include "check.h"

#include "edits.h"
#include "names.h"
#include "scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const before_expression[] = {"return", "else", "do", "co_return", "throw", NULL};
static const char *const unevaluated[] = {"decltype", "sizeof", "noexcept", "alignof", "typeid", NULL};
static const char *const value_types[] = {"int",   "float",  "double", "char",   "bool",   "unsigned", "long",
                                          "short", "signed", "size_t", "float2", "float3", "float4",   NULL};

static void add_word(const rewrite_unit *unit, size_t i, wb_text *out) {
  wb_text_add_bytes(out, unit->text + unit->tokens.items[i].begin,
                    unit->tokens.items[i].end - unit->tokens.items[i].begin);
}

/* "name" in quotes. */
static void add_name(const rewrite_unit *unit, size_t i, wb_text *out) {
  wb_text_add(out, "'");
  add_word(unit, i, out);
  wb_text_add(out, "'");
}

static void add_error(rewrite_unit *unit, size_t i, wb_text *message) {
  edit *launch = NULL;
  for (size_t e = 0; e < unit->edits.count; e++) /* an edit begins with this token already */
    if (unit->edits.items[e].first == i) launch = &unit->edits.items[e];
  if (launch && launch->error) {
    free(message->data);
  } else if (launch) {
    launch->error = message->data;
  } else {
    add_edit(unit, (edit){.kind = EDIT_ERROR, .first = i, .last = i, .error = message->data});
  }
}

/* One error: its line and column, which compilers report differently, the sentence, and after the bar what to
 * do. NULL ends the parts; NAME stands for the token's text. */
static const char NAME[] = "\1";
static void complain(rewrite_unit *unit, size_t i, const char *const *parts) {
  wb_text message = {0};
  const token *t = &unit->tokens.items[i];
  wb_text_add(&message, "%d:%zu:", line_of(unit, t->begin),
              t->begin - unit->lines[line_index(unit, t->begin)] + 1);
  for (; *parts; parts++) {
    if (*parts == NAME)
      add_name(unit, i, &message);
    else
      wb_text_add(&message, "%s", *parts);
  }
  add_error(unit, i, &message);
}
#define COMPLAIN(unit, i, ...) complain(unit, i, (const char *const[]){__VA_ARGS__, NULL})

/* Where the name was declared: " (x.cu:12)". The caller frees it. */
static char *place_of(const known_name *name) {
  wb_text place = {0};
  wb_text_add(&place, " (%s:%d)", name->file, name->line);
  return place.data;
}

/* ---- kernels' heads ------------------------------------------------------------------------------------ */

static void check_kernel(rewrite_unit *unit, const declaration *d) {
  bool pointer = word_at(unit, d->name - 1, "*"), value = false, is_void = false, other = d->conditional;
  size_t type = d->name;
  for (size_t i = d->first; i < d->name; i++) {
    is_void = is_void || word_at(unit, i, "void");
    if (!one_of_at(unit, i, value_types) || unit->tokens.items[i].parentheses > 0) continue;
    if (!value) type = i;
    value = true;
  }
  for (size_t i = d->first; d->is_template && i < d->name; i++) /* their parameters are no return type */
    other = other || word_at(unit, i, "<");
  if (word_at(unit, d->name - 1, ">")) return;
  if (!other && (pointer || (value && !is_void)))
    COMPLAIN(unit, pointer ? d->name : type,
             "a __global__ function must have a void return type|a kernel hands over ",
             "its results in device memory: give it a pointer to write to");
  if (unit->tokens.items[d->first].scope == SCOPE_CLASS)
    COMPLAIN(unit, d->specifier,
             "a __global__ function cannot be a member function|move it out of the class; a kernel ",
             "can take an object as its argument");
  for (size_t i = d->left + 1; i < d->right; i++) {
    if (word_at(unit, i, "=")) break;
    if (word_at(unit, i, "<")) i = match_template(unit, i) == NOWHERE ? d->right : match_template(unit, i);
    if (i < d->right && opens(unit, i)) i = partner(unit, i) == NOWHERE ? d->right : partner(unit, i);
    if (word_at(unit, i, "&") && word_at(unit, i + 1, "&") && touches_next(unit, i) && i < d->right)
      COMPLAIN(
          unit, i++,
          "a __global__ function cannot have a parameter with rvalue reference type|on a device it would "
          "refer to the host's ",
          "memory: pass the value, or a pointer to device memory");
  }
}

/* ---- calls and launches -------------------------------------------------------------------------------- */

/* Whether the function has a local entity with the name of token i: a parameter, a variable, a
 * declaration. */
static bool has_local(const rewrite_unit *unit, const declaration *d, size_t i) {
  for (size_t j = d->first; j < d->close; j++) {
    if (j == i || j == d->name || !same_word(unit, i, j)) continue;
    bool word = kind_at(unit, j - 1, TOKEN_WORD) && !one_of_at(unit, j - 1, before_expression);
    if (word || word_at(unit, j - 1, "*") || word_at(unit, j - 1, "&") || word_at(unit, j - 1, ">") ||
        word_at(unit, j + 1, "="))
      return true;
  }
  return false;
}

/* Whether token i, followed by arguments, is called: not declared, no member, in no other namespace. */
static bool is_called(const rewrite_unit *unit, size_t i) {
  size_t next = i + 1;
  if (word_at(unit, next, "<")) {
    next = match_template(unit, next);
    next = next == NOWHERE ? next : next + 1;
  }
  if (!word_at(unit, next, "(") || i == 0) return false;
  if (word_at(unit, i - 1, "(") && i > 1 && one_of_at(unit, i - 2, unevaluated)) return false;
  if (kind_at(unit, i - 1, TOKEN_WORD)) return one_of_at(unit, i - 1, before_expression);
  return !word_at(unit, i - 1, "::") && !word_at(unit, i - 1, ".") && !word_at(unit, i - 1, "->") &&
         !word_at(unit, i - 1, ">") && !word_at(unit, i - 1, "*") && !word_at(unit, i - 1, "&") &&
         !word_at(unit, i - 1, "~") && !word_at(unit, i - 1, "#") && !kind_at(unit, i - 1, TOKEN_STRING);
}

static void check_call(rewrite_unit *unit, const declaration *d, unsigned caller, size_t i) {
  const known_name *name = name_at(unit, i);
  bool from_device = caller == NAME_KERNEL || caller == NAME_DEVICE;
  bool kernel = name_means(name, NAME_KERNEL), host = from_device && name_means(name, NAME_HOST),
       device = caller == NAME_HOST && name_means(name, NAME_DEVICE);
  if (!(kernel || host || device) || !is_called(unit, i) || has_local(unit, d, i)) return;
  const char *what = caller == NAME_KERNEL ? "__global__" : "__device__";
  wb_text caller_name = {0};
  add_name(unit, d->name, &caller_name);
  char *place = place_of(name);
  if (kernel)
    COMPLAIN(
        unit, i,
        "a __global__ function call must be configured|launch the kernel with its numbers of blocks and ",
        "threads: ", name->text, "<<<blocks, threads>>>(...)");
  else if (host)
    COMPLAIN(unit, i, "calling a __host__ function ", NAME, " from a ", what, " function ", caller_name.data,
             " is not allowed|write __device__, or __host__ __device__, in front of the declaration of ",
             NAME, place);
  else if (name->meanings & NAME_OF_LANGUAGE)
    COMPLAIN(unit, i, "calling a __device__ function ", NAME, " from a __host__ function ", caller_name.data,
             " is not allowed|is ", caller_name.data,
             " to run on the device? Then write __global__ or __device__ in ", "front of it");
  else
    COMPLAIN(unit, i, "calling a __device__ function ", NAME, " from a __host__ function ", caller_name.data,
             " is not allowed|write __host__ __device__ in front of the declaration of ", NAME, place,
             ", or call it in a kernel");
  free(caller_name.data);
  free(place);
}

/* Whether a pointer is launched: `pick(i)`, `list[i]`, `(*p)`, `job.kernel`, or a local name that is not a
 * kernel's. */
static bool is_pointer(const rewrite_unit *unit, const declaration *d, const edit *e) {
  size_t last = e->open - 1, left = partner(unit, last);
  const known_name *name = name_at(unit, last);
  if (word_at(unit, last, "]")) return true;
  if (word_at(unit, last, ")"))
    return left != NOWHERE &&
           (word_at(unit, left + 1, "*") ||
            (left > e->first && (kind_at(unit, left - 1, TOKEN_WORD) || word_at(unit, left - 1, ">"))));
  if (!kind_at(unit, last, TOKEN_WORD)) return false;
  if (last > e->first) return word_at(unit, last - 1, ".") || word_at(unit, last - 1, "->");
  return !(name && name->meanings & (NAME_KERNEL | NAME_MACRO)) && has_local(unit, d, last);
}

static void check_launch(rewrite_unit *unit, const declaration *d, unsigned caller, edit *e) {
  size_t i = e->first;
  const known_name *name = e->open == i + 1 ? name_at(unit, i) : NULL;
  e->by_pointer = is_pointer(unit, d, e);
  bool host = name_means(name, NAME_HOST), device = name_means(name, NAME_DEVICE);
  if (caller == NAME_KERNEL || caller == NAME_DEVICE) {
    COMPLAIN(
        unit, i,
        "a launch in device code (dynamic parallelism) is not in the CPU backend|launch the kernel from ",
        "the host, or make it a __device__ function and call it");
  } else if ((host || device) && !has_local(unit, d, i)) {
    char *place = place_of(name);
    COMPLAIN(unit, i,
             host ? "a host function call cannot be configured|" : "a __device__ function call cannot be ",
             host ? "" : "configured|", NAME, " is not a kernel: write __global__ in front of its ",
             "declaration", place);
    free(place);
  }
}

/* `__shared__ int sum = 0;` has no meaning on a device: no thread is defined that would write it. */
static void check_shared(rewrite_unit *unit, unsigned caller, size_t i, const declaration *d) {
  bool is_extern = word_at(unit, i - 1, "extern") || word_at(unit, i + 1, "extern");
  if (caller == NAME_HOST && !is_extern)
    COMPLAIN(unit, i,
             "a static __shared__ variable declaration is not allowed inside a host function body|shared ",
             "memory belongs to a block of a kernel");
  for (size_t j = i + 1; j < d->close && !word_at(unit, j, ";"); j++) {
    if (word_at(unit, j, "<")) j = match_template(unit, j) == NOWHERE ? d->close : match_template(unit, j);
    if (word_at(unit, j, "(") || word_at(unit, j, "["))
      j = partner(unit, j) == NOWHERE ? d->close : partner(unit, j);
    if (j < d->close && word_at(unit, j, "=")) {
      COMPLAIN(
          unit, j,
          "initializer not allowed for __shared__ variable|let one thread of the block write it, and the ",
          "others wait: if (threadIdx.x == 0) ...; __syncthreads();");
      return;
    }
  }
}

static void check_body(rewrite_unit *unit, const declaration *d, size_t launches) {
  unsigned caller = meaning_of(unit, d);
  size_t e = 0;
  for (size_t i = d->open; i < d->close; i++) {
    /* `[=] __device__ (int i) { ... }` in a host function is code of the device */
    if (one_of_at(unit, i, (const char *const[]){"__device__", "__host__", NULL})) caller = NAME_OTHER;
    while (e < launches && unit->edits.items[e].first < i) e++;
    if (e < launches && unit->edits.items[e].first == i && unit->edits.items[e].kind == EDIT_LAUNCH)
      check_launch(unit, d, caller, &unit->edits.items[e]);
    else if (word_at(unit, i, "__shared__"))
      check_shared(unit, caller, i, d);
    else
      check_call(unit, d, caller, i);
  }
}

void check_unit(rewrite_unit *unit) {
  size_t launches = unit->edits.count; /* sorted; errors are appended */
  for (size_t i = 0; i < unit->declarations.count; i++) {
    const declaration *d = &unit->declarations.items[i];
    if (d->kind != DECLARES_FUNCTION) continue;
    if (d->global && kind_at(unit, d->name, TOKEN_WORD)) check_kernel(unit, d);
    if (d->close != NOWHERE) check_body(unit, d, launches);
  }
}

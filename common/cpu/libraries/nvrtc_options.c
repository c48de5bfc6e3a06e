/* NVRTC's options: which there are, and what each means to cucc. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvrtc_inner.h"

enum effect { NONE, ARCHITECTURE, DEFINE, UNDEFINE, FOLDER, STANDARD, PRE_INCLUDE, QUIET };
enum form { ALONE, VALUED };

static const struct option {
  const char *name, *brief;
  enum form form;
  enum effect effect;
} known[] = {
    {"gpu-architecture", "arch", VALUED, ARCHITECTURE},
    {"define-macro", "D", VALUED, DEFINE},
    {"undefine-macro", "U", VALUED, UNDEFINE},
    {"include-path", "I", VALUED, FOLDER},
    {"pre-include", "include", VALUED, PRE_INCLUDE},
    {"std", NULL, VALUED, STANDARD},
    {"disable-warnings", "w", ALONE, QUIET},
    {"device-c", "dc", ALONE, NONE},
    {"device-w", "dw", ALONE, NONE},
    {"relocatable-device-code", "rdc", VALUED, NONE},
    {"extensible-whole-program", "ewp", ALONE, NONE},
    {"device-debug", "G", ALONE, NONE},
    {"generate-line-info", "lineinfo", ALONE, NONE},
    {"dopt", "dopt", VALUED, NONE},
    {"Ofast-compile", "Ofc", VALUED, NONE},
    {"ptxas-options", "Xptxas", VALUED, NONE},
    {"maxrregcount", "maxrregcount", VALUED, NONE},
    {"ftz", "ftz", VALUED, NONE},
    {"prec-sqrt", "prec-sqrt", VALUED, NONE},
    {"prec-div", "prec-div", VALUED, NONE},
    {"fmad", "fmad", VALUED, NONE},
    {"use_fast_math", "use_fast_math", ALONE, NONE},
    {"extra-device-vectorization", "extra-device-vectorization", ALONE, NONE},
    {"modify-stack-limit", "modify-stack-limit", VALUED, NONE},
    {"dlink-time-opt", "dlto", ALONE, NONE},
    {"gen-opt-lto", "gen-opt-lto", ALONE, NONE},
    {"optix-ir", "optix-ir", ALONE, NONE},
    {"no-source-include", "no-source-include", ALONE, NONE},
    {"builtin-move-forward", "builtin-move-forward", VALUED, NONE},
    {"builtin-initializer-list", "builtin-initializer-list", VALUED, NONE},
    {"Wreorder", "Wreorder", ALONE, NONE},
    {"Werror", "Werror", VALUED, NONE},
    {"warning-as-error", "warning-as-error", VALUED, NONE},
    {"restrict", "restrict", ALONE, NONE},
    {"device-as-default-execution-space", "default-device", ALONE, NONE},
    {"device-int128", "device-int128", ALONE, NONE},
    {"device-float128", "device-float128", ALONE, NONE},
    {"optimization-info", "opt-info", VALUED, NONE},
    {"display-error-number", "err-no", ALONE, NONE},
    {"no-display-error-number", "no-err-no", ALONE, NONE},
    {"diag-error", "diag-error", VALUED, NONE},
    {"diag-suppress", "diag-suppress", VALUED, NONE},
    {"diag-warn", "diag-warn", VALUED, NONE},
    {"brief-diagnostics", "brief-diag", VALUED, NONE},
    {"time", "time", VALUED, NONE},
    {"split-compile", "split-compile", VALUED, NONE},
    {"fdevice-syntax-only", "fdevice-syntax-only", ALONE, NONE},
    {"minimal", "minimal", ALONE, NONE},
    {"no-cache", "no-cache", ALONE, NONE},
    {"fdevice-time-trace", "fdevice-time-trace", VALUED, NONE},
    {"frandom-seed", "frandom-seed", VALUED, NONE},
    {"device-stack-protector", "device-stack-protector", VALUED, NONE},
    {"jump-table-density", "jtd", VALUED, NONE},
    {"pch", "pch", ALONE, NONE},
    {"create-pch", "create-pch", VALUED, NONE},
    {"use-pch", "use-pch", VALUED, NONE},
    {"pch-dir", "pch-dir", VALUED, NONE},
    {"pch-verbose", "pch-verbose", VALUED, NONE},
    {"pch-messages", "pch-messages", VALUED, NONE},
    {"instantiate-templates-in-pch", "instantiate-templates-in-pch", VALUED, NONE},
};

/* CUDA 13's. Older ones, which CUDA 12 knew, are accepted too. */
static const int architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = (int)(sizeof architectures / sizeof *architectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *list) {
  if (!list) return NVRTC_ERROR_INVALID_INPUT;
  memcpy(list, architectures, sizeof architectures);
  return NVRTC_SUCCESS;
}

/* The option that a text gives, and its value, NULL where none follows in the same text. */
static const struct option *find(const char *text, const char **value) {
  const char *name = text + 1 + (text[1] == '-');
  *value = NULL;
  if (text[0] != '-') return NULL;
  if (text[1] != '-' && strchr("DUI", text[1]) && text[1]) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (known[i].brief && known[i].brief[0] == text[1] && !known[i].brief[1]) {
        if (text[2]) *value = text + 2 + (text[2] == '=');
        return &known[i];
      }
  }
  const size_t length = strcspn(name, "=");
  if (name[length]) *value = name + length + 1;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const struct option *o = &known[i];
    if ((!strncmp(name, o->name, length) && !o->name[length]) ||
        (o->brief && !strncmp(name, o->brief, length) && !o->brief[length]))
      return o;
  }
  return NULL;
}

static bool set_architecture(const char *value, struct settings *s) {
  const char *number = value + strcspn(value, "_");
  s->is_virtual = !strncmp(value, "compute_", 8);
  if ((!s->is_virtual && strncmp(value, "sm_", 3)) || !isdigit((unsigned char)number[1])) return false;
  char *end;
  s->architecture = (int)strtol(number + 1, &end, 10);
  if ((*end == 'a' || *end == 'f') && s->architecture >= 90) end++;
  static const int earlier[] = {50, 52, 53, 60, 61, 62, 70, 72};
  for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++)
    if (!*end && architectures[i] == s->architecture) return true;
  for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++)
    if (!*end && earlier[i] == s->architecture) return true;
  return false;
}

static bool add_argument(struct settings *s, const char *first, const char *second) {
  wb_text_add(&s->arguments, "%s%s", first, second);
  wb_text_add_bytes(&s->arguments, "", 1);
  return true;
}

/* A macro becomes a line of a header, which is looked at as the source is. */
static bool set_macro(const char *value, struct settings *s) {
  const char *equals = strchr(value, '=');
  const size_t name = equals ? (size_t)(equals - value) : strlen(value);
  if (!name || strpbrk(value, "\n\r\\")) return false;
  wb_text_add(&s->macros, "#define %.*s %s\n", (int)name, value, equals ? equals + 1 : "1");
  return true;
}

static bool set_standard(const char *value, struct settings *s) {
  static const char *const standards[] = {"c++03", "c++11", "c++14", "c++17", "c++20"};
  for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
    if (!strcmp(value, standards[i])) return add_argument(s, "-std=", value);
  return false;
}

static bool apply(const struct option *o, const char *value, struct settings *s) {
  switch (o->effect) {
  case ARCHITECTURE:
    return set_architecture(value, s);
  case DEFINE:
    return set_macro(value, s);
  case UNDEFINE:
    if (!*value || value[strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")])
      return false;
    wb_text_add(&s->macros, "#undef %s\n", value);
    return true;
  case PRE_INCLUDE:
    if (strpbrk(value, "\"\n\r\\")) return false;
    wb_text_add(&s->macros, "#include \"%s\"\n", value);
    return true;
  case FOLDER:
    wb_text_add(&s->folders, "-I%s", value);
    wb_text_add_bytes(&s->folders, "", 1);
    return true;
  case STANDARD:
    return set_standard(value, s);
  case QUIET:
    return add_argument(s, "-w", "");
  case NONE:
    return true;
  }
  return false;
}

static const char *const optional[] = {"Werror",       "fdevice-time-trace",    "time", "pch-verbose", "dopt",
                                       "pch-messages", "device-stack-protector"};

static bool may_stand_alone(const struct option *o) {
  for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
    if (!strcmp(o->name, optional[i])) return true;
  return false;
}

bool read_options(const struct job *job, struct settings *s) {
  s->architecture = architectures[0];
  s->is_virtual = true;
  for (int i = 0; i < job->options; i++) {
    const char *value, *text = job->option[i];
    const struct option *o = find(text, &value);
    if (!o) {
      wb_text_add(&s->error, "nvrtc: error: unrecognized option %.200s found\n", text);
      return false;
    }
    if (o->form == VALUED && !value && !may_stand_alone(o)) {
      if (i + 1 == job->options) {
        wb_text_add(&s->error, "nvrtc: error: the option %.200s needs a value\n", text);
        return false;
      }
      value = job->option[++i];
    }
    if ((o->form == ALONE && value) || !apply(o, value ? value : "", s)) {
      wb_text_add(&s->error, "nvrtc: error: invalid value for --%s%s%s%s: %.200s\n", o->name,
                  o->brief ? " (-" : "", o->brief ? o->brief : "", o->brief ? ")" : "", value ? value : "");
      return false;
    }
  }
  return true;
}

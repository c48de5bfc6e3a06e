/* worker/sanitizers.c: turns the reports of gcc's and clang's sanitizers into findings like those of
 * common/cpu: tool, one sentence, file and line. */
#include "worker/sanitizers.h"
#include "base/json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 20 /* findings of one task; a loop repeats itself */

/* Finds the first source line after `at` that belongs neither to the sanitizer nor to the harness: "
 * file.c:12". */
static void find_place(const char *at, const char *end, char *file, size_t size, int *line) {
  *line = 0;
  file[0] = '\0';
  for (const char *p = at; p < end; p++) {
    if (*p != ':' || p[1] < '0' || p[1] > '9') continue;
    const char *start = p;
    while (start > at && !strchr(" \t\n(", start[-1])) start--;
    const char *slash = memrchr(start, '/', (size_t)(p - start));
    const char *name = slash ? slash + 1 : start;
    const size_t length = (size_t)(p - name);
    const bool source =
        length > 2 && (memcmp(p - 2, ".c", 2) == 0 || (length > 3 && memcmp(p - 3, ".cu", 3) == 0));
    if (!source || memmem(start, (size_t)(p - start), "common/harness/", 15)) continue;
    snprintf(file, size, "%.*s", (int)length, name);
    *line = atoi(p + 1);
    return;
  }
}

/* Length of a sentence, up to parts that differ in each run: an address or a process number. */
static size_t sentence_length(const char *sentence) {
  size_t length = strcspn(sentence, "\n");
  const char *const ends[] = {" on address", " on unknown address", " (pid="};
  for (size_t e = 0; e < WB_COUNT(ends); e++) {
    const char *end = strstr(sentence, ends[e]);
    if (end && (size_t)(end - sentence) < length) length = (size_t)(end - sentence);
  }
  return length;
}

static void add_finding(wb_json *json, const char *tool, const char *kind, const char *sentence,
                        size_t length, const char *from, const char *to) {
  char file[128], *text = strndup(sentence, length), *whole = strndup(from, (size_t)(to - from));
  int line;
  find_place(from, to, file, sizeof file, &line);
  wb_json_object(json, NULL);
  wb_json_string(json, "tool", tool);
  wb_json_string(json, "severity", "error");
  wb_json_string(json, "kind", kind);
  wb_json_string(json, "sentence", text);
  wb_json_string(json, "file", file[0] ? file : NULL);
  wb_json_integer(json, "line", line);
  wb_json_integer(json, "repeats", 1);
  wb_json_string(json, "text", whole);
  wb_json_end(json);
  free(text);
  free(whole);
}

/* How each tool's report starts. The sentence is the rest of that line. */
static const struct {
  const char *mark, *tool, *kind;
} marks[] = {
    {"ERROR: AddressSanitizer: ", "asan", NULL},
    {"WARNING: ThreadSanitizer (race): ", "tsan",
     "race"}, /* common/openmp/tsan_openmp.c: names both places */
    {"WARNING: ThreadSanitizer: ", "tsan", NULL},
    {": runtime error: ", "ubsan", NULL},
};

static const char *next_mark(const char *p, size_t *which) {
  const char *first = NULL;
  for (size_t m = 0; m < WB_COUNT(marks); m++) {
    const char *at = strstr(p, marks[m].mark);
    if (at && (!first || at < first)) {
      first = at;
      *which = m;
    }
  }
  return first;
}

/* The access that the address sanitizer reports, if it is outside an array of the case: "on address 0x7f12 at pc",
 * and in the next line "READ of size 4". Where a vector is read, only its last byte may be outside. */
static bool find_overrun(const char *sentence, const char *to, const wb_arena *arena, const wb_layout *layout,
                         wb_overrun *overrun) {
  const char *address = memmem(sentence, (size_t)(to - sentence), "address 0x", 10);
  const char *read = memmem(sentence, (size_t)(to - sentence), "READ of size ", 13);
  const char *write = memmem(sentence, (size_t)(to - sentence), "WRITE of size ", 14);
  if (!address || (!read && !write)) return false;
  const size_t offset = strtoull(address + 8, NULL, 16) - (uintptr_t)arena->shared;
  const size_t size = strtoull(read ? read + 13 : write + 14, NULL, 10);
  const bool found =
      wb_arena_overrun(layout, offset, overrun) || wb_arena_overrun(layout, offset + size - 1, overrun);
  overrun->writes = !read;
  return found;
}

/* A sanitizer ends the process after an error. The message says that instead of "ended the program". Returns
 * whether the report has a place: two reports at once may be written into each other. */
static bool tell(wb_task_result *result, const wb_arena *arena, const wb_layout *layout, const char *tool,
                 const char *sentence, const char *from, const char *to) {
  if (result->state != WB_CRASHED) return true;
  char file[128];
  int line;
  find_place(from, to, file, sizeof file, &line);
  const char *which = strchr(wb_text_get(&result->message), ':');
  wb_overrun overrun;
  wb_text message = {0};
  if (which) wb_text_add_bytes(&message, result->message.data, (size_t)(which - result->message.data));
  wb_text_add(&message, ": %s stopped it", tool);
  if (line) wb_text_add(&message, " at %s:%d", file, line);
  if (find_overrun(sentence, to, arena, layout, &overrun)) {
    wb_text_add(&message, ": it ");
    wb_arena_add_overrun(result->task, layout, &overrun, &message);
  } else {
    wb_text_add(&message, ": %.*s", (int)sentence_length(sentence), sentence);
  }
  wb_text_free(&result->message);
  result->message = message;
  return line > 0;
}

void wb_sanitizer_findings(wb_task_result *result, const wb_arena *arena, const wb_layout *layout) {
  size_t which = 0, next_which = 0;
  const char *output = result->output ? result->output : "";
  const char *at = next_mark(output, &which);
  if (!at) return;
  wb_text text = {0};
  wb_json json = {.out = &text};
  wb_json_array(&json, NULL);
  bool placed = false;
  for (int count = 0; at && count < MOST; count++) {
    const char *sentence = at + strlen(marks[which].mark), *next = next_mark(sentence, &next_which);
    /* The report begins with the mark's line and ends before the next one's. */
    const char *from = at, *to = next ? next : sentence + strlen(sentence);
    while (from > output && from[-1] != '\n') from--;
    while (next && to > sentence && to[-1] != '\n') to--;
    add_finding(&json, marks[which].tool, marks[which].kind, sentence, sentence_length(sentence), from, to);
    if (!placed) placed = tell(result, arena, layout, marks[which].tool, sentence, from, to);
    at = next;
    which = next_which;
  }
  wb_json_end(&json);
  if (result->findings && strcmp(result->findings, "[]") == 0) {
    free(result->findings);
    result->findings = text.data;
  } else {
    wb_text_free(&text);
  }
}

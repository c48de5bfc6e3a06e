/* tokens.c: prints a file's tokens for other programs; see tokens.h. */
#include "tokens.h"

#include "grow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 100000, LONGEST_TEXT = 200 };

typedef struct {
  joined_text joined;
  language language;
  token_list tokens;
  bool foreign; /* a foreign letter was reported */
  bool in_directive;
  size_t defined; /* the name that the line defines, or 0 */
  size_t groups;  /* #if, #ifdef and #ifndef without their #endif so far */
  FILE *out;
} printer;

/* ---- lines --------------------------------------------------------------------------------------------- */

joined_text join_lines(const char *text, size_t size) {
  joined_text joined = {0};
  wb_text_add_bytes(&joined.text, "", 0);
  for (size_t at = 0, end; at < size; at = end) {
    joined.lines =
        rewrite_grow(joined.lines, &joined.line_capacity, joined.line_count + 1, sizeof *joined.lines);
    joined.lines[joined.line_count++] = joined.text.size;
    const char *newline = memchr(text + at, '\n', size - at);
    end = newline ? (size_t)(newline - text) + 1 : size;
    size_t back = end; /* the backslash that continues this line, if any: blanks may follow it */
    while (back > at && strchr(" \t\v\f\r\n", text[back - 1]) && text[back - 1]) back--;
    const bool continued = back > at && text[back - 1] == '\\' && lex_splice(text, back - 1, end) > 0;
    wb_text_add_bytes(&joined.text, text + at, (continued ? back - 1 : end) - at);
  }
  return joined;
}

size_t joined_line(const joined_text *joined, size_t offset) {
  size_t low = 0, high = joined->line_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(joined->lines[middle] <= offset ? &low : &high) = middle;
  }
  return low;
}

void joined_free(joined_text *joined) {
  wb_text_free(&joined->text);
  free(joined->lines);
  *joined = (joined_text){0};
}

language language_of(const char *path) {
  const size_t length = strlen(path);
  return length >= 2 && strcmp(path + length - 2, ".c") == 0 ? LANGUAGE_C : LANGUAGE_CUDA;
}

/* ---- printing ------------------------------------------------------------------------------------------ */

static void print_text(const printer *p, size_t line, const char *kind, const char *text, size_t size) {
  fprintf(p->out, "%zu\t%s\t", line + 1, kind);
  for (size_t i = 0; i < size && i < LONGEST_TEXT; i++)
    fputc((unsigned char)text[i] < 0x20 || text[i] == 0x7F ? ' ' : text[i], p->out);
  fputc('\n', p->out);
}

static void unusual(const printer *p, size_t line, const char *what) {
  print_text(p, line, "unusual", what, strlen(what));
}

static const token *token_at(const printer *p, size_t i) {
  return i < p->tokens.count ? &p->tokens.items[i] : NULL;
}

static bool is(const printer *p, size_t i, const char *word) {
  const token *t = token_at(p, i);
  return t && token_is(p->joined.text.data, t, word);
}

static bool touches(const printer *p, size_t i) {
  const token *t = token_at(p, i), *next = token_at(p, i + 1);
  return next && t->end == next->begin;
}

static bool holds(const printer *p, size_t i, const char *piece) {
  const token *t = token_at(p, i);
  const char *text = p->joined.text.data + t->begin;
  const size_t size = t->end - t->begin, length = strlen(piece);
  for (size_t at = 0; at + length <= size; at++)
    if (memcmp(text + at, piece, length) == 0) return true;
  return false;
}

/* `##` or `%:%:` begins at token i. */
static bool pastes(const printer *p, size_t i) {
  if (is(p, i, "#")) return touches(p, i) && is(p, i + 1, "#");
  for (size_t k = 0; k < 4; k++)
    if (!is(p, i + k, k % 2 ? ":" : "%") || (k < 3 && !touches(p, i + k))) return false;
  return true;
}

/* Whether token i is a word of the macro that the line defines, and not one of its parameters. */
static bool is_own_word(const printer *p, size_t i) {
  const token *t = token_at(p, i);
  if (!t || t->kind != TOKEN_WORD || p->defined == 0 || i <= p->defined) return false;
  const size_t size = t->end - t->begin;
  if (!is(p, p->defined + 1, "(") || !touches(p, p->defined)) return true;
  for (size_t k = p->defined + 2; k < i && !is(p, k, ")"); k++) {
    const token *parameter = token_at(p, k);
    if (parameter->end - parameter->begin == size &&
        memcmp(p->joined.text.data + parameter->begin, p->joined.text.data + t->begin, size) == 0)
      return false;
  }
  return true;
}

/* Whether a name that contains this word can be nothing but a name: no attribute, builtin or keyword has it. */
static bool is_part_of_name(const printer *p, size_t i) {
  static const char *const parts[] = {"kernel", "launch", "_each", "_impl", "_body"};
  bool found = is(p, i, "_float") || is(p, i, "_double") || is(p, i, "_int");
  if (!is_own_word(p, i)) return false;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) found = found || holds(p, i, parts[k]);
  return found;
}

/* The ## of token i makes a name, `NAME##_kernel`, or a number, `0x##BITS`, or leaves out a comma,
 * `, ##__VA_ARGS__`. */
static bool pastes_plainly(const printer *p, size_t i) {
  if (!is(p, i, "#") || p->defined == 0 || i == 0) return false;
  if (is(p, i - 1, ",") && is(p, i + 2, "__VA_ARGS__")) return true;
  while (i >= 4 && pastes(p, i - 3)) i -= 3; /* the first one of `a##b##c` */
  bool plain = token_at(p, i - 1)->kind == TOKEN_NUMBER || is_part_of_name(p, i - 1);
  for (; pastes(p, i); i += 3) plain = plain || is_part_of_name(p, i + 2);
  return plain;
}

static bool is_raw_string(const printer *p, size_t i) {
  const token *t = token_at(p, i);
  const char *quote = memchr(p->joined.text.data + t->begin, '"', t->end - t->begin);
  return t->kind == TOKEN_STRING && quote && quote > p->joined.text.data + t->begin && quote[-1] == 'R';
}

/* Whether a line of the file that is continued ends between two offsets. */
static bool is_spliced(const printer *p, size_t begin, size_t end) {
  const size_t *lines = p->joined.lines;
  for (size_t i = joined_line(&p->joined, begin) + 1; i < p->joined.line_count && lines[i] < end; i++)
    if (lines[i] > begin && (lines[i] == lines[i - 1] || p->joined.text.data[lines[i] - 1] != '\n'))
      return true;
  return false;
}

/* Whether all compilers take the raw string of token i for the same. The delimiter has letters and digits only.
   No line in it is continued: outside of raw strings compilers join such lines. No literal or word touches it:
   it may be a suffix, `"a"R`. It is in no directive and no #if: compilers need not read strings there. */
static bool is_plain_raw_string(const printer *p, size_t i) {
  const token *t = token_at(p, i);
  const char *text = p->joined.text.data + t->begin, *quote = strchr(text, '"');
  const size_t size = t->end - t->begin, head = (size_t)(quote - text) + 1;
  size_t length = 0;
  while (length <= 16 && (isalnum((unsigned char)quote[1 + length]) || quote[1 + length] == '_')) length++;
  const bool ends = length <= 16 && quote[1 + length] == '(' && size >= head + 2 * length + 3 &&
                    text[size - 1] == '"' && text[size - 2 - length] == ')' &&
                    memcmp(text + size - 1 - length, quote + 1, length) == 0;
  const bool touched = (i > 0 && touches(p, i - 1) && token_at(p, i - 1)->kind != TOKEN_PUNCTUATION) ||
                       (touches(p, i) && token_at(p, i + 1)->kind != TOKEN_PUNCTUATION);
  return ends && !touched && !is_spliced(p, t->begin, t->end) && !p->in_directive && p->groups == 0;
}

/* A letter written as a number begins at token i. */
static bool is_numbered_letter(const printer *p, size_t i) {
  const token *next = token_at(p, i + 1);
  if (!is(p, i, "\\") || !touches(p, i)) return false;
  const char c = p->joined.text.data[next->begin];
  return c == 'u' || c == 'U';
}

static void check_token(printer *p, size_t i, size_t line) {
  const token *t = token_at(p, i);
  const bool string = t->kind == TOKEN_STRING;
  if (is_raw_string(p, i) && !is_plain_raw_string(p, i)) unusual(p, line, "raw-string");
  if (!string && pastes(p, i) && !pastes_plainly(p, i)) unusual(p, line, "pasting");
  if (string ? holds(p, i, "\\u") || holds(p, i, "\\U") : is_numbered_letter(p, i))
    unusual(p, line, "letter-as-number");
  if (string || t->kind == TOKEN_CHAR || p->foreign) return;
  for (size_t at = t->begin; at < t->end && !p->foreign; at++)
    if ((unsigned char)p->joined.text.data[at] >= 0x80) {
      unusual(p, line, "foreign-letter");
      p->foreign = true;
    }
}

/* Tokens [first, last) with a blank where the text has blanks or comments. */
static void add_plain(const printer *p, size_t first, size_t last, wb_text *out) {
  for (size_t i = first; i < last; i++) {
    const token *t = token_at(p, i);
    if (i > first && !touches(p, i - 1)) wb_text_add(out, " ");
    wb_text_add_bytes(out, p->joined.text.data + t->begin, t->end - t->begin);
  }
}

/* Describes the directive whose name is token `name` and whose line ends before token `last`. Returns true
   when the tokens of the line are not to be printed. */
static bool print_directive(printer *p, size_t name, size_t last, size_t line) {
  const token *t = token_at(p, name);
  if (name >= last || (t->kind != TOKEN_WORD && t->kind != TOKEN_NUMBER)) return false;
  if (is(p, name, "include")) {
    wb_text rest = {0};
    add_plain(p, name + 1, last, &rest);
    print_text(p, line, "include", wb_text_get(&rest), rest.size);
    wb_text_free(&rest);
    return true;
  }
  for (size_t i = name + 1; is(p, name, "pragma") && i < last; i++)
    if (holds(p, i, "dependency")) unusual(p, line, "pragma-dependency");
  if (is(p, name, "if") || is(p, name, "ifdef") || is(p, name, "ifndef")) p->groups++;
  if (is(p, name, "endif") && p->groups > 0) p->groups--;
  print_text(p, line, "directive", p->joined.text.data + t->begin, t->end - t->begin);
  return false;
}

/* The tokens of one line, comments and continuations not counted: [first, last). */
static void print_line(printer *p, size_t first, size_t last) {
  static const char *const kinds[] = {"word", "number", "string", "char", "punctuation"};
  const size_t line = joined_line(&p->joined, token_at(p, first)->begin);
  size_t name = first;
  if (is(p, first, "#"))
    name = first + 1;
  else if (is(p, first, "%") && touches(p, first) && is(p, first + 1, ":"))
    name = first + 2;
  p->in_directive = name > first;
  p->defined = p->in_directive && is(p, name, "define") && name + 1 < last ? name + 1 : 0;
  bool hidden = name > first && print_directive(p, name, last, line);
  for (size_t i = first; i < last; i++) check_token(p, i, joined_line(&p->joined, token_at(p, i)->begin));
  for (size_t i = first; i < last && !hidden; i++) {
    const token *t = token_at(p, i);
    print_text(p, joined_line(&p->joined, t->begin), kinds[t->kind], p->joined.text.data + t->begin,
               t->end - t->begin);
  }
}

/* Trigraphs and carriage returns, which compilers replace or pass over before anything else. */
static void check_lines(printer *p, const char *text, size_t size) {
  size_t line = 0;
  for (size_t at = 0; at < size; at++) {
    const bool last = at + 1 == size;
    if (text[at] == '\n') line++;
    if (text[at] == '\r' && !last && text[at + 1] != '\n') unusual(p, line, "carriage-return");
    if (p->language == LANGUAGE_C && at + 2 < size && text[at] == '?' && text[at + 1] == '?' &&
        (text[at + 2] == '=' || text[at + 2] == '/'))
      unusual(p, line, "trigraph");
  }
}

/* Ends the text before the first line that is too long; returns whether there was one. */
static bool cut_long_line(joined_text *joined) {
  for (size_t begin = 0, at = 0; at <= joined->text.size; at++) {
    if (at - begin > LONGEST_LINE) {
      joined->text.size = begin;
      joined->text.data[begin] = '\0';
      return true;
    }
    if (joined->text.data[at] == '\n') begin = at + 1;
  }
  return false;
}

void print_tokens(const char *text, size_t size, language l, FILE *out) {
  printer p = {.joined = join_lines(text, size), .language = l, .out = out};
  const bool too_long = cut_long_line(&p.joined);
  check_lines(&p, text, size);
  lex_flat(p.joined.text.data, p.joined.text.size, l, &p.tokens);
  for (size_t first = 0, last; first < p.tokens.count; first = last) {
    for (last = first + 1; last < p.tokens.count && !p.tokens.items[last].begins_line;) last++;
    print_line(&p, first, last);
  }
  if (too_long) unusual(&p, joined_line(&p.joined, p.joined.text.size), "long-line");
  free(p.tokens.items);
  joined_free(&p.joined);
}

/* lex.c: the tokenizer. It follows C++'s lexical rules closely enough never to find a launch in a comment, a
   string or a number, and never to lose its place in one. */
#include "lex.h"

#include "grow.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const char *text;
  size_t at, end;
  token_list *tokens; /* NULL: they are passed over */
  language language;
  bool line_start; /* nothing of this line was read but blanks and comments */
  enum { IN_TEXT, AFTER_HASH, AFTER_INCLUDE } expects;
} lexer;

static char peek(const lexer *lx, size_t ahead) {
  return lx->at + ahead < lx->end ? lx->text[lx->at + ahead] : '\0';
}

static bool is_word_start(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_word(char c) { return is_word_start(c) || isdigit((unsigned char)c); }

bool token_is(const char *text, const token *t, const char *word) {
  size_t length = strlen(word);
  return (t->kind == TOKEN_WORD || t->kind == TOKEN_PUNCTUATION) && t->end - t->begin == length &&
         memcmp(text + t->begin, word, length) == 0;
}

static void add_token(lexer *lx, token_kind kind, size_t begin) {
  token_list *list = lx->tokens;
  const bool begins_line = lx->line_start;
  lx->line_start = false;
  if (!list) return;
  list->items = rewrite_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
  list->items[list->count++] =
      (token){.kind = kind, .begin = begin, .end = lx->at, .begins_line = begins_line};
}

size_t lex_splice(const char *text, size_t at, size_t end) {
  if (text[at] != '\\') return 0;
  size_t next = at + 1;
  while (next < end && (text[next] == ' ' || text[next] == '\t' || text[next] == '\v' || text[next] == '\f'))
    next++;
  if (next < end && text[next] == '\r') next++;
  return next < end && text[next] == '\n' ? next + 1 - at : 0;
}

static size_t splice_length(const lexer *lx) { return lex_splice(lx->text, lx->at, lx->end); }

/* Skips to the newline that ends a // comment; a backslash at the end of the line carries it on. */
static void skip_line_comment(lexer *lx) {
  while (lx->at < lx->end && lx->text[lx->at] != '\n') {
    size_t splice = splice_length(lx);
    lx->at += splice ? splice : 1;
  }
}

static void skip_block_comment(lexer *lx) {
  lx->at += 2;
  while (lx->at < lx->end && !(peek(lx, 0) == '*' && peek(lx, 1) == '/')) lx->at++;
  lx->at = lx->at + 2 <= lx->end ? lx->at + 2 : lx->end;
}

/* Skips a literal that opens with text[at]. It ends at the same quote, or before the end of the line, because
   an apostrophe in `#error don't` or in a part left out by #if 0 opens nothing. */
static void skip_quoted(lexer *lx) {
  char quote = lx->text[lx->at++];
  while (lx->at < lx->end && lx->text[lx->at] != '\n') {
    char c = lx->text[lx->at];
    if (c == '\\') {
      size_t splice = splice_length(lx);
      lx->at += splice ? splice : 2;
      continue;
    }
    lx->at++;
    if (c == quote) return;
  }
  if (lx->at > lx->end) lx->at = lx->end;
}

/* Skips R"delimiter( ... )delimiter" from its quote on. */
static void skip_raw_string(lexer *lx) {
  size_t delimiter = lx->at + 1, length = 0;
  while (delimiter + length < lx->end && length <= 16 && !strchr("()\\ \t\n\"", lx->text[delimiter + length]))
    length++;
  if (delimiter + length >= lx->end || lx->text[delimiter + length] != '(') {
    skip_quoted(lx);
    return;
  }
  for (lx->at = delimiter + length + 1; lx->at + length + 1 < lx->end; lx->at++)
    if (lx->text[lx->at] == ')' && memcmp(lx->text + lx->at + 1, lx->text + delimiter, length) == 0 &&
        lx->text[lx->at + 1 + length] == '"') {
      lx->at += length + 2;
      return;
    }
  lx->at = lx->end;
}

static void lex_word(lexer *lx) {
  size_t begin = lx->at;
  while (lx->at < lx->end && is_word(lx->text[lx->at])) lx->at++;
  const char *word = lx->text + begin;
  size_t length = lx->at - begin;
  char quote = peek(lx, 0);
  bool prefix = (length == 1 && strchr("uUL", word[0])) || (length == 2 && memcmp(word, "u8", 2) == 0);
  bool raw =
      lx->language == LANGUAGE_CUDA && quote == '"' && word[length - 1] == 'R' &&
      (length == 1 || (length == 2 && strchr("uUL", word[0])) || (length == 3 && memcmp(word, "u8", 2) == 0));
  if (raw) {
    skip_raw_string(lx);
    add_token(lx, TOKEN_STRING, begin);
  } else if (prefix && (quote == '"' || quote == '\'')) {
    skip_quoted(lx);
    add_token(lx, quote == '"' ? TOKEN_STRING : TOKEN_CHAR, begin);
  } else {
    add_token(lx, TOKEN_WORD, begin);
  }
}

/* A preprocessing number: digits, letters, dots, exponents with a sign, and ' between digits. */
static void lex_number(lexer *lx) {
  size_t begin = lx->at;
  while (lx->at < lx->end) {
    char c = lx->text[lx->at], next = peek(lx, 1);
    if (strchr("eEpP", c) && (next == '+' || next == '-'))
      lx->at += 2;
    else if (c == '\'' && lx->language == LANGUAGE_CUDA && (isalnum((unsigned char)next) || next == '_'))
      lx->at += 2;
    else if (is_word(c) || c == '.')
      lx->at++;
    else
      break;
  }
  add_token(lx, TOKEN_NUMBER, begin);
}

static void lex_punctuation(lexer *lx) {
  static const char *const pairs[] = {"::", "->", "<=", ">="};
  size_t begin = lx->at, length = 1;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (peek(lx, 0) == pairs[i][0] && peek(lx, 1) == pairs[i][1]) length = 2;
  lx->at += length;
  add_token(lx, TOKEN_PUNCTUATION, begin);
}

/* A header's name in <>, which holds no comments or strings; false when the line ends without a >. */
static bool lex_header_name(lexer *lx) {
  size_t end = lx->at, begin = lx->at;
  while (end < lx->end && lx->text[end] != '>' && lx->text[end] != '\n') end++;
  if (end == lx->end || lx->text[end] == '\n') return false;
  lx->at = end + 1;
  add_token(lx, TOKEN_STRING, begin);
  return true;
}

/* One token, which is no directive. */
static void lex_token(lexer *lx) {
  const size_t begin = lx->at;
  const char c = peek(lx, 0), next = peek(lx, 1);
  const bool hash = lx->line_start && (c == '#' || (c == '%' && next == ':'));
  const bool after_hash = lx->expects == AFTER_HASH, after_include = lx->expects == AFTER_INCLUDE;
  lx->expects = IN_TEXT;
  if (after_include && c == '<' && lex_header_name(lx)) return;
  if (is_word_start(c)) {
    lex_word(lx);
    if (after_hash && lx->at - begin == 7 && memcmp(lx->text + begin, "include", 7) == 0)
      lx->expects = AFTER_INCLUDE;
  } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next))) {
    lex_number(lx);
  } else if (c == '"' || c == '\'') {
    skip_quoted(lx);
    add_token(lx, c == '"' ? TOKEN_STRING : TOKEN_CHAR, begin);
  } else {
    lex_punctuation(lx);
    if (hash) lx->expects = AFTER_HASH;
    if (after_hash && c == ':' && lx->text[begin - 1] == '%') lx->expects = AFTER_HASH; /* %: is a # */
  }
}

/* Passes over blanks, a comment or a line continuation. Returns false when a token stands here. */
static bool skip_blank(lexer *lx) {
  const char c = peek(lx, 0), next = peek(lx, 1);
  const size_t splice = splice_length(lx);
  if (splice)
    lx->at += splice;
  else if (isspace((unsigned char)c))
    lx->at++;
  else if (c == '/' && next == '/')
    skip_line_comment(lx);
  else if (c == '/' && next == '*')
    skip_block_comment(lx);
  else
    return false;
  return true;
}

/* From # to the end of the line, as one token. */
static void lex_directive(lexer *lx) {
  lexer inner = *lx;
  inner.tokens = NULL;
  while (inner.at < inner.end && inner.text[inner.at] != '\n')
    if (!skip_blank(&inner)) lex_token(&inner);
  const size_t begin = lx->at;
  lx->at = inner.at;
  add_token(lx, TOKEN_DIRECTIVE, begin);
}

static void lex_all(lexer *lx, bool gather, bool in_directive) {
  lx->line_start = !in_directive;
  while (lx->at < lx->end) {
    if (peek(lx, 0) == '\n' && !in_directive) {
      lx->line_start = true;
      lx->expects = IN_TEXT;
    }
    if (skip_blank(lx)) continue;
    if (gather && lx->line_start && peek(lx, 0) == '#')
      lex_directive(lx);
    else
      lex_token(lx);
  }
}

void lex(const char *text, size_t begin, size_t end, bool in_directive, token_list *tokens) {
  lexer lx = {.text = text, .at = begin, .end = end, .tokens = tokens};
  lex_all(&lx, true, in_directive);
}

void lex_flat(const char *text, size_t size, language l, token_list *tokens) {
  lexer lx = {.text = text, .end = size, .tokens = tokens, .language = l};
  lex_all(&lx, false, false);
}

/* lex.c: the tokenizer. It follows C++'s lexical rules closely enough never to find a launch in a comment, a
   string or a number, and never to lose its place in one. */
#include "lex.h"

#include "grow.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const char *text;
  size_t at, end;
  token_list *tokens;
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
  list->items = rewrite_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
  list->items[list->count++] = (token){.kind = kind, .begin = begin, .end = lx->at};
}

/* Length of a backslash and newline at `at`, 0 when there is none. A carriage return may stand between. */
static size_t splice_length(const lexer *lx) {
  if (peek(lx, 0) != '\\') return 0;
  if (peek(lx, 1) == '\n') return 2;
  return peek(lx, 1) == '\r' && peek(lx, 2) == '\n' ? 3 : 0;
}

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
      quote == '"' && word[length - 1] == 'R' &&
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
    else if (c == '\'' && is_word(next))
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

/* From # to the end of the line. Strings count only in lines that hold C++ (#define, #if ...): the apostrophe
   of
   `#error don't` must not hide a comment's start, and `#include <a//b>` holds no comment. */
static void lex_directive(lexer *lx) {
  size_t begin = lx->at, word = lx->at + 1;
  while (word < lx->end && (lx->text[word] == ' ' || lx->text[word] == '\t')) word++;
  bool plain = lx->end - word >= 5 &&
               (memcmp(lx->text + word, "error", 5) == 0 || memcmp(lx->text + word, "warni", 5) == 0);
  while (lx->at < lx->end && lx->text[lx->at] != '\n') {
    size_t splice = splice_length(lx);
    char c = lx->text[lx->at], next = peek(lx, 1);
    if (splice)
      lx->at += splice;
    else if (c == '/' && next == '*')
      skip_block_comment(lx);
    else if (c == '/' && next == '/')
      skip_line_comment(lx);
    else if (!plain && c == '"' && lx->at > begin && lx->text[lx->at - 1] == 'R')
      skip_raw_string(lx);
    else if (!plain && (c == '"' || (c == '\'' && !is_word(lx->text[lx->at - 1]))))
      skip_quoted(lx);
    else
      lx->at++;
  }
  add_token(lx, TOKEN_DIRECTIVE, begin);
}

void lex(const char *text, size_t begin, size_t end, bool in_directive, token_list *tokens) {
  lexer lx = {.text = text, .at = begin, .end = end, .tokens = tokens};
  bool line_start = !in_directive;
  while (lx.at < lx.end) {
    char c = peek(&lx, 0), next = peek(&lx, 1);
    size_t splice = splice_length(&lx);
    if (splice) {
      lx.at += splice;
    } else if (isspace((unsigned char)c)) {
      line_start = line_start || (c == '\n' && !in_directive);
      lx.at++;
    } else if (c == '/' && next == '/') {
      skip_line_comment(&lx);
    } else if (c == '/' && next == '*') {
      skip_block_comment(&lx);
    } else if (c == '#' && line_start) {
      lex_directive(&lx);
    } else {
      line_start = false;
      if (is_word_start(c)) {
        lex_word(&lx);
      } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next))) {
        lex_number(&lx);
      } else if (c == '"' || c == '\'') {
        size_t at = lx.at;
        skip_quoted(&lx);
        add_token(&lx, c == '"' ? TOKEN_STRING : TOKEN_CHAR, at);
      } else {
        lex_punctuation(&lx);
      }
    }
  }
}

#!/usr/bin/env bats
# `rewrite --tokens FILE`: the tokens of a file as the compiler reads them, for the grader's look at a
# learner's file and for grader/similar. The format is described in common/cpu/rewrite/tokens.h.

load rewrite_helper

# tokens NAME TEXT: sets `output` to the lines for a file of this text (printf's escapes), with blanks for
# tabs.
tokens() {
  local text
  printf -v text '%s' "${@:2}"
  # shellcheck disable=SC2059 # it is a format
  printf "$text" >"$BATS_TEST_TMPDIR/$1"
  run "$REWRITE" --tokens "$BATS_TEST_TMPDIR/$1"
  ends_with 0
  output=${output//$'\t'/ }
}

# words: the words among them, in a line.
words() { sed -n 's/^[0-9]* word //p' <<<"$output" | paste -sd ' '; }

@test "--tokens prints line, kind and text of each token" {
  tokens a.cu 'int n = 0x1p-3; // no\nf<<<1>>>("a\\"b", L'"'x'"', p->q);\n'
  [ "$output" = '1 word int
1 word n
1 punctuation =
1 number 0x1p-3
1 punctuation ;
2 word f
2 punctuation <
2 punctuation <
2 punctuation <
2 number 1
2 punctuation >
2 punctuation >
2 punctuation >
2 punctuation (
2 string "a\"b"
2 punctuation ,
2 char L'"'x'"'
2 punctuation ,
2 word p
2 punctuation ->
2 word q
2 punctuation )
2 punctuation ;' ]
}

@test "--tokens names the directives, and of an #include what it includes" {
  tokens a.cu '#include /* a */ <math.h> // b\n#/*\n*/ include "x.h"\n  %%:include M(1)\n' \
    '#define A b\n#\n#line 7\n# 7 "x"\n'
  [ "$(grep -E 'include|directive' <<<"$output")" = '1 include <math.h>
2 include "x.h"
4 include M(1)
5 directive define
7 directive line
8 directive 7' ]
  [ "$(words)" = 'define A b line' ]
}

@test "--tokens joins lines that end in a backslash, also with blanks or a carriage return after it" {
  for end in '\\\n' '\\  \n' '\\\r\n' '\\\t\r\n'; do
    tokens a.c "as${end}m(1); // x ${end}hidden\nint${end} b;\n"
    [ "$(words)" = 'asm int b' ]
    grep -qx '6 word b' <<<"$output" || grep -qx '5 word b' <<<"$output"
  done
}

@test "--tokens finds no word in comments and literals, and loses none after an odd one" {
  tokens a.cu '/* a "\n b */ c "d /* e" '"'f'"' g // h\n"i\nj '"'"'k\nl 1'"'"'000 m\n' \
    '#warning don'"'"'t /* n\no\n#define X L'"'/*'"' p\nq 1'"'"'$r'"'"' s\n'
  [ "$(words)" = 'c g j l m warning don o define X p q s' ]
  tokens a.c 'R"x(" asm //)x";\n1'"'"'a'"'"' b\n'
  [ "$(words)" = 'R asm b' ]
}

@test "--tokens ends a header's name at its >, not at a comment or quote in it" {
  tokens a.cu '#include <a/*b>\nseen\n#include <it'"'"'s> too\n'
  shows '1 include <a/*b>' "3 include <it's> too"
  [ "$(words)" = seen ]
}

@test "--tokens lets ## make a name with a part that only names have, or a number, and marks every other ##" {
  tokens a.cu '#define MAP(NAME, T) void NAME##_kernel(T *x); void launch_##NAME##_##T(T *x)\n' \
    '#define SAY(...) printf("", ##__VA_ARGS__)\n#define A(a, b) a##b\n#define B(a, kernel) a##kernel\n' \
    '#define C no_##sanitize\nint a##_kernel;\n#define D(a, ...) a##__VA_ARGS__\n' \
    '#define E(bits) 0x##bits##u\nconst char *t = "a##b";\n'
  [ "$(sed -n 's/ unusual / /p' <<<"$output")" = '3 pasting
4 pasting
5 pasting
6 pasting
7 pasting' ]
}

@test "--tokens marks places that compilers read differently" {
  tokens a.cu 'R"-(x)-" a##b "##" %%:%%: \\u0041 "\\u00e9" \xc3\xa4 \xc3\xb6\nint a;\rint b;\n' \
    '#pragma GCC dependency "x"\n'
  [ "$(sed -n 's/ unusual / /p' <<<"$output" | sort)" = '1 foreign-letter
1 letter-as-number
1 letter-as-number
1 pasting
1 pasting
1 raw-string
2 carriage-return
3 pragma-dependency' ]
  tokens a.c '??=include "x"\nint a??/\n;\n'
  [ "$(grep -c ' unusual trigraph' <<<"$output")" -eq 2 ]
  tokens b.cu '??=include "x"\n'
  shows_not trigraph
}

@test "--tokens marks a raw string where compilers may read another one, and finds the words after it" {
  local text
  # shellcheck disable=SC1003 # a backslash
  for text in 'R"(x)\\\n" /*)"' 'R"(x\\ \n)"' 'R"(\n\\\n)"' 'R\\\n"(x)"' '"a"R"("; asm ")"' "'a'u8R\"(x)\"" \
    'R"(x)"a' 'R"(x)""a"' \
    'R"-(x)-"' 'R"abcdefghijklmnopq(x)abcdefghijklmnopq"' 'R" (x) "' 'R"(x' '#define X R"(x)"' \
    '#if A\nR"(x)"\n#endif' '#if A\n#ifdef B\n#endif\n#else\nR"(\n#endif\n)"\n#endif'; do
    tokens a.cu "int a;\n$text\n"
    shows 'unusual raw-string'
  done
  for text in 'R"(" /*)"' 'LR"x(asm)" )x"' 'uR"()"' 'UR"a_1(\\)a_1"' \
    'u8R"0123456789abcdef(\n#if A\n)0123456789abcdef"' \
    '#if A\n#endif\nR"(x)"' 'f(R"(a // )", R"(b /*)")'; do
    tokens a.cu "$text; word\n"
    shows_not unusual
    [ "$(words)" = word ] || [ "$(words)" = 'if A endif word' ] || [ "$(words)" = 'f word' ]
  done
}

@test "--tokens ends at a line of more than 100000 characters" {
  { head -c 100000 /dev/zero | tr '\0' a; printf '\nbefore\n'; head -c 100001 /dev/zero | tr '\0' a; printf \
    '\nafter\n'; } >"$BATS_TEST_TMPDIR/long.cu"
  run "$REWRITE" --tokens "$BATS_TEST_TMPDIR/long.cu"
  ends_with 0
  [ "${#lines[@]}" -eq 3 ]
  [ "${lines[0]}" = $'1\tword\t'"$(printf 'a%.0s' {1..200})" ]
  [ "${lines[2]}" = $'3\tunusual\tlong-line' ]
}

@test "--tokens takes any bytes: none, zeros, half a literal, a byte order mark" {
  # shellcheck disable=SC1003 # a backslash
  for text in '' '\0' 'a\0b "\0' "'" '"' '#' '#include' '#include <' '#include "' '/*' '\\' '1e+' '%%' \
    '%%:' 'R"(' '\xff\xfe' '\xef\xbb\xbf#define A'; do
    tokens a.cu "$text"
    tokens a.c "$text"
  done
  shows '1 directive define'
}

@test "--tokens ends with 1 when the file cannot be read" {
  run "$REWRITE" --tokens "$BATS_TEST_TMPDIR/none.cu"
  ends_with 1
  shows 'cannot read'
}

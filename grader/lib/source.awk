# source.awk: what a learner's file includes, defines and names, outside of comments and strings; inspect.bash judges it.
#
# Input: the file. -v language=c or cu. Output, one a line, fields separated by tabs: LINE KIND TEXT
#   include  "streams.h" or <math.h>
#   directive the word behind # of any other, as it stands
#   word     an identifier
#   odd      what would hide something from this reader; TEXT says what
#
# It reads as the compiler does: the mark of UTF-8 in front is no text, lines that end in a backslash are joined first, a
# comment may stand anywhere and go over several lines, a string or a character ends with its line at the latest. What the two
# could read differently (raw strings, trigraphs, letters beyond ASCII, headers named outside of #include, pasting of tokens) is
# odd, and so refused.

function emit(kind, text) { print start "\t" kind "\t" substr(text, 1, 200) }

# Takes the token at the start of `rest` off it, and returns it.
function take(pattern,   token) {
  if (!match(rest, pattern) || RSTART != 1) return ""
  token = substr(rest, 1, RLENGTH)
  rest = substr(rest, RLENGTH + 1)
  return token
}

function skip_comment(   end) {
  end = index(rest, "*/")
  in_comment = end == 0
  rest = end ? substr(rest, end + 2) : ""
  plain = plain " "
}

# One logical line: words go out as they come, `plain` gathers its text without comments.
function read_line(   token) {
  plain = ""
  while (rest != "") {
    if (in_comment) { skip_comment(); continue }
    if (substr(rest, 1, 2) == "//") { rest = ""; break }
    if (substr(rest, 1, 2) == "/*") { rest = substr(rest, 3); in_comment = 1; continue }
    if (language == "cu" && match(rest, /^(u8|u|U|L)?R"/)) emit("odd", "a raw string (R\"...\")")
    if ((token = take("^(u8|u|U|L)?\"([^\"\\\\]|\\\\.)*\"?")) != "") { plain = plain token; continue }
    if ((token = take("^(u8|u|U|L)?'([^'\\\\]|\\\\.)*'?")) != "") { plain = plain "'"; continue }
    if ((token = take("^[A-Za-z_$][A-Za-z0-9_$]*")) != "") { plain = plain token; word[++words] = token; continue }
    # 1'000'000 is a number in C++ and not in C
    if ((token = take(language == "cu" ? "^[.]?[0-9]([eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*" \
        : "^[.]?[0-9]([eEpP][+-]|[0-9A-Za-z_.])*")) != "") { plain = plain token; continue }
    if (rest ~ /^[\200-\377]/ && !foreign++) emit("odd", "a letter beyond ASCII, outside of strings and comments,")
    plain = plain substr(rest, 1, 1)
    rest = substr(rest, 2)
  }
}

function judge_line(   text, name, i) {
  text = plain
  gsub(/[ \t\v\f\r]+/, " ", text)
  sub(/^ /, "", text)
  sub(/ $/, "", text)
  if (text ~ /^(#|%:)/) {
    sub(/^(#|%:) ?/, "", text)
    name = text
    sub(/[^A-Za-z0-9_].*/, "", name)
    if (name == "include") {
      sub(/^include ?/, "", text)
      emit("include", text)
      return # a header's name is no word
    }
    if (name == "pragma" && text ~ /dependency/) emit("odd", "#pragma dependency")
    if (name ~ /^(line|[0-9]+)$/) emit("odd", "a line marker (#" (name == "line" ? "line" : " " name) ")")
    else if (name != "") emit("directive", name)
  }
  if (text ~ /##|%:%:/) emit("odd", "pasting of tokens (##)")
  if (text ~ /\\[uU]/) emit("odd", "a letter written as a number (\\u)")
  for (i = 1; i <= words; i++) emit("word", word[i])
}

function end_line() {
  rest = logical
  words = 0
  read_line()
  judge_line()
  logical = ""
}

logical == "" { start = NR }
# `??/` at the end of a line is a backslash, `??=` a #, where trigraphs are read
language == "c" && /\?\?[=\/]/ { emit("odd", "a trigraph (??=, ??/)") }
NR == 1 { sub(/^\357\273\277/, "") }
{
  text = $0
  sub(/\r$/, "", text)
  if (text ~ /\r/) emit("odd", "a carriage return within a line")
  spliced = sub(/\\[ \t\v\f]*$/, "", text)
  logical = logical text
  # reading takes the square of its length
  if (length(logical) > 100000) { emit("odd", "a line of more than 100000 characters"); logical = ""; exit }
  if (spliced) next
  end_line()
}
END { if (logical != "") end_line() }

# Makes a compiler's messages speak of the learner's program and not of the rewriting, and says in one line
# what is not in the CPU backend (missing.awk).
#
# The rewriter's own errors come as `file:2:3: error: cucc: 2:3:sentence|what to do` (rewrite/check.c); they
# are shown with the line that they speak of.
#
# A launch's lambda is left out: the way from a wrong argument to the learner's line leads through
# cucc/launch.h, which does not help a learner. gcc says "In instantiation of ... <lambda(auto:1 ...)>",
# "required from ...", "required from here". clang says "launch.h:55:57: note: in instantiation of function
# template specialization ... requested here", and shows the line and a caret.
#
# A kernel's registration, in lines of the file <cucc>, is left out too: what is wrong there was wrong in the
# kernel.
#
# Should nothing be left of an error, all is printed as it came.

# Adds to what is shown; before it the line "In function ..." that belongs to it.
function show(text) {
  shown = shown heading text "\n"
  heading = ""
}

# The line of a file, with a caret below the column, as gcc shows it. Nothing when the file can't be read.
function source_line(file, line, column,    text, i, blanks) {
  for (i = 0; i < line; i++) if ((getline text < file) <= 0) { close(file); return "" }
  close(file)
  blanks = substr(text, 1, column - 1)
  gsub(/[^\t]/, " ", blanks)
  return sprintf("%5d | %s\n%5s | %s^\n", line, text, "", blanks)
}

# Shows the rewriter's error in the message $0 once. The line and column are its own.
function own_error(    file, part, words, place, where) {
  words = substr($0, index($0, " error: cucc: ") + 14)
  gsub(/\\"/, "\"", words)
  if (said[words]++) return
  match($0, /:[0-9]+:[0-9]+: error: cucc: /)
  file = substr($0, 1, RSTART - 1)
  split(words, place, ":")
  words = substr(words, length(place[1] place[2]) + 3)
  split(words, part, "|")
  where = file ":" place[1] ":" place[2] ": "
  shown = shown where "error: " part[1] "\n" source_line(file, place[1], place[2]) where "note: " part[2] "\n"
}

# The place of the message $0: its file and line.
function line_of_message() {
  if (assembler_error()) return substr($0, 1, match($0, /: Error: /) - 1)
  return match($0, /^[^ ].*:[0-9]+:[0-9]+: /) ? substr($0, 1, match($0, /:[0-9]+: [a-z ]*error: /) - 1) : ""
}

# An error of gcc's assembler: it has no column.
function assembler_error() { return /^[^ ].*:[0-9]+: Error: / }

# What follows from a missing name: errors of its line, and of variables declared there.
function follows(    name) {
  if (!/ error: / || !anything_missing) return 0
  name = quoted_name(" error: ")
  return line_of_message() in broken_lines || (name != "" && name in broken_names)
}

function starts_error() {
  return assembler_error() || /^[^ ].*:[0-9]+:[0-9]+: (fatal error|error|warning): / ||
    /^[0-9]+ (error|warning)s? / || /^compilation terminated/
}

{ all = all $0 "\n" }
/^[^ ].*: (In|At) .*:$/ && !/cucc::|lambda/ { heading = $0 "\n"; dropping = 0; next }
heading != "" && /:   required from / { if (!/<lambda\(auto:|cucc::/) heading = heading $0 "\n"; next }
/ error: cucc: / { own_error(); dropping = errors = 1; next }
/: Assembler messages:$/ { next } # the lines after it name the file
/ (error|Error): / && missing() {
  if (!(missing_name in said)) shown = shown line_of_message() ": error: " missing_text "\n"
  said[missing_name] = broken_lines[line_of_message()] = 1
  anything_missing = dropping = errors = 1
  next
}
follows() || (assembler_error() && "inline PTX" in said) { dropping = 1; next }
dropping && !starts_error() {
  if (missing_name != "" && match($0, "(^|[^A-Za-z_0-9])" missing_name "[ *&]+[A-Za-z_][A-Za-z_0-9]*")) {
    name = substr($0, RSTART, RLENGTH)
    sub(/.*[ *&]/, "", name)
    broken_names[name] = 1
  }
  next
}
/^compilation terminated/ && dropping { next }
{ dropping = 0 }
/^<cucc>:/ { in_registration = 1; next }
in_registration && (/^ / || /^(__attribute__.* )?static const ::cucc::kernel_(registration|instance)</ ||
    (/note: / && /\/launch\.h:/)) {
  next
}
{ in_registration = 0 }
/In instantiation of .*<lambda\(auto:|In lambda function:|In instantiation of .*cucc::(launcher|bind)/ {
  hidden = 1; next
}
hidden && /required from here/ { hidden = 0; next }
hidden && /required from .*(<lambda\(auto:|cucc::)/ { next }
/note: in instantiation of function template specialization .*(cucc::(launcher|bind)|::operator\(\)<)/ {
  skip = 2; next
}
skip > 0 && /^ / { skip--; next }
/ error: / { errors = 1 }
{ hidden = skip = 0; show($0) }
END { printf "%s", !errors && all ~ / error: / ? all : shown }

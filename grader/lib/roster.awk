# roster.awk: reads a CSV file. Prints one line for each record that is not empty: the number of its first
# line, then its fields with \037 before each. Run it with LC_ALL=C.
#
# The separator is the comma, semicolon or tab, whichever the first line has most of. Fields may be quoted as
# spreadsheets do it, with newlines in them. An error ends it with status 1; the last line is then "LINE:
# MESSAGE".

function end_field() { record = record "\037" field; field = ""; was_quoted = 0 }
function end_record() {
  end_field()
  if (record !~ /^\037*$/) print first record
  record = ""
  first = NR + 1
}

function fault(message) {
  print message
  failed = 1
  exit 1
}

function separator_of(line,   n, best, i, c, most) {
  gsub(/"[^"]*"/, "", line)
  most = -1
  for (i = 1; i <= 3; i++) {
    c = substr(",;\t", i, 1)
    n = split(line, parts, c)
    if (n > most) { most = n; best = c }
  }
  return best
}

NR == 1 { sub(/^\357\273\277/, ""); separator = separator_of($0); first = 1 }
{
  sub(/\r$/, "")
  gsub(/[\001-\010\013-\037\177]/, " ")
  n = length($0)
  for (i = 1; i <= n; i++) {
    c = substr($0, i, 1)
    if (quoted) {
      if (c != "\"") field = field c
      else if (substr($0, i + 1, 1) == "\"") { field = field "\""; i++ }
      else quoted = 0
    } else if (c == separator) end_field()
    else if (c == "\"" && field ~ /^ *$/ && !was_quoted) {
      quoted = was_quoted = 1
      opened = NR
      field = ""
    }
    else if (was_quoted && c != " ")
      fault(NR ": text after a closing quotation mark; a quotation mark in a field is written twice")
    else field = field c
  }
  if (quoted) field = field " "
  else end_record()
}
END { if (!failed && quoted) fault(opened ": a quotation mark is opened here and never closed") }

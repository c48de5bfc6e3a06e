# canvas.awk: reads an exported gradebook (CSV) and changes only the given fields.
#
#   awk -f canvas.awk EXPORT
#       prints a line for each record, with \037 before each field and no newlines in the fields
#   awk -v column=C -f canvas.awk FILL EXPORT
#       prints the export with field C of record R replaced for each line "R value" of FILL; all other bytes,
#       quotation marks and line ends too, stay the same
# Run it with LC_ALL=C: it counts bytes.

function plain(raw) {
  sub(/\r$/, "", raw)
  if (raw ~ /^ *"/) {
    sub(/^ *"/, "", raw)
    sub(/" *$/, "", raw)
    gsub(/""/, "\"", raw)
  }
  gsub(/[\001-\037\177]/, " ", raw)
  return raw
}

# Prints a complete record; its raw fields are in field[1..fields].
function end_record(    i, line, end) {
  records++
  line = ""
  for (i = 1; i <= fields; i++) {
    if (!column) line = line "\037" plain(field[i])
    else if (i == column && (records in fill)) {
      end = field[i] ~ /\r$/ ? "\r" : ""
      line = line (i > 1 ? "," : "") fill[records] end
    } else line = line (i > 1 ? "," : "") field[i]
  }
  print line
  fields = 0
}

function read_line(text,    n, i, c) {
  n = length(text)
  if (!quoted) field[fields = 1] = ""
  for (i = 1; i <= n; i++) {
    c = substr(text, i, 1)
    if (c == "\"") quoted = !quoted
    if (c == "," && !quoted) field[++fields] = ""
    else field[fields] = field[fields] c
  }
  if (quoted) field[fields] = field[fields] "\n"
  else end_record()
}

column && FILENAME == ARGV[1] { fill[$1] = $2; next }
# The UTF-8 byte order mark that spreadsheets write in front is not part of a field.
!started++ && sub(/^\357\273\277/, "") { if (column) printf "\357\273\277" }
{ read_line($0) }
END { if (quoted) exit 3 }

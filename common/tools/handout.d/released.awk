# released.awk: the lessons in the list `released:` of a workshop.yml, one a line. awk -f released.awk
# site/workshop.yml
#
# A list in brackets or of lines with a dash; anything else is an error that names the line.

{ sub(/[ \t\r]+$/, ""); sub(/(^|[ \t]+)#.*/, "") }
/^released:/ {
  if (seen++) die("released stands there twice")
  rest = substr($0, 10)
  gsub(/^[ \t]+|[ \t]+$/, "", rest)
  inside = rest == ""
  if (!inside) bracketed(rest)
  next
}
/^[^ \t-]/ { inside = 0 }
inside && /^[ \t]*- *[^ ]/ { sub(/^[ \t]*- */, ""); lesson($0); next }
inside && /[^ \t]/ { die("what stands below released: is no list of lessons") }
END { if (!failed) printf "%s", list; exit failed }

function bracketed(text,   n, i, item) {
  if (text !~ /^\[.*\]$/) die("released is a list, for example [lesson01, lesson02], or []")
  text = substr(text, 2, length(text) - 2)
  if (text ~ /^[ \t]*$/) return
  n = split(text, item, ",")
  for (i = 1; i <= n; i++) lesson(item[i])
}

function lesson(word) {
  gsub(/^[ \t"']+|[ \t"']+$/, "", word)
  if (word !~ /^lesson[0-9]+$/) die("\"" word "\" is no lesson")
  list = list word "\n"
}

function die(what) { printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"; failed = 1; exit 1 }

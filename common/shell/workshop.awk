# workshop.awk: one value of a workshop's file, for programs that have no YAML reader.
#
#   awk -v key=released -f workshop.awk site/workshop.yml     lists (released, lessons): one item a line
#   awk -v key=cluster -f workshop.awk site/workshop.yml      texts (cluster, account, reservation)
#   awk -v key=options -f workshop.awk site/workshop.yml      options: NAME=VALUE, one a line
#
# Prints nothing if the key is not there. A list is in brackets or in lines with a dash, options are in braces
# or in indented lines; anything else is an error that names the line, status 1.

BEGIN { list = key == "released" || key == "lessons"; map = key == "options" }
{ sub(/[ \t\r]+$/, ""); sub(/(^|[ \t]+)#.*/, "") }
index($0, key ":") == 1 {
  if (seen++) die(key " stands there twice")
  rest = substr($0, length(key) + 2)
  gsub(/^[ \t]+|[ \t]+$/, "", rest)
  inside = rest == ""
  if (!inside) {
    if (list) within(rest, "[", "]", key " is a list, for example [lesson01, lesson02], or []")
    else if (map) within(rest, "{", "}", key " are in braces, for example {MODULES: \"gcc cuda\"}")
    else out = bare(rest) "\n"
  }
  next
}
/^[^ \t-]/ { inside = 0 }
inside && list && /^[ \t]*- *[^ ]/ { sub(/^[ \t]*- */, ""); take($0); next }
inside && map && /^[ \t]+[A-Z_]+:/ { take($0); next }
inside && /[^ \t]/ {
  what = list ? "list of lessons" : map ? "list of options" : "single text"
  die("what stands below " key ": is no " what)
}
END { if (!failed) printf "%s", out; exit failed }

function within(text, first, last, wanted,   n, i, item) {
  if (substr(text, 1, 1) != first || substr(text, length(text)) != last) die(wanted)
  text = substr(text, 2, length(text) - 2)
  if (text ~ /^[ \t]*$/) return
  n = split(text, item, ",")
  for (i = 1; i <= n; i++) take(item[i])
}

function bare(word) { gsub(/^[ \t"']+|[ \t"']+$/, "", word); return word }

function take(word,   at) {
  if (map) {
    at = index(word, ":")
    if (!at) die("options: \"" bare(word) "\" has no value")
    out = out bare(substr(word, 1, at - 1)) "=" bare(substr(word, at + 1)) "\n"
    return
  }
  word = bare(word)
  if (word !~ /^lesson[0-9]+$/) die("\"" word "\" is no lesson")
  out = out word "\n"
}

function die(what) { printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"; failed = 1; exit 1 }

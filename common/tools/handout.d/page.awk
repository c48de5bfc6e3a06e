# page.awk: changes pages of the workbook into what a handout contains.
# awk -v edition=WORDS -f page.awk FILES PAGE...
#
#   <!-- handout: without -->      to <!-- handout: again --> is left out
#   <!-- handout: instead          to --> is shown only in a handout
#   <!-- handout: edition -->      becomes EDITION, the origin of the handout
#
# A link to a file that is not in the handout becomes its words; a table's row of a lesson that is not in it
# is left out. FILES lists the files that are in it.

NR == FNR { there[$0]; while (sub(/\/[^\/]*$/, "")) there[$0]; next }
FNR == 1  { finish(); page = folder = FILENAME; if (!sub(/\/[^\/]*$/, "", folder)) folder = "" }
          { line = FNR }

/^<!-- handout: /         { if (!mark($0)) die("a mark that is not known, or not here: " $0); next }
inside == "instead" && /^-->$/ { inside = ""; next }
inside == "without"       { next }
# The row of a lesson that is not in the handout, in a table of lessons
/^\| \[lesson[0-9][0-9]\]\(/ && !is_there(target_of($0)) { next }
/^ *```/                  { code = !code }
                          { add(code ? $0 : linked($0)) }
END                       { finish(); exit failed }

function add(words) { text = text words "\n" }

# Writes the page that has been read.
function finish() {
  if (failed || page == "") return
  if (inside != "") die("no end of <!-- handout: " inside)
  printf "%s", text > page
  close(page)
  text = inside = ""
  code = 0
}

function mark(line) {
  if (line == "<!-- handout: again -->") { if (inside != "without") return 0; inside = ""; return 1 }
  if (inside != "") return 0
  if (line == "<!-- handout: edition -->") { add(edition); return 1 }
  if (line != "<!-- handout: without -->" && line != "<!-- handout: instead") return 0
  inside = line == "<!-- handout: instead" ? "instead" : "without"
  return 1
}

# LINE, with each link to a missing file replaced by its words.
function linked(line,   out, words, target) {
  while (match(line, /\[[^]\[]*\]\([^) ]*\)/)) {
    words = substr(line, RSTART + 1, RLENGTH - 2)
    target = words
    sub(/\]\(.*/, "", words)
    sub(/.*\]\(/, "", target)
    out = out substr(line, 1, RSTART - 1) (is_there(target) ? substr(line, RSTART, RLENGTH) : words)
    line = substr(line, RSTART + RLENGTH)
  }
  return out line
}

# The target of LINE's first link.
function target_of(line) {
  sub(/^[^(]*\(/, "", line)
  sub(/\).*/, "", line)
  return line
}

function is_there(target,   path) {
  sub(/#.*/, "", target)
  if (target == "" || target ~ /^[a-z]+:/) return 1
  path = (folder == "" ? "" : folder "/") target
  sub(/\/$/, "", path)
  while (sub(/(^|\/)\.\//, "/", path)) sub(/^\//, "", path)
  while (sub(/[^\/]+\/\.\.\//, "", path)) {}
  return path in there
}

function die(what) { printf "%s:%d: %s\n", page, line, what > "/dev/stderr"; failed = 1; exit 1 }

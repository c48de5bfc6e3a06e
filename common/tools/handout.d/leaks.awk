# leaks.awk: looks for lines of solutions in files where they must not be.
#
#   awk -f leaks.awk [as=solution of=LESSON FILE] [as=known of=LESSON FILE...]... [as=known of= FILE...] \
#     as=searched FILE...
#
# It looks for every run of two lines within a region of a solution, unless the run is known: it is in the
# lesson's own starter or page, or (known of no lesson) in a solution that may be seen. Two lines are the same
# when they differ in blanks only, in what comments and patches begin lines with, or in how HTML and JSON
# write characters; lines without a letter or digit are ignored. Prints FILE:LINE: LESSON: the run, and exits
# with 1 if it found one. Prints to standard error how many runs it looked for.

FNR == 1 { before = ""; inside = 0 }

as == "solution" && /^[ \t]*\/\/ #(end)?region / { inside = !/#endregion/; before = ""; next }
as == "solution" && (!inside || /^[ \t]*\/\/:/)  { next }

{
  gsub(/&lt;/, "<")
  gsub(/&gt;/, ">")
  gsub(/&quot;|&#34;|\\"/, "\"")
  gsub(/&#39;|&apos;/, "'")
  gsub(/&amp;/, "\\&")
  n = split($0, part, /\\n/)
  if (n > 1) { # a string of JSON
    sub(/^[ \t]*"[^"]*":[ \t]*"/, "", part[1])
    sub(/",?$/, "", part[n])
  }
  for (p = 1; p <= n; p++) take(part[p])
}

END {
  for (run in wanted) count++
  printf "%d\n", count > "/dev/stderr"
  exit found != 0
}

function take(line,   bare, run) {
  bare = line
  gsub(/[ \t\r]/, "", bare)
  sub(/^[-+>*|\/:]+/, "", bare)
  if (bare !~ /[A-Za-z0-9]/) return
  run = before "\n" bare
  if (before != "") {
    if (as == "solution") { if (!index(wanted[run], of)) wanted[run] = wanted[run] " " of }
    else if (run in wanted) {
      if (as == "known") know(run)
      else {
        found++
        printf "%s:%d:%s: %s / %s\n", FILENAME, FNR, wanted[run], shown, line
      }
    }
  }
  before = bare
  shown = line
}

# The run may be seen: it is no secret of the lesson `of`, or, if that is empty, of any lesson.
function know(run) {
  if (of != "") sub(" " of, "", wanted[run])
  if (of == "" || wanted[run] == "") delete wanted[run]
}

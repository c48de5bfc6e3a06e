# lesson.awk: reads the facts of lessons, lessons/lessonNN/lesson.yml, for all programs that list lessons.
#
#   awk -v keys="number title" -f common/shell/lesson.awk FILE...    a line for each file: its values of these
#                                                                    keys, between tabs
#   awk -f common/shell/lesson.awk FILE...                           checks the files only
#
# A file has lines `key: value`. A text stands in quotes if it contains `: `, ` #` or a quotation mark at its
# start; a list is in brackets, [lesson02, lesson03]. The keys:
#
#   number     of the lesson, as in the name of its folder
#   name       of the learner's file and of the contract, without the ending: streams
#   title      what lists and the page's first line call the lesson
#   minutes    that a newcomer takes for the page and its tasks; the page's head says the same
#   further    minutes more to go further; left out where the task is open
#   needs      the lessons that must come before it
#   write      what the learner writes, in a few words
#   shows      what the lesson shows by measurement, in a few words
#   gpus       that a job needs to measure the lesson: 0 for plain C
#   libraries  that its program is linked with, of cublas, cuda, nccl, nvrtc; left out where it needs none
#
# A mistake is printed as `FILE:LINE: what is wrong: what to write`; the status is then 1. Lessons that are
# only planned have such a file too: lessons/planned/lessonNN.yml.

BEGIN {
  known = split("number name title minutes further needs write shows gpus libraries", order, " ")
  split("5|streams|streams|45|20|[lesson02]|\"copies and kernels in several streams\"|\
\"overlap: the total time approaches the longest part\"|1|[cublas]", example, "|")
  for (i = 1; i <= known; i++) example_of[order[i]] = order[i] ": " example[i]
  optional["further"] = optional["libraries"] = 1
  wanted = split(keys, key_wanted, " ")
  for (i = 1; i <= wanted; i++)
    if (!(key_wanted[i] in example_of)) complain("lesson.awk", 0, "no key is called " key_wanted[i])
  for (i = 1; i < ARGC; i++) read(ARGV[i])
  exit failed
}

function complain(file, line, what) {
  printf "%s%s: %s\n", file, line ? ":" line : "", what > "/dev/stderr"
  failed = 1
}

function read(file,   line, at, key, value, status, i, out) {
  delete_all()
  while ((status = (getline line < file)) > 0) {
    at++
    sub(/[ \t\r]+$/, "", line)
    if (line ~ /^(#|$)/) continue
    if (line !~ /^[a-z]+:( |$)/) {
      complain(file, at, "is no line `key: value`. The keys: " all_keys())
      continue
    }
    key = value = line
    sub(/:.*/, "", key)
    sub(/^[a-z]+:[ \t]*/, "", value)
    if (!(key in example_of)) complain(file, at, "unknown key " key ". The keys: " all_keys())
    else if (key in value_of) complain(file, at, key " is there twice: keep one of the lines")
    else take(file, at, key, value)
  }
  close(file)
  if (status < 0) {
    complain(file, 0, "cannot be read: each lesson has this file; lessons/lesson02/lesson.yml is an example")
    return
  }
  for (i = 1; i <= known; i++)
    if (!(order[i] in value_of) && !(order[i] in optional))
      complain(file, at + 1, "has no " order[i] ": add a line like `" example_of[order[i]] "`")
  if (!wanted || failed) return
  for (i = 1; i <= wanted; i++) out = out (i > 1 ? "\t" : "") value_of[key_wanted[i]]
  print out
}

function delete_all(   key) { for (key in value_of) delete value_of[key] }

function all_keys(   i, text) {
  for (i = 1; i <= known; i++) text = text (i > 1 ? ", " : "") order[i]
  return text
}

# take: keeps the value, or complains about it.
function take(file, line, key, value,   why, number) {
  value_of[key] = value
  if (value ~ /^"/) value = quoted(value)
  else sub(/[ \t]+#.*/, "", value)
  if (value == "") why = "has no value"
  else if (key ~ /^(needs|libraries)$/) {
    value = list_of(key, value)
    if (value == "?") why = "is no list of " (key == "needs" ? "lessons" : "cublas, cuda, nccl, nvrtc")
  } else if (key ~ /^(number|minutes|further|gpus)$/) {
    if (value !~ /^[0-9]+$/ || length(value) > 3) why = "is no whole number"
    else if (key == "minutes" && (value + 0 < 5 || value + 0 > 600)) why = "is not from 5 to 600"
  } else if (key == "name") {
    if (value !~ /^[a-z][a-z0-9_]*$/ || length(value) > 20) why = "is no short word in small letters"
  } else if (value == "?") why = "is no text"
  else if (value_of[key] !~ /^"/ && (value !~ /^[A-Za-z0-9(]/ || value !~ /[A-Za-z]/ || value ~ /: |:$/))
    why = "needs quotes"
  if (key == "title" && length(value) > 20) why = "is longer than 20 letters"
  if (why == "" && key == "number") {
    number = file
    if (match(number, /lesson[0-9][0-9][^0-9]*$/)) number = substr(number, RSTART + 6, 2)
    if (number + 0 != value + 0) why = "is not the number in the name of the file, " number + 0
  }
  if (why == "" && key == "needs" && comes_later(file, value))
    why = "names a lesson that does not come before it"
  value_of[key] = value
  if (why != "") complain(file, line, key " " why ": write it like `" example_of[key] "`")
}

# The text in quotes; "?" if it doesn't end, or contains a quotation mark or a backslash.
function quoted(value) {
  sub(/"[ \t]+#[^"]*$/, "\"", value)
  return value ~ /^"[^"\\]+"$/ ? substr(value, 2, length(value) - 2) : "?"
}

# The items of the list, between blanks; "?" if one of them is not right.
function list_of(key, value,   count, item, i, out) {
  if (value !~ /^\[.*\]$/) return "?"
  value = substr(value, 2, length(value) - 2)
  if (value ~ /^[ \t]*$/) return ""
  count = split(value, item, ",")
  for (i = 1; i <= count; i++) {
    gsub(/[ \t]/, "", item[i])
    if (item[i] !~ (key == "needs" ? "^lesson[0-9][0-9]$" : "^(cublas|cuda|nccl|nvrtc)$")) return "?"
    out = out (i > 1 ? " " : "") item[i]
  }
  return out
}

function comes_later(file, needs,   own, count, item, i) {
  if (!match(file, /lesson[0-9][0-9][^0-9]*$/)) return 0
  own = substr(file, RSTART, 8)
  count = split(needs, item, " ")
  for (i = 1; i <= count; i++) if (item[i] >= own) return 1
  return 0
}

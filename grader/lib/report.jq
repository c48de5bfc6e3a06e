# report.jq: functions that the converters in grader/formats share. Their input is one grade.json, or a
# class.json with an additional field `grades`: the grade.json of each key.

include "names";

# ---- Text that a learner can influence ----

# Keeps only characters that XML and terminals allow, and none that changes the direction of writing.
def clean:
  explode
  | map(select(. == 9 or . == 10 or (. >= 32 and . < 127) or (. >= 160 and . < 55296)
          or (. > 57343 and . < 65534) or . > 65535)
      | select((. >= 8234 and . <= 8238 or . >= 8294 and . <= 8297) | not))
  | implode;

def one_line: clean | gsub("\\s+"; " ");

# Escaped for XML and HTML, in text and in quotation marks.
def escaped: clean | @html;

# A field of a CSV file. Text that a spreadsheet would read as a formula gets an apostrophe in front.
def cell:
  if . == null then "" elif type != "string" then tostring
  else clean | (if test("^\\s*[=+@＝＋－＠-]") then "'" + . else . end) | "\"" + gsub("\""; "\"\"") + "\"" end;
def row: map(cell) | join(",");

# Absolute paths of the machine that graded, without their folders: learners have no use for them.
def without_paths:
  gsub("(?<before>^|[^\\w.:/~+-])/([\\w.+~@,=-]+/)+(?<file>[\\w.+-]+)"; "\(.before)\(.file)");

# ---- One grade ----

# Was this check decided here? The points of all decided checks add up to measured_points.
def decided($grade):
  .state == "pass" or .state == "fail" or .reason == "task_wrong"
  or ($grade.state | IN("not_compiled", "refused"));

def task_heading($grade): . as $n
  | (if $n == 0 then "further" else "task \($n)" end) as $heading
  | [$grade.tasks[] | select(.number == $n) | "\($heading): \(.name)"][0] // $heading;

# All remarks about a check, as lines of text.
def remarks:
  [.note, (if .state == "pass" then "" else .message end), .hint]
  | map(select(. != "") | clean | without_paths | gsub("```[a-z]*\n?"; "") | gsub("\\s+$"; ""))
  | join("\n");

# The checks that were not decided here and the reasons, a line each.
def undecided: . as $g
  | [.checks[] | select(decided($g) | not)
      | (.message | split("\n")[0] // "" | clean | without_paths
         | if . == "" then "not measured" else . end) as $why
      | "\(.sentence): \($why)"];

# The measured speeds: {task, to, ratio, thresholds}. The checks of a task for each threshold have the same
# ratio. Grades of schema wb-grade/1 have `bar` instead of `threshold`.
def speeds: . as $g
  | [.checks[] | select(.speed)
      | {task: (.task as $n | [$g.tasks[] | select(.number == $n) | .name][0] // "task \($n)"),
         to: .speed.to, ratio: .speed.ratio, threshold: (.speed.threshold // .speed.bar)}]
  | group_by([.task, .to])
  | map({task: .[0].task, to: .[0].to, ratio: .[0].ratio, thresholds: (map(.threshold) | unique)});

def two_places:
  (. * 100 | round) as $c
  | "\($c / 100 | floor).\($c % 100 | tostring | if length < 2 then "0" + . else . end)";

# ---- A class ----

# The numbers of the checks that could not be decided here for anyone, such as speeds on a machine without a
# GPU. Files that do not compile, and wrong tasks, have failed such a check without it being measured.
def unmeasurable: [.grades[] | select(.state == "graded") | . as $g | .checks[]
    | {number, open: (decided($g) | not), seen: (.state | IN("pass", "fail"))}]
  | group_by(.number) | map(select(any(.[]; .open) and all(.[]; .seen | not)) | .[0].number);

# The most points that a learner could reach here.
def possible_points: .max_points as $class_max | unmeasurable as $not
  | [([.grades[] | .checks] | max_by(length) // [])[] | select(.number | IN($not[])) | .max_points] | add // 0
  | $class_max - .;

# The feedback on one submission, in a few lines. $possible: the most points that a learner could reach here.
def feedback($grade; $possible):
  if $grade == null or .state != "graded" then
    ({not_compiled: "It does not compile.", not_run: "It could not be graded.",
      no_file: "It contains no file of this lesson.", refused: "It was refused.",
      missing: "Nothing was handed in."}[.state] // .state) as $state
    | ([$state] + (if .state == "missing" then [] else [.message | clean | without_paths | .[:1500]] end))
    | map(select(. != "")) | join("\n")
  else
    ($grade.max_points - $possible) as $open
    | "\($grade.points) of \($possible) points"
    + (if $open > 0 then " (\($open) of \($grade.max_points) were not measured)" else "" end) + "."
    + (if .untouched then " The file is the starter, unchanged." else "" end)
    + (if .late then " Handed in late" + (if .submitted then ": \(.submitted)" else "" end) + "." else "" end)
    + ([$grade.checks[] | select(.state == "fail") | "\n✗ \(.sentence): \(remarks)" | .[:800]] | join(""))
  end;

# Has the submission a verdict? A file that the inspection rejected has one; a link or an archive bomb has
# none.
def judged: .state == "graded" or .state == "not_compiled" or (.state == "refused" and .grade != null);

# The grade to enter, or null where there is none: a person decides about learners who handed in nothing, and
# about submissions that could not be graded.
def points_to_enter: if judged then .points else null end;

# The grade to enter in a column whose maximum is $max, where $possible points could be measured. With $scale
# "measured" a learner with all of these gets $max: not measured is not lost.
def scaled($possible; $max; $scale):
  if . == null or $scale != "measured" or $possible <= 0 then .
  else . * $max / $possible * 100 | round / 100 end;

def who: .student.name // .name;

# The order of people in a list: surname first, whatever the accents. "Doe, Jane" and "Jane Doe" are one name.
def surname_key:
  (who | without_marks | ascii_downcase)
  | if test(",") then [splits(", *")] else [splits("\\s+") | select(. != "")] | [.[-1]] + .[:-1] end;

# report.jq: what the converters in grader/formats share. Their input is one grade.json, or a class.json with one field more,
# `grades`: the grade.json of each key.

# ---- Text that a learner had a hand in ----

# Only characters that XML and terminals can hold, and none that turns the direction of writing.
def clean:
  explode
  | map(select(. == 9 or . == 10 or (. >= 32 and . < 127) or (. >= 160 and . < 55296) or (. > 57343 and . < 65534) or . > 65535)
      | select((. >= 8234 and . <= 8238 or . >= 8294 and . <= 8297) | not))
  | implode;

def one_line: clean | gsub("\\s+"; " ");

# As text or in quotation marks, in XML and HTML.
def escaped: clean | @html;

# A field of a CSV file. What a spreadsheet would take for a formula gets an apostrophe in front.
def cell:
  if . == null then "" elif type != "string" then tostring
  else clean | (if test("^\\s*[=+@＝＋－＠-]") then "'" + . else . end) | "\"" + gsub("\""; "\"\"") + "\"" end;
def row: map(cell) | join(",");

# ---- One grade ----

# Was this check decided here? The points of those that were add up to measured_points.
def decided($grade):
  .state == "pass" or .state == "fail" or .reason == "task_wrong" or ($grade.state | IN("not_compiled", "refused"));

def task_heading($grade): . as $n
  | (if $n == 0 then "further" else "task \($n)" end) as $heading
  | [$grade.tasks[] | select(.number == $n) | "\($heading): \(.name)"][0] // $heading;

# What there is to say about a check, as lines of text.
def remarks:
  [.note, (if .state == "pass" then "" else .message end), .hint]
  | map(select(. != "") | clean | gsub("```[a-z]*\n?"; "") | gsub("\\s+$"; "")) | join("\n");

# What was not decided here and why, a line each.
def undecided: . as $g
  | [.checks[] | select(decided($g) | not) | "\(.sentence): \(.message | split("\n")[0] // "" | if . == "" then "not measured" else clean end)"];

# The measured speeds: {task, to, ratio, thresholds}. A check for each threshold names the same figure.
def speeds: . as $g
  | [.checks[] | select(.speed)
      | {task: (.task as $n | [$g.tasks[] | select(.number == $n) | .name][0] // "task \($n)"), to: .speed.to, ratio: .speed.ratio, threshold: (.speed.threshold // .speed.bar)}]
  | group_by([.task, .to]) | map({task: .[0].task, to: .[0].to, ratio: .[0].ratio, thresholds: (map(.threshold) | unique)});

def two_places: (. * 100 | round) as $c | "\($c / 100 | floor).\($c % 100 | tostring | if length < 2 then "0" + . else . end)";

# ---- A class ----

# What a person reads about one submission, in a few lines.
def feedback($grade):
  if $grade == null or .state != "graded" then
    ({not_compiled: "It does not compile.", not_run: "It could not be graded.", no_file: "It holds no file of this lesson.",
      refused: "It was refused.", missing: "Nothing was handed in."}[.state] // .state) as $what
    | ([$what] + (if .state == "missing" then [] else [.message | clean | .[:1500]] end)) | map(select(. != "")) | join("\n")
  else
    "\($grade.points) of \($grade.measured_points) points"
    + (if $grade.measured_points < $grade.max_points then " (\($grade.max_points - $grade.measured_points) of \($grade.max_points) were not measured)" else "" end) + "."
    + (if .late then " Handed in late" + (if .submitted then ": \(.submitted)" else "" end) + "." else "" end)
    + ([$grade.checks[] | select(.state == "fail") | "\n✗ \(.sentence): \(remarks)" | .[:800]] | join(""))
  end;

# The grade to enter, or null where there is none: who handed in nothing, or what could not be graded, is for a person.
# Has it a verdict? A file that is refused for what it holds has one, a link or a bomb has none.
def judged: .state == "graded" or .state == "not_compiled" or (.state == "refused" and .grade != null);
def points_to_enter: if judged then .points else null end;

def who: .student.name // .name;

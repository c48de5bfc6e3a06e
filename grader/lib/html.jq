# html.jq: the parts of the class report (grader/formats/html.jq). All text from learners goes through
# `escaped`.
include "report";

# ---- Numbers and small pieces ----

def percent($n; $of): if $of == 0 then "–" else "\(100 * $n / $of | round) %" end;
def median: sort
  | if length == 0 then null
    elif length % 2 == 1 then .[length / 2 | floor]
    else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def tag($name; $text): "<\($name)>\($text)</\($name)>";
def cells($name): map(tag($name; .)) | join("") | tag("tr"; .);

# {columns: [titles], rows: [[html]]}. The first column is text, the others figures.
def table:
  "<div class=\"wide\"><table><thead>" + (.columns | cells("th")) + "</thead><tbody>\n"
  + (.rows | map(cells("td")) | join("\n")) + "</tbody></table></div>";

# ---- Drawings ----

# Numbers as text with two decimals at most.
def short: (. * 100 | round / 100) | tostring;

# A bar that is as long as the share $n of $of.
def bar($n; $of; $title):
  (if $of == 0 then 0 else 100 * $n / $of | short end) as $width
  | "<svg class=\"bar\" role=\"img\" aria-label=\"\($title)\" viewBox=\"0 0 100 8\""
  + " preserveAspectRatio=\"none\"><rect class=\"ground\" width=\"100\" height=\"8\"/>"
  + "<rect class=\"full\" width=\"\($width)\" height=\"8\"/></svg>";

# Counts of numbers in $bins equal parts of $low to $high.
def counts($low; $high; $bins):
  reduce .[] as $x ([range($bins) | 0];
    (if $high > $low then ($x - $low) / ($high - $low) * $bins | floor else 0 end) as $at
    | .[if $at >= $bins then $bins - 1 elif $at < 0 then 0 else $at end] += 1);

# A histogram. $last: the number at the end of the axis; $marks: [{at, text}], vertical lines; $unit: the text
# under the axis.
def histogram($low; $high; $bins; $last; $marks; $unit; $title):
  counts($low; $high; $bins) as $counts | ($counts | max) as $most
  | (600 / $bins) as $width
  | def x: if $high > $low then (. - $low) / ($high - $low) * 600 else 300 end | short;
    "<svg class=\"chart\" role=\"img\" aria-label=\"\($title | escaped)\" viewBox=\"-20 -34 640 218\">"
    + ([$counts | to_entries[] | select(.value > 0) | (140 * .value / $most) as $h
        | "<rect class=\"full\" x=\"\(.key * $width + 1 | short)\" y=\"\(140 - $h | short)\""
          + " width=\"\($width - 2 | short)\" height=\"\($h | short)\"/>"
          + "<text x=\"\((.key + 0.5) * $width | short)\" y=\"\(134 - $h | short)\">\(.value)</text>"]
       | join(""))
    + "<line x1=\"0\" x2=\"600\" y1=\"140\" y2=\"140\"/>"
    + ([$marks[] | (.at | x) as $x
        | "<line class=\"mark\" x1=\"\($x)\" x2=\"\($x)\" y1=\"-14\" y2=\"140\"/>"
          + "<text x=\"\($x)\" y=\"-16\">\(.text | escaped)</text>"] | join(""))
    + "<text class=\"start\" x=\"0\" y=\"156\">\($low | short)</text>"
    + "<text class=\"end\" x=\"600\" y=\"156\">\($last | short)</text>"
    + "<text x=\"300\" y=\"176\">\($unit | escaped)</text></svg>";

# ---- The parts ----

def summary($all): . as $class
  | ([$all[] | select(.grade) | .points] | median) as $median
  | [["learners", ($all | length)],
     ["graded", ([$all[] | select(.state == "graded")] | length)],
     ["do not compile", ([$all[] | select(.state == "not_compiled")] | length)],
     ["handed in nothing", ([$all[] | select(.state == "missing")] | length)],
     ["refused or not gradable", ([$all[] | select(.state | IN("not_run", "no_file", "refused"))] | length)],
     ["late", ([$all[] | select(.late)] | length)],
     ["median of points",
       (if $median == null then "–" else "\($median | short) of \($class.max_points)" end)],
     ([$all[] | select(.verdict == "pass") | .measured_points] | max | values
       | ["points that could be measured here", "\(.) of \($class.max_points)"])]
  + [([$all[] | select(.untouched)] | length | select(. > 0)) | ["handed in the untouched starter", .]]
  | "<dl>" + (map("<div><dt>\(.[0])</dt><dd>\(.[1])</dd></div>") | join("")) + "</dl>";

def points_part($all): .max_points as $max
  | [$all[] | select(judged) | .points]
  | if length == 0 then "<p>Nothing was graded.</p>"
    else histogram(0; $max + 1; ([$max + 1, 25] | min); $max; []; "points of \($max)";
           "the number of learners with each number of points") end;

# For each check: how many learners passed, of those for whom it was decided. Files that do not compile, and
# wrong tasks, have failed it without being measured: if it could not be measured for any of the other
# learners, no one is counted.
def checks_part($grades):
  [$grades[] | . as $g | .checks[]
    | {number, task, sentence, open: ($g.state == "graded" and (decided($g) | not)),
       seen: ($g.state == "graded" and (.state | IN("pass", "fail"))),
       decided: decided($g), pass: (.state == "pass")}]
  | group_by(.number)
  | {columns: ["check", "number", "task", "passed", "of", "share", ""],
     rows: map(
       (if any(.[]; .open) and all(.[]; .seen | not) then [] else map(select(.decided)) end | length) as $of
       | (map(select(.pass)) | length) as $n
       | percent($n; $of) as $share
       | [(.[0].sentence | escaped), "<span id=\"check-\(.[0].number)\">\(.[0].number)</span>",
          (.[0].task | if . == 0 then "further" else tostring end),
          $n, $of, $share, bar($n; $of; $share)])}
  | table;

# A histogram for each speed: all learners whose answer was timed.
def speeds_part($grades):
  [$grades[] | speeds[]] | group_by([.task, .to])
  | if length == 0 then "<p>No speed was measured. Speed is graded on a GPU, and of plain C on the CPU.</p>"
    else map(
      ([.[].ratio] | min) as $least | ([.[].ratio] | max) as $most
      | ([.[].thresholds[]] | unique) as $thresholds
      | ([$least, $thresholds[]] | min * 0.9) as $low | ([$most, $thresholds[]] | max * 1.1) as $high
      | "\(.[0].task) × \(.[0].to)" as $title
      | "<h3>\($title | escaped)</h3>"
        + ([.[].ratio] | histogram($low; $high; 20; $high; ($thresholds | map({at: ., text: (. | short)}));
            "\(length) timed; median \(median | two_places) ×; lines: the thresholds";
            "the number of learners with each speed")))
      | join("\n") end;

def hint_html:
  gsub("```[a-z]*\n?"; "") | split("\n") | map(select(. != "")) | join(" ")
  | escaped | gsub("`(?<code>[^`]+)`"; "<code>\(.code)</code>");

# Failures of one check whose messages are equal apart from numbers.
def mistakes_part($all):
  [$all[] | select(.untouched | not) | .grade as $g | select($g) | who as $who
    | $g.checks[] | select(.state == "fail")
    | . + {who: $who, kind: (.mistake.name
        // (.message | gsub("-?[0-9][0-9.e+-]*"; "#") | split("\n")[0]) // "")}]
  | . as $fails
  | group_by([.number, .kind]) | sort_by(-length, .[0].number)[:12]
  | if length == 0 then "<p>No check failed.</p>" else
      "<ol>" + (map(.[0] as $one
        | ([$fails[] | select(.task == $one.task and .hint != "") | .hint][0] // "") as $hint
        | "<li><b>\(length) ×</b> \($one.sentence | escaped)"
          + ([$one.note, $one.message] | map(select(. != "")) | join("\n") | without_paths
              | if . == "" then "" else "<pre>\(.[:1200] | escaped)</pre>" end)
          + (if $hint == "" then "" else "<p class=\"hint\">\($hint | hint_html)</p>" end)
          + "<p class=\"who\">\([.[].who] | unique | .[:12] | join(", ") | escaped)"
          + "\(if length > 12 then " …" else "" end)</p></li>") | join("\n")) + "</ol>" end;

# The submissions that took longest to grade, each with the lowest of its measured speeds.
def slowest_part($all):
  [$all[] | select(.seconds != null)] | sort_by(-.seconds, .name)[:10]
  | {columns: ["submission", "seconds to grade", "lowest speed"],
     rows: map([(who | escaped), (.seconds | short),
       ((.grade | if . then [speeds[]] | min_by(.ratio) else null end) as $s
         | if $s then "\($s.ratio | two_places) × \($s.to | escaped) (\($s.task | escaped))" else "–" end)])}
  | table;

# If a file does not compile, nothing was measured. What was not measured for anyone, no one has missed.
def mark_of($grade; $unmeasurable):
  if .state == "pass" then "<td class=\"pass\" title=\"\(.sentence | escaped)\">✓</td>"
  elif .state == "fail" or ($grade.state == "graded" and decided($grade)
      and (.number | IN($unmeasurable[]) | not)) then
    "<td class=\"fail\" title=\"\(.sentence | escaped)\">✗</td>"
  else "<td class=\"none\" title=\"\(.sentence | escaped): not measured\">–</td>" end;

def state_words: {not_compiled: "does not compile", not_run: "could not be graded",
  no_file: "no file of this lesson", missing: "handed in nothing"}[.state] // .state;

# The checks that each learner passed: a line for each learner, a column for each check.
def people_part($all; $grades; $unmeasurable):
  ([$grades[] | .checks] | max_by(length) // []) as $checks
  | "<div class=\"wide\"><table class=\"matrix\"><thead><tr><th>learner</th><th>points</th>"
    + ($checks | map("<th title=\"\(.sentence | escaped)\"><a href=\"#check-\(.number)\">\(.number)</a>"
        + "</th>") | join(""))
    + "<th></th></tr></thead><tbody>\n"
    + ([$all | sort_by(surname_key)[] | . as $s
        | "<tr><td>\(who | escaped)\(if .late then " <i>late</i>" else "" end)</td>"
          + "<td>\(if judged then .points else "–" end)</td>"
          + (if .grade then .grade as $g | [$g.checks[] | mark_of($g; $unmeasurable)] | join("")
             else [$checks[] | "<td></td>"] | join("") end)
          + (if .untouched then "untouched starter" elif .state == "graded" then "" else state_words end
              | tag("td"; .)) + "</tr>"] | join("\n"))
    + "</tbody></table></div>";

# pretty.jq: prints grade.json for people.
include "order";

# ---- Characters ----

# Control characters other than newline and tab could drive a terminal: what a learner's program printed is
# text only.
def harmless: gsub("[\\x00-\\x08\\x0b-\\x1f\\x7f\\x{80}-\\x{9f}]"; "") | gsub("\t"; "    ");

def ascii_only:
  {"✓": "+", "✗": "x", "–": "-", "—": "-", "·": "-", "×": "x", "…": "...", "≥": ">=", "≤": "<=", "→": "->",
    "’": "'", "‘": "'", "“": "\"", "”": "\"", "µ": "u", "²": "2"} as $plain
  | explode | map(if . < 127 then [.] | implode else ([.] | implode) as $c | $plain[$c] // "?" end)
    | join("");

def paint($on; $code): if $on and . != "" then "\u001b[\($code)m\(.)\u001b[0m" else . end;
def spaces($n): if $n > 0 then " " * $n else "" end;

# ---- Lines ----

# Breaks one line at blanks so that none is longer than $width, where that is possible. What goes on stands
# under the text, and under the second column of lines like " at kernels.cu:41".
def wrapped($width):
  (capture("^(?<i> *(\\S+ {2,})?)").i) as $start
  | spaces($start | length) as $hang
  | reduce (.[($start | length):] | split(" ")[]) as $word ({lines: [], line: $start, empty: true};
      if .empty then .line += $word | .empty = false
      elif (.line + " " + $word | length) <= $width then .line += " " + $word
      else .lines += [.line] | .line = $hang + $word end)
  | .lines[], .line;

def indented($by; $width): split("\n")[] | spaces($by) + . | wrapped($width);

# Text with its points at the right edge; continuation lines stand under the text.
def with_points($mark; $points; $width; $color; $code):
  [wrapped($width - 8 - ($points | length))] as $lines
  | ("    " + ($mark | paint($color; $code)) + " " + $lines[0]
    + spaces($width - 6 - ($lines[0] | length) - ($points | length)) + $points),
    ($lines[1:][] | "      " + .);

def mark_of: {pass: "✓", fail: "✗", not_measured: "–", inconclusive: "–"}[.state];
def code_of: {pass: "32", fail: "31", not_measured: "33", inconclusive: "33"}[.state];
def text_of:
  .sentence
  + (if .state == "pass" or .state == "fail" then (if .note == "" then "" else ": \(.note)" end)
     elif .state == "inconclusive" then ": \(.note); inconclusive, \(.message)"
     else ": \(.message | split("\n")[0])" end);

def check_lines($width; $color):
  "\(if .state == "pass" or .state == "fail" then .points else "–" end)/\(.max_points)" as $points
  | (code_of) as $code | mark_of as $mark
  | (text_of | harmless | with_points($mark; $points; $width; $color; $code)),
    (if .state == "fail" and .message != "" then .message | harmless | indented(8; $width) else empty end),
    (if .hint != "" then .hint | harmless | gsub("```[a-z]*\n?"; "") | gsub("\\s+(?=\n|$)"; "")
      | indented(8; $width) | paint($color; "36") else empty end);

# ---- Parts ----

def device_text:
  .device as $d
  | if .backend == "cuda"
    then [$d.name // "GPU", (if $d.driver then "driver \($d.driver | split("|")[0])" else empty end),
      (if $d.runtime then "CUDA \($d.runtime)" else empty end)]
    else [(if .backend == "cpu" then "CPU backend on " else "" end) + ($d.cpu_name // $d.name // "this CPU"),
      (if $d.cpu_cores then "\($d.cpu_cores) cores" else empty end)] end
  | join(", ");

def header($color):
  ([.lesson, .title] | map(select(. != "")) | join(" ") | paint($color; "1")) + " · " + .file
  + (if .state == "graded" then " · " + (device_text | harmless) else "" end);

def output_lines($checks; $lesson; $width):
  if (.output // "") == "" or all($checks[]; .state != "fail") then empty else
    (.output | harmless | split("\n") | map(select(. != ""))) as $lines
    | ("your program printed: \($lines[:3] | map(.[:200]) | join("\n"))"
        + (if .output_truncated or ($lines | length) > 3 then "\n… and more (shown by `make run-\($lesson)`)"
          else "" end))
    | indented(8; $width) end;

def task_lines($g; $width; $color):
  . as $n | ([$g.checks[] | select(.task == $n)] | explaining_first) as $checks
  | ([$g.tasks[] | select(.number == $n)][0]) as $task
  | (if $n == 0 then "further" else "task \($n)" end) as $heading
  | (("  \($heading)  \($task.what // "")" | sub(" +$"; "")) | harmless | paint($color; "1")),
    ($checks[] | check_lines($width; $color)),
    ($task // {} | output_lines($checks; $g.lesson; $width));

def listed: if length < 2 then join("") else "\(.[:-1] | join(", ")) and \(.[-1])" end;

# Which tasks have checks of speed that only a GPU can measure.
def speeds_for: map(.task) | unique | (map(select(. > 0) | tostring)) as $numbered
  | [if $numbered == [] then empty
     else "task" + (if $numbered[1:] == [] then " " else "s " end) + ($numbered | listed) end,
     if any(. == 0) then "the further task" else empty end] | listed;

# What was not measured here, and where it can be.
def how_to_measure:
  def points: map(.max_points) | add
    | "\(.) point\(if . == 1 then " was" else "s were" end) not measured";
  def why: map(.why // .message) | unique | join("; ");
  [.checks[] | select(.reason == "not_here")] as $elsewhere
  | [.checks[] | select(.reason == "not_applicable")] as $nowhere
  | (.missing.cuda.message // "") as $no_gpu
  | ([$elsewhere[] | select(.why == $no_gpu)]) as $on_gpu
  | ($elsewhere - $on_gpu) as $otherwise
  | (select($on_gpu != []) | "\($on_gpu | points): \($no_gpu)."
      + (if ($on_gpu | map(.max_points) | add) == 1 then " It is" else " They are" end)
      + " for speed in \($on_gpu | speeds_for), which only a GPU shows: "
      + "`make \(.lesson) && sbatch jobs/run.sh` on a cluster, "
      + "or `grader/check \(.lesson)` on a machine that has one."),
    (select($otherwise != []) | "\($otherwise | points): \($otherwise | why)."),
    (select($nowhere != []) | "\($nowhere | points): \($nowhere | why).");

def score: ([.checks[] | select(.state == "inconclusive")] | length) as $open
  | if $open > 0 then
      "\(.points) of \(.max_points) points, \($open) check"
      + (if $open == 1 then " is" else "s are" end) + " inconclusive."
  elif .state == "graded" and .measured_points == .points and .points < .max_points
  then "\(.points) of \(.max_points) points, all that could be measured here."
  else "\(.points) of \(.max_points) points." end;

def report($color; $width):
  . as $g
  | header($color),
    (if .state == "graded" then
       (.warnings[]? | "the compiler warns: " + . | harmless | indented(2; $width)),
       ([.checks[].task] | unique | (map(select(. != 0)) + map(select(. == 0)))[]
         | task_lines($g; $width; $color))
     else .message | harmless | split("\n")[] | "  " + . end),
    ("  \(score) Next: \(.next)\(if .next | test("[.?]$") then "" else "." end)"
      | wrapped($width) | paint($color; "1")),
    (how_to_measure | "  " + . | wrapped($width));

def pretty($color; $ascii; $width):
  [report($color; $width)] | join("\n") | if $ascii then ascii_only else . end;

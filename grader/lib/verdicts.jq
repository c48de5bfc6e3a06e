# verdicts.jq: the verdicts of the checks, from the facts that grader/check gathered. evaluate.jq makes all of
# them.
#
# Input: {"lesson":…, "file":"kernels.cu", "plain_c":false, "runs":{"cpu":<run.json>, "cuda":…, "asan":…},
#         "missing":{"cuda":{"reason":"no_gpu","message":"…"}},
#         "thresholds":{"TASK BASELINE":{"pass":0.6,"excellent":0.75}}}
# A verdict: {"state":"pass|fail|not_measured|inconclusive|error", "reason":"…", "note":"a short text after
# the sentence", "message":"the text below the sentence", "why":"why it was not measured, for the summary",
# "where":"kernels.cu:41 or empty", "tool":"memcheck, of a failure that is a finding, or null"}. reason: "" |
# "task_wrong" (an earlier check decides; its points are lost) | "not_here" (needs another machine) | "noise"
# (the threshold lies within it) | "disturbed" (other programs use the machine).

include "launches";

def verdict($state; $reason; $note; $message; $where):
  {state: $state, reason: $reason, note: $note, message: $message, why: "", where: $where, tool: null};
def pass($note): verdict("pass"; ""; $note; ""; "");
# Without a known place, `where` is the first line number in the message.
def fail($note; $message; $where):
  (if $where != "" then $where
   else [$message | match("[A-Za-z0-9_]+\\.cu?:[0-9]+").string][0] // "" end) as $at
  | verdict("fail"; ""; $note; $message; $at);
def not_measured($reason; $message): verdict("not_measured"; $reason; ""; $message; "") | .why = $message;
def untimed($why): not_measured("not_here"; "not measured: " + $why) | .why = $why;
def broken($message): verdict("error"; ""; ""; $message; "");

# ---- Tasks and runs ----

def task_of($kind; $task): [.runs[$kind].tasks[]? | select(.name == $task)][0];

# The kinds of program whose answers count: sanitizer builds only report errors.
def judged: . as $f | ["cpu", "cuda"] | map(select($f.runs[.] != null));
def place($kind):
  if .plain_c then ""
  elif $kind == "cuda" then "on the GPU: "
  elif (.runs | has("cuda")) then "on the CPU backend: "
  else "" end;
# The kind of program that is timed: plain C on the CPU itself, CUDA C only on a GPU.
def timed_kind: if .plain_c then "cpu" else "cuda" end;

def is_wrong($task): . as $f
  | any(judged[]; . as $k | $f | task_of($k; $task)
      | . != null and (.state | IN("wrong", "crashed", "timeout", "error")));
def is_right($task): . as $f
  | (is_wrong($task) | not) and any(judged[]; . as $k | $f | task_of($k; $task) | .state == "right");
# Of a task that is not right: a check that needs a right answer. If it did not run, since its function or a
# library is missing, that is said.
def why_not_run: [.cases[]?.note // empty | select(. != "")][0] // .message // "";
def unless_right($task): . as $f
  | [judged[] as $k | $f | task_of($k; $task) | select(. != null and .state == "not_run") | why_not_run][0]
    as $why
  | if is_wrong($task) or ($why // "") == ""
    then not_measured("task_wrong"; "not measured while the task is wrong")
    else not_measured("not_here"; $why) end;

# ---- Numbers as text ----

def rounded($digits): . as $x | pow(10; $digits) as $p | ($x * $p | round) / $p;
# 0.6 -> "0.60"; always two decimals, so that thresholds and ratios can be compared easily.
def two: (. * 100 | round) as $c
  | ($c | fabs % 100 | tostring) as $rest
  | (if $c < 0 then "-" else "" end) + ($c | fabs / 100 | floor | tostring) + "."
    + (if ($rest | length) < 2 then "0" else "" end) + $rest;
def figure:
  if . == null then "?" elif . == 0 then "0" else
    (fabs | log10 | floor) as $e
    | if $e >= -3 and $e < 6 then rounded([0, 3 - $e] | max) | tostring
      else "\((. / pow(10; $e)) | rounded(1))e\($e)" end
  end;
def size_text: map(tostring) | join("×");

# ---- right ----

def sizes_note:
  [.cases[]? | select((.state // "right") == "right") | .size // empty] as $sizes
  | ([.cases[]? | .max_error | numbers] | max) as $error
  | ([.cases[]? | .max_share | numbers] | max) as $share
  | if ($sizes | length) == 0 then ""
    else "\($sizes | length) sizes from \($sizes | min | size_text) to \($sizes | max | size_text)"
      + (if $share != null then ", largest error: \($share * 100 | figure) % of what is allowed"
         elif $error == null then "" else ", largest error \($error | figure)" end) end;

# Beside that of a baseline, if the task compares them.
def errors_note:
  .errors | select(. != null and .baseline_share > 0)
  | (.share / .baseline_share * 10 | round / 10) as $ratio
  | "; at \(.size | size_text) it is \($ratio) times that of \(.baseline) (\(.what))";

# file.cu:12 of a finding, or nothing.
def where_of:
  if (.file // "") == "" then ""
  else (.file | sub(".*/"; "")) + (if .line then ":\(.line)" else "" end) end;

# A race, or a read of memory without a value, can be why values are wrong, and explains more than they do.
def unsafe_read:
  if [.cases[]? | select(.state == "wrong")][0].first_wrong == null then empty else
    [.findings[]? | select(.severity != "warning")] as $found
    | [("racecheck", "initcheck") as $tool | $found[] | select(.tool == $tool)][0]
    | values | "\(.tool) may show why: \(.sentence)" + (where_of | if . == "" then "" else " (\(.))" end)
  end;

def text_of_failure:
  [.message // "", (unsafe_read // ""), .cause // "", (launch_cause // ""), .asked // "", .detail // ""]
  | map(select(. != "") | sub("\\s+$"; "")) | join("\n")
  | if . == "" then "the answer is wrong" else . end;

def right($task): . as $f |
  [judged[] as $k | {kind: $k, task: ($f | task_of($k; $task))} | select(.task != null)] as $all
  | ($all | map(select(.task.state | IN("wrong", "crashed", "timeout", "error")))[0]) as $bad
  | if $bad != null then fail(""; ($f | place($bad.kind)) + ($bad.task | text_of_failure); "")
    elif any($all[]; .task.state == "right") | not
    then not_measured("not_here"; ($all[0].task | why_not_run))
    else pass($all | map(select(.task.state == "right"))[0].task | sizes_note
      + ([$all[].task | errors_note] | last // "")) end;

# ---- clean, sanitized ----

# The text of a finding for the learner: the CPU backend's whole block, or the important lines of a
# sanitizer's report.
def finding_text:
  (.text // "" | rtrimstr("\n") | split("\n")) as $lines
  | if .tool | IN("asan", "ubsan", "tsan") then
      "\(.tool): \(.sentence | sub(" on (unknown )?address .*| \\(pid=.*"; ""))"
        + (where_of | if . == "" then "" else " (\(.))" end),
      ($lines[] | select(test("^(READ|WRITE) of size|is located [0-9]+ bytes|The signal is caused by"))
        | sub("^ *(==[0-9]+==)?"; "") | gsub(" (at|thread) .*| ?\\[?0x[0-9a-f]+[^ ]*"; "")
        | sub("^ is located"; "the address is"))
    elif ($lines | length) > 14 then $lines[:13][], "and \(($lines | length) - 13) more lines"
    elif .text then $lines[]
    else "\(.tool): \(.sentence)" + (where_of | if . == "" then "" else " (\(.))" end), (.cause // empty) end;
# The number of different places among the findings.
def places: map([.tool, .file, .line]) | unique | length;
# Shows the first finding; of the thread sanitizer's two findings for a race, the one that names both places.
def findings_failure:
  sort_by(if .kind == "race" then 0 else 1 end)
  | (places - 1) as $more
  | fail("";
      ([.[0] | finding_text] | join("\n"))
        + (if $more > 0 then "\nand \($more) more at other lines" else "" end);
      .[0] | where_of)
    + {tool: .[0].tool};

# The findings of one tool of the CPU backend: the errors, or if there are none, the warnings; each with its
# rank in the list.
def tool_findings($task; $tool):
  [task_of("cpu"; $task).findings[]?] | to_entries | map(.value + {rank: .key} | select(.tool == $tool))
  | map(select(.severity != "warning")) as $errors
  | if $errors == [] then . else $errors end;
def rank: (.[0].rank) // -1;

# A finding in one line, beside a check that passes.
def noted: where_of as $at
  | "\(.sentence)" + (if $at == "" then "" else " (\($at))" end)
    + (if (.cause // "") == "" then "" else ": \(.cause)" end);

# One tool's verdict. A check of several tools joins them: it shows the finding with the lowest rank and the
# number of other places.
def clean($task; $found):
  if .runs.cpu == null then
    not_measured("not_here"; "needs the CPU backend: " + (.missing.cpu.message // "not built here"))
  elif $found != [] and $found[0].severity != "warning"
  then fail(""; [$found[0] | finding_text] | join("\n"); $found[0] | where_of) | .tool = $found[0].tool
  elif is_right($task) | not then unless_right($task)
  else pass(if $found == [] then "" else "with a warning: " + ($found[0] | noted) end) end;

# The lines of a sanitizer's report in the program's output, in case the harness made no finding of it.
def report_lines: (.output // "") | split("\n")
  | map(select(test("ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|runtime error: ")));

def sanitized($task; $kind): . as $f
  | if .runs[$kind] == null
    then
      not_measured("not_here";
        "needs the \($kind) build: " + (.missing[$kind].message // "it cannot be built here"))
    else task_of($kind; $task) as $t
      | ($t | report_lines) as $lines
      | if ($t.findings // [] | length) > 0 then
          ($t.findings | findings_failure)
          # If the sanitizer ended the process, the harness's message also has the size of the case.
          | if $t.state == "crashed" and ($t.message // "") != "" and $kind == "asan"
            then .message = $t.message else . end
        elif ($lines | length) > 0 then
          fail(""; $lines[:4] | join("\n"); "")
        elif $t.output_truncated then
          fail(""; "It printed more than 64 KiB, so a sanitizer's report could be lost: print less."; "")
        elif is_wrong($task) then unless_right($task)
        elif $t.state == "right" then pass("")
        # What the other sanitizer found there is nearer to the cause than a wrong value.
        else (if $kind == "asan" then "tsan" else "asan" end) as $other
          | if ($f | task_of($other; $task).findings // [] | length) > 0
            then $f | sanitized($task; $other)
            else fail(""; $t | text_of_failure; "") end
        end
    end;

# ---- failures: what happens when a call fails ----

# One call after the other failed on the CPU backend (run.json's `failures`).
def failures($task): task_of("cpu"; $task) as $t
  | if .runs.cpu == null then
      not_measured("not_here"; "needs the CPU backend: " + (.missing.cpu.message // "not built here"))
    elif is_right($task) | not then unless_right($task)
    elif $t.failures == null then not_measured("not_here"; "this run let no call fail")
    elif $t.failures.state == "right" then
      pass("\($t.failures.tried) call" + (if $t.failures.tried == 1 then "" else "s" end) + " failed in turn")
    else
      ([$t.failures.findings[]? | select(.tool == "memcheck")][0]) as $finding
      | fail("";
          ([$t.failures.message] + (if $finding then [$finding | finding_text] else [] end)) | join("\n"); "")
    end;

# ---- as_asked: the launches that the caller asks for ----

# A case with other ones is a failure, whether the answers are right or wrong.
def as_asked($task): task_of("cpu"; $task) as $t
  | if .runs.cpu == null then
      not_measured("not_here"; "needs the CPU backend: " + (.missing.cpu.message // "not built here"))
    elif ($t.asked // "") != "" then fail(""; $t.asked; "")
    elif is_right($task) | not then unless_right($task)
    else pass("") end;

# ---- counter, overlaps: was the idea used? ----

# The CPU backend traces every task that has a size for it.
def untraced($task):
  broken("it needs the counters or the timeline of \($task), whose task in the driver has no .trace: "
    + "add .trace, the size of the call that is traced");

# Are there counters of the task that a check can use?
def used($task): task_of("cpu"; $task) as $t
  | if is_right($task) | not then unless_right($task)
    elif $t.counters == null and .runs.cpu != null then untraced($task)
    elif $t.counters == null then not_measured("not_here"; "this run recorded no counters")
    else pass("") end;

# The message about too little overlap, with the cause that the timeline shows.
def no_overlap:
  def at: if (.line // 0) > 0 then " (\(where_of))" else "" end;
  def copies: select(.kind | IN("h2d", "d2h"));
  ([.activities[] | copies | select(.pinned | not)][0]) as $pageable
  | ([.activities[] | select(.stream == 0)][0]) as $default
  | (if .overlap_us == 0 then "No copy overlapped a kernel"
     else
       "Copies overlapped kernels for only \(.overlap_us | round) of \(.kernel_us | round) µs of kernel time"
     end) + ": "
  + (if $pageable then "the host takes part in every copy of pageable memory\($pageable | at)"
     elif $default then
       (if $default.kind == "kernel" then "the kernel is" else "copies are" end)
       + " in the default stream, for which all other streams wait\($default | at)"
     elif ([.activities[].stream] | unique | length) == 1 then "all of it is in one stream"
     else "the host waits for one part of the work before it queues the next" end) + ".";

# The task whose timeline shows whether copies overlap kernels: the measured one of a GPU, else (or with
# $modelled) that of the CPU backend's model; null without one.
def overlapping($task; $modelled):
  ((if $modelled then [] else [task_of("cuda"; $task)] end + [task_of("cpu"; $task)])
    | map(select(.timeline.source | IN("measured", "modelled")))[0]);
# The share of the kernel time in percent, rounded down: 0 without overlap, nearly 100 with it.
def overlap_percent:
  .timeline // {} | if (.kernel_us // 0) == 0 then 100 else .overlap_us * 100 / .kernel_us | floor end;
# Its message is shown if the share is too small.
def overlap($task; $t):
  if is_right($task) | not then unless_right($task)
  elif $t == null and .runs.cpu != null and task_of("cpu"; $task).timeline == null then untraced($task)
  elif $t == null then not_measured("not_here"; "this run recorded no timeline")
  else
    pass(if $t.timeline.source == "modelled" then "in the model's timeline" else "" end)
    + {message: ($t.timeline | no_overlap)}
  end;

# ---- speed ----

# The ratio of one task to one baseline as {ratio, low, high, what}, or null where it was not measured.
def ratio_of($task; $baseline):
  task_of(timed_kind; $task) as $t
  | if $t.timing == null then null else
      [$t.baselines[]? | select(.name == $baseline)][0]
      | if . == null or .ratio == null then null
        else {ratio, low: (.ratio_low // .ratio), high: (.ratio_high // .ratio), what: (.what // .name)} end
    end;

def met($threshold): if .low >= $threshold then "met" elif .high < $threshold then "missed" else "noisy" end;

# Other programs on this machine make an answer or its baseline look slower. So a speed counts, met or missed,
# only if the samples lay within 15 % and, on a CPU, the function had its core, or all cores, to itself.
# Learners who disturb their own timing gain nothing.
def disturbed($t; $baseline): (.runs.cpu.device.cpu_cores // 1) as $cores
  | ([$t.timing.noise_percent, ($t.baselines[]? | select(.name == $baseline) | .noise_percent)]
      | map(. // 0) | max) > 15
  or (timed_kind == "cpu" and ($t.timing.cores_used // 1 | . < 0.9 or (. > 1.1 and . < 0.9 * $cores)));

def why_untimed($task): timed_kind as $k
  | if .runs[$k] == null then (.missing[$k].message // "needs a GPU")
    elif .runs[$k].timing_measured == false then (.runs[$k].timing_reason // "this run was not timed")
    else (task_of($k; $task).not_timed // "this task was not timed") end;
def can_time: timed_kind as $k | .runs[$k] != null and .runs[$k].timing_measured != false;

# How many threads did the work: decided by their processor time, which a busy machine does not change.
def threads($task; $all): task_of("cpu"; $task) as $t
  | (.runs.cpu.device.cpu_cores // 1) as $cores
  | if can_time | not then untimed(why_untimed($task))
    elif is_right($task) | not then unless_right($task)
    elif $t.timing.threads_used == null then untimed(why_untimed($task))
    elif $t.timing.threads_used == 0 then pass("") # they have ended: only the speed shows them
    elif $all and $cores < 2 then untimed("this machine has only one core")
    elif $all and $t.timing.threads_used < $cores then
      fail("";
        "Only \($t.timing.threads_used) of \($cores) threads did the work: "
        + "none of the others had half as much processor time."; "")
    elif ($all | not) and $t.timing.threads_used > 1 then
      fail(""; "\($t.timing.threads_used) threads did the work: this task is for one core."; "")
    else pass("") end;

def speed($task; $baseline; $threshold):
  .thresholds["\($task) \($baseline)"] as $thresholds
  | if can_time | not then untimed(why_untimed($task))
    elif is_right($task) | not then unless_right($task)
    else ratio_of($task; $baseline) as $r
      | if $r == null then untimed(why_untimed($task))
        else "\($r.ratio | two) × \($r.what), \($threshold) is \($thresholds[$threshold] | two)" as $note
          | {ratio: $r.ratio, to: $r.what, threshold: $thresholds[$threshold]} as $speed
          | disturbed(task_of(timed_kind; $task); $baseline) as $disturbed
          | ($r | met($thresholds[$threshold])) as $is
          | task_of(timed_kind; $task).timing.too_fast as $too_fast
          | if $too_fast != null then fail($note; $too_fast; "")
            elif $is != "noisy" and $disturbed
            then verdict("inconclusive"; "disturbed"; $note; "something else is running on this machine"; "")
            elif $is == "met" then pass($note)
            elif $threshold == "excellent" and ($r | met($thresholds.pass)) == "missed"
            then not_measured("task_wrong"; "not measured while the pass threshold is not reached")
            elif $is == "missed" then fail($note; ""; "")
            else
              "the noise (\($r.low | two) to \($r.high | two)) covers the threshold" as $message
              | verdict("inconclusive"; "noise"; $note; $message; "")
            end
          | .speed = $speed
        end
    end;

# Tasks that should be timed again, because a threshold lies within the noise.
def noisy_tasks: . as $f
  | [.thresholds | keys[] | split(" ") as [$task, $baseline]
      | $f | select(any(.runs[].tasks[]?; .name == $task))
      | select(any(speed($task; $baseline; "pass", "excellent"); .state == "inconclusive"))
      | $task] | unique;

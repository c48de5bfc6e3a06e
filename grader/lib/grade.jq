# grade.jq: makes grade.json (schema wb-grade/2, grader/README.md) from the data of grader/check. All its
# inputs are named arguments: $facts and $plan (each in a list, from --slurpfile), the texts $answers and
# $results, $state, $message and others.
include "verdicts";
include "mistakes";
include "order";

# {SENTENCE: verdict} from the lines of check.bash, which name verdicts in the lines of evaluate.jq. Fields
# are separated by tabs; a newline in a text is \n. The text of a failure is appended to the verdict's
# message.
def results_of_checks($answers; $results):
  ($answers | split("\n")
    | map(split("\t") | select(length == 5) | {key: "\(.[0]) \(.[1])", value: (.[4] | fromjson)})
    | from_entries) as $known
  | [$results | split("\n")[] | select(. != "") | split("\t") as [$sentence, $state, $task, $key, $escaped]
      | ($escaped | gsub("\\\\n"; "\n")) as $text
      | ($known["\($task) \($key)"] // pass("")) as $v
      | {key: $sentence,
         value: ((if $state == "pass" then pass($v.note)
                  elif $state == "fail" then fail($v.note; $v.message + $text; $v.where) + {tool: $v.tool}
                  elif $state == $v.state then $v
                  elif $key == "needs" then untimed($text)
                  elif $key == "applies" then untimed($text) | .reason = "not_applicable"
                  else not_measured("not_here"; $text) end) + {speed: $v.speed, of: $task, key: $key})}]
  | from_entries;

# The checks in the order of the page, each with its result.
def graded_checks($plan; $verdict):
  [$plan.tests[] | . as $t | ($verdict[.sentence] // not_measured("not_run"; "not measured")) as $v
      | {number, task, sentence,
         points: (if $v.state == "pass" then .points else 0 end), max_points: .points,
         state: $v.state, reason: $v.reason, note: $v.note, speed: $v.speed, message: $v.message, why: $v.why,
         where: $v.where, tool: $v.tool, hint: "", mistake: null, of: $v.of, key: $v.key}];

# Does a finding name an event of another stream, or one that was not recorded
# (common/cpu/runtime/checker/awaited.c)? The values are those of a missing wait then, which it is not.
def waits_in_vain:
  any(.findings[]?; .cause // "" | test("^the event that .*(record it in the stream|was not recorded)"));

# Names the mistake of each answer that is wrong on the CPU backend and equals what a known mistake gives.
def with_mistakes($facts; $mistakes):
  map(if .state == "fail" and .key == "right" then
      .of as $name
      | ([$facts.runs.cpu.tasks[]? | select(.name == $name and (waits_in_vain | not))
          | known($mistakes)][0]) as $known
      | if $known == null then . else
          .mistake = ($known | del(.hint))
          | .message += "\nYour result equals what this mistake gives: \($known.sentence)."
          | .hint = $known.hint
        end
    else . end);

# Does a hint about a task's idea fit this failure? It does where an answer has wrong values, or copies
# overlap no kernels, and the message does not name the cause. Errors, findings, calls that did not return,
# counters and speeds come with advice of their own.
def about_the_idea($facts): .of as $name
  | (.key // "" | endswith("overlap"))
    or (.key == "right" and .mistake == null
      and ([$facts.runs | .cpu, .cuda | .tasks[]? | select(.name == $name and .state != "right")][0]
        // {state: "wrong"}
        | .state == "wrong" and all(.findings[]?; .severity == "warning")
          and ([.cases[]? | select(.state == "wrong")][0]
            | . == null or (.first_wrong | . != null and .cause != true))));

# Adds to the first failure the first hints of its task: one if that fits, or as many as were asked for.
def with_hints($plan; $facts; $count):
  (map(.state == "fail") | index(true)) as $at
  | if $at == null then . else
      (.[$at].task | tostring) as $task
      | ($plan.hints[$task] // []) as $all
      | ($count // (if .[$at] | about_the_idea($facts) then 1 else 0 end)) as $shown
      | .[$at].hints_there = ($all | length)
      | .[$at].hints_shown = $shown
      | .[$at].hint = ([(.[$at].hint | select(. != "")), ($all[:$shown] | to_entries[]
          | "hint \(.key + 1) of \($all | length): \(.value)")] | join("\n"))
    end;

def task_name: if . == 0 then "the further task" else "task \(.)" end;

# The learner's next step, in one line.
def next_step($checks; $o):
  ([$checks[] | select(.state == "fail")][0]) as $bad
  | (if $o.following == "" then "" else "\($o.following): lessons/\($o.following)/README.md" end) as $on
  | (if $o.solution == "" then "" else "\($o.solution) is the solution, with explanations" end) as $explained
  | ([$on, $explained] | map(select(. != "")) | join("; ")) as $onward
  | if $o.state == "not_compiled" then "correct the compiler's first message, then grade again"
    elif $o.state == "refused" then "remove what the message names, then grade again"
    elif $o.state == "not_run" then "see the message"
    elif $bad != null then
      all($checks[]; .task == 0 or .state != "fail") as $only_further
      | ([$checks[] | select(.task == $bad.task)] | explaining_first
          | map(select(.state == "fail") | .where | select(startswith("\($o.name):")))[0]) as $where
      | (if $where != null then "look at \($where)"
         else
           "\($bad.task | task_name) in \($o.name)" + (if $bad.message == "" then ", faster" else "" end)
         end)
        + (if ($bad.hints_there // 0) <= ($bad.hints_shown // 0) then ""
           else ", or `\($o.self) \($o.lesson) --hints \($bad.hints_shown + 1)`" end)
        + (if $bad.task == 0 and $only_further and $on != "" then ", or go on with \($on)" else "" end)
    elif any($checks[]; .state == "inconclusive") then "grade again when the machine is idle"
    elif $o.task != "" then "the whole lesson: `\($o.self) \($o.lesson)`"
    elif any($checks[]; .reason == "not_here") then
      "measure the rest" + (if $on == "" then "" else ", or go on with \($on)" end)
    elif $onward == "" then "this was the last lesson"
    else $onward end;

# The device for the header, from the runs.
def device($runs): ($runs.cuda // $runs.cpu // {}) | .device // {};

# The output of the learner's code without the checker's reports, which the checks show. A report is a first
# line and indented lines.
def printed:
  reduce ((.output // "") | split("\n"))[] as $line ({kept: [], report: false};
    if $line | test("^(mem|race|init|sync|leak)check: ") then .report = true
    elif .report and ($line | test("^(  |$)")) then .
    else .report = false | .kept += [$line] end)
  | .kept | join("\n");

def sum_of(f): [.[] | f] | add // 0;

# The seed that repeats the verdict: that of the first run that was wrong, else of the timed run.
def seed_of($runs): [$runs | .cuda, .cpu | values] as $all
  | if $seed != "" then $seed else ([$all[] | select(.verdict == "wrong")] + $all)[0].seed // "" end;

def grade:
  $facts[0] as $facts | $plan[0] as $plan | $facts.runs as $runs
  | (graded_checks($plan; results_of_checks($answers; $results))
      | with_mistakes($facts; $mistakes) | with_hints($plan; $facts; $hints)) as $checks
  | {schema: "wb-grade/2", lesson: $lesson,
     title: (($runs.cpu // $runs.cuda // {}).title // $plan.title // ""),
     file: $file,
     backend: (if $runs.cuda then "cuda" else $runs.cpu.backend // "" end),
     date: $date, seed: seed_of($runs), sandbox: $sandbox,
     device: device($runs),
     runs: [$built | split("\n")[] | select(. != "") | split(" ") as [$kind, $by]
       | {kind: $kind, built: $by, seed: ($runs[$kind].seed // ""),
          verdict: ($runs[$kind].verdict // "not_run")}],
     task: (if $task == "" then null else ($task | tonumber) end),
     state: $state, message: $message,
     warnings: [$warnings | split("\n")[] | select(. != "")],
     verdict: (if $state == "not_run" then "none"
               elif ($state | IN("not_compiled", "refused")) or any($checks[]; .state == "fail") then "fail"
               elif any($checks[]; .state == "pass") then "pass" else "none" end),
     points: ($checks | sum_of(.points)),
     max_points: ($checks | sum_of(.max_points)),
     measured_points: (if $state == "graded"
       then
         [$checks[] | select(.state == "pass" or .state == "fail" or .reason == "task_wrong")]
         | sum_of(.max_points)
       elif $state | IN("not_compiled", "refused") then $checks | sum_of(.max_points) else 0 end),
     missing: ($facts.missing // {}),
     tasks: [($runs.cpu // $runs.cuda // {}).tasks[]? | .number as $n
       | select(any($checks[]; .task == $n)) | {number, name, what}
         + ([$runs | .cuda, .cpu | .tasks[]? | select(.number == $n) | . + {output: printed}
              | select(.output != "")][0]
            | (.output // "") as $output
            | {output: $output[:2000],
               output_truncated: ((.output_truncated // false) or ($output | length > 2000))})],
     checks: [$checks[] | del(.hints_there, .hints_shown, .of, .key)],
     next: next_step($checks; {$self, $lesson, $name, $following, $solution, $state, $task}),
     repeat: ($repeat + (seed_of($runs) | if . == "" then "" else " --seed \(.)" end))};

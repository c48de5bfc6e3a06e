# evaluate.jq: everything that a check page can ask, flat, from the facts that grader/check gathered. One line
# for each answer, its fields separated by tabs, so that a check looks it up without starting a process
# (check.bash):
#
#   TASK  KEY  STATE  MESSAGE  VERDICT    a verdict: its state, its message (newlines as \n, "-" for none),
#                                         and the whole verdict as JSON
#   TASK  KEY  NUMBER                     a counter (counters.jq; KEY.uncertain: 1 where it is
#                                         an estimate, else why it is not known), or a part of a verdict
#
# launched is a number, 1 where the answers are wrong and the counters of launches can tell why.
#
# KEY of a verdict: right; used (may counters be looked at?); memcheck racecheck initcheck synccheck
# leakcheck, each with KEY.places and KEY.rank, to join the findings of several tools; asan tsan all_cores
# one_core; failures; as_asked; overlap and modelled-overlap, each with KEY.percent; faster BASELINE and
# excellent BASELINE.
include "verdicts";
include "counters";
include "compiled";

def answer($task; $key; $verdict):
  ($verdict.message | if . == "" then "-" else . end) as $message
  | ([$task, $key, $verdict.state, $message] | @tsv) + "\t" + ($verdict | tojson);
def number($task; $key; $value): [$task, $key, $value] | map(tostring) | @tsv;

def answers_of($task): . as $f
  | answer($task; "right"; right($task)),
    answer($task; "used"; used($task)),
    (select(is_wrong($task)) | task_of("cpu"; $task) | select(.counters != null)
      | number($task; "launched"; 1)),
    ((task_of("cpu"; $task) // {}) | .compiled = ($f | compiled_of($task))
      | .gpu = $f.runs.cuda.device | counters | to_entries[]
      | number($task; .key; .value.value),
        (select(.value.uncertain)
          | number($task; "\(.key).uncertain"; .value.uncertain | if . == true then 1 else . end))),
    (if .plain_c then
       (("asan", "tsan") as $kind | $f | answer($task; $kind; sanitized($task; $kind))),
       answer($task; "all_cores"; threads($task; true)), answer($task; "one_core"; threads($task; false))
     else
       answer($task; "failures"; failures($task)), answer($task; "as_asked"; as_asked($task)),
       (("memcheck", "racecheck", "initcheck", "synccheck", "leakcheck") as $tool | $f
         | tool_findings($task; $tool) as $found
         | answer($task; $tool; clean($task; $found)),
           number($task; "\($tool).places"; $found | places), number($task; "\($tool).rank"; $found | rank)),
       ((["overlap", false], ["modelled-overlap", true]) as [$key, $modelled] | $f
         | overlapping($task; $modelled) as $t
         | answer($task; $key; overlap($task; $t)), number($task; "\($key).percent"; $t | overlap_percent))
     end),
    (.thresholds | keys[] | split(" ") | select(.[0] == $task) | .[1]) as $baseline
      | $f | answer($task; "faster \($baseline)"; speed($task; $baseline; "pass")),
             answer($task; "excellent \($baseline)"; speed($task; $baseline; "excellent"));

def evaluation: . as $f | [.runs[].tasks[]?.name] | unique[] as $task | $f | answers_of($task);

# The tasks with a threshold within the noise, with blanks between them.
def noisy: noisy_tasks | join(" ");

# compiled.jq: what the compiler made of the kernels that a task launches: the counts of common/cpu/ptx
# ($facts.compiled), joined with the launches of the CPU backend's traced call.
include "verdicts";

# "ns::add<float>" -> "add": one kernel has different names in the two.
def plain_kernel: sub("[<(].*$"; "") | split("::") | last // "";

# One kernel of each name that was launched, of the text that the task compiled, or else of the file. Of
# several of one name (a template, overloads) only those count that the task's function can launch, and of
# these the one with the least work in double: nothing is held against a learner that another kernel may have
# done.
def kernels_of($task; $launched):
  def named: [.[]? | select(.name == $launched)];
  (.texts[$task].kernels | named | select(. != [])) // (.kernels | named)
  | [.[] | select(.launched_by | index($task))] as $mine
  | (if $mine == [] then . else $mine end)
  | min_by(.counts.double_operations);

# {"unknown": the reason} or {"counts": {…}, "line": of the first operation in double, or 0}
def compiled_of($task): . as $f
  | [task_of("cpu"; $task).counters.kernels[]?.name | plain_kernel] | unique as $launched
  | if $f.compiled == null then {unknown: "nothing was compiled"}
    else
      [$launched[] as $name | {$name, kernel: ($f.compiled | kernels_of($task; $name))}] as $all
      | ([$all[] | select(.kernel == null)][0]) as $lost
      | if $lost then
          {unknown: ($f.compiled | .texts[$task].message // .message // "clang has no kernel \($lost.name)")}
        else
          {counts: (reduce ($all[].kernel.counts | to_entries[]) as $c ({}; .[$c.key] += $c.value)),
           line: ([$all[].kernel | select(.counts.double_operations > 0)
             | .double_lines[0] // .line][0] // 0)}
        end
    end;

# launches.jq: what the launches of a wrong call say about the cause. `failing` of a task in run.json are the
# counters of that call (common/harness/run/probe.h).

def product: reduce .[] as $x (1; . * $x);
def launch_text:
  "\(.name)<<<(\(.grid | map(tostring) | join(","))), (\(.block | map(tostring) | join(",")))>>>"
  + (if (.file // "") == "" then "" else " at \(.file | sub(".*/"; "")):\(.line)" end);

# Of a case that had to fail: what it launched instead.
def launched_instead:
  if . == [] then "It launched no kernel, so nothing could fail."
  else
    "It launched \(.[0] | launch_text), which a device accepts: launch what was asked for, or return the "
    + "error before the launch where the header says which arguments are refused."
  end;

# Of elements that were left as they were from place $first on, of $elements: the last kernel's threads.
def too_few_threads($first; $elements): .[-1] as $k
  | ($k.grid | product) as $blocks | ($k.block | product) as $threads
  | if $blocks > 1 and $first == $threads then
      "Only the first \($first) elements are written, as many as a block has threads: an index without "
      + "blockIdx.x * blockDim.x in \($k | launch_text)."
    elif $blocks > 1 and $threads > 1 and $first == ($blocks - 1) * $blocks + $threads then
      "The first \($first) elements are written: an index with gridDim.x in place of blockDim.x in "
      + "\($k | launch_text)."
    elif $blocks > 1 and $threads > 1 and $first == $blocks + $threads - 1 then
      "The first \($first) elements are written: an index that adds blockIdx.x without multiplying it by "
      + "blockDim.x in \($k | launch_text)."
    elif $blocks > 1 and $threads > 1 and $first == $blocks then
      "Only the first \($first) elements are written, as many as there are blocks: an index without "
      + "threadIdx.x in \($k | launch_text)."
    # Of several launches: what one launch shows is said by common/harness/run/short_launch.c.
    elif $first == $blocks * $threads then
      "\($k | launch_text) has \($first) thread\(if $first == 1 then "" else "s" end) "
      + "for \($elements) elements."
    else empty end;

# What the launches say about an answer whose elements were left as they were.
def nothing_written($case; $launched):
  if all($case.size[]; . > 0) and $launched == [] and ([.failing.copies[]? | numbers] | add // 0) == 0
  then "It launched no kernel and copied nothing."
  elif $launched == [] then empty
  elif $case.first_wrong | .unchanged and (.on_device | not) and .index == 0 then
    "\($case.first_wrong.array) is as it was before the call: the results are not copied back into it."
  else $launched | too_few_threads($case.first_wrong.index; $case.first_wrong.elements) end;

# A sentence about the launches of a task that was wrong and whose cause is not known, or nothing.
def launch_cause:
  ([.cases[]? | select(.state == "wrong")][0]) as $case
  | [.failing.profile[]?] as $launched
  | if .failing.profile == null or $case == null or (.cause // "") != "" then empty
    elif $case.must_fail then
      if $case.status == 0 and ($case.lost_error | not) then $launched | launched_instead else empty end
    elif $case.first_wrong | . != null and (.never_written or .unchanged) then
      nothing_written($case; $launched)
    else empty end;

# mistakes.jq: recognises known mistakes. A task whose answer is wrong has `prints` in run.json: what it did
# at its small sizes with inputs that are the same in every run. Equal prints, equal mistake. The known ones
# are in grader/checks/lessonNN.mistakes, which tests/lessons/bugs/fingerprints writes.

# A number of 32 bits for a text, in hexadecimal.
def hash: reduce explode[] as $c (5381; (. * 33 + $c) % 4294967296)
  | reduce range(8) as $i ({n: ., t: ""};
      {n: (.n / 16 | floor), t: ("0123456789abcdef"[(.n % 16):(.n % 16) + 1] + .t)}) | .t;

# Was anything wrong at this size? Findings alone count, too.
def found: [.findings[]? | select(.severity != "warning")][0];
def bad:
  .end != "not_run" or .wrong > 0 or found != null or .late != 0 or .device_error != 0
  or .pending_error != 0 or (.status != 0) != .must_fail;

# What happened at one size: how the call ended, which errors came back, and which elements had which wrong
# values.
def answer:
  if bad | not then "-"
  else
    [.end, .status, .device_error, .pending_error, .late, (if .wrong > 0 then .values else "" end)]
    | map(tostring) | join(" ")
  end;

# Where there are no wrong values to tell mistakes apart: the first findings, did kernels run, and how many
# bytes were copied in, out and within the device? Without $place the thread of a finding is left out, which
# may depend on the order of threads.
def traces($place):
  [.[] | found | if . == null then "-" elif $place then "\(.tool) \(.block) \(.thread)" else .tool end]
  + ([.[].counters | values][0] // {}
    | [(.launches // 0) > 0, (.copies // {} | (.h2d_pageable_bytes // 0) + (.h2d_pinned_bytes // 0),
        (.d2h_pageable_bytes // 0) + (.d2h_pinned_bytes // 0), .d2d_bytes // 0)] | map(tostring));

# Is the first wrong element nearly right? Where no error is allowed (a maximum, a count), a value close by is
# not a rounding error: any mistake may give one.
def nearly_right: [.cases[]? | .first_wrong | values][0] as $w
  | $w != null and ($w.tolerance // 0) > 0
    and ([$w.got, $w.expected] | all(type == "number")) and $w.expected != 0 # null: NaN
    and (($w.got - $w.expected) / $w.expected | fabs) < 0.001;

# Did a kernel or a call of the host break the rules of memory, such as an access past the end of an array?
# Many mistakes lead to the same error then, and the finding says what was wrong.
def memory_finding: any(.[] | found; . != null and .tool == "memcheck");

# Did NVRTC refuse a text or an option (cudaErrorInvalidSource)? Its log says why, and all mistakes of that
# kind give the same error.
def refused_text: any(.[]; .status == 300);

# The fingerprint of a task in run.json; null: it has none. With the inputs of the prints sums are exact, so
# what only other inputs show is a rounding error.
def fingerprint($place): .name as $name | (.prints // []) as $prints
  | any($prints[]; .written > 0) as $written
  | if $prints == [] or ($written | not) and ($prints | memory_finding or refused_text) then null
    elif any($prints[]; bad) then
      [$name, ($prints[] | answer), (if $written then empty else $prints | traces($place)[] end)]
      | join("\n") | hash
    elif nearly_right then "\($name)\nrounding" | hash
    else null end;

# Of a list of known mistakes the one with the fingerprint of this task, {name, sentence, hint}, or null.
def known($mistakes):
  fingerprint(true) as $print
  | if $print == null then null
    else [$mistakes[] | select(any(.prints[]; . == $print)) | {name, sentence, hint}][0] end;

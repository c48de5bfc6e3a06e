# lesson.jq: reads the three texts that describe a lesson's grading: check file, thresholds, the page's hints.

# [{number, task, points, sentence}] from a check file.
def tests:
  reduce split("\n")[] as $line ({tags: {}, list: []};
    if $line | test("^# bats test_tags=") then
      .tags = ([$line | match("(task|points):([0-9]+)"; "g").captures | {key: .[0].string, value: (.[1].string | tonumber)}] | from_entries)
    elif $line | test("^@test ") then
      .list += [{number: (.list | length + 1), task: .tags.task, points: .tags.points,
                 sentence: ($line | capture("^@test +[\"'](?<s>.*)[\"'] *\\{").s)}]
      | .tags = {}
    else . end)
  | .list;

# {"TASK BASELINE": {pass, excellent}} from a thresholds file; an unreadable line is an error.
def thresholds($name):
  [split("\n") | to_entries[] | {line: (.key + 1), text: (.value | sub("#.*"; "") | gsub("^\\s+|\\s+$"; ""))} | select(.text != "")
    | .line as $at
    | (.text | [splits("\\s+")]) as $f
    | ([$f[2, 3] | try tonumber catch null]) as [$pass, $excellent]
    | if ($f | length) != 4 or $pass == null or $excellent == null or $excellent < $pass or $pass <= 0
      then error("\($name):\($at): a line is TASK BASELINE PASS EXCELLENT, and 0 < PASS <= EXCELLENT")
      else {key: "\($f[0]) \($f[1])", value: {pass: $pass, excellent: $excellent}} end]
  | from_entries;

# {"2": ["first hint", …]} from a page's <details><summary>Task 2, hint 1 of 3</summary> … </details>.
def hints:
  reduce match("<summary>\\s*Task ([0-9]+|further), hint [0-9]+ of [0-9]+\\s*</summary>([\\s\\S]*?)</details>"; "g") as $m ({};
    ($m.captures[0].string | if . == "further" then "0" else . end) as $task
    | .[$task] += [$m.captures[1].string | gsub("^\\s+|\\s+$"; "")]);

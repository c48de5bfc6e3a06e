# lesson.jq: reads the three texts that describe a lesson's grading: the check page, the thresholds, and the
# hints of the lesson's page. No other program parses a check page: `grader/check --plan LESSON` prints the
# result.

# [{number, task, points, sentence, verbs}] from a check page; verbs: the words of each command of the test
# before its texts.
def tests:
  def words: sub(" *['\"].*"; "") | [splits(" +")] | map(select(. != ""));
  reduce split("\n")[] as $line ({tags: {}, list: [], inside: false};
    if $line | test("^# bats test_tags=") then
      .tags = ([$line | match("(task|points):([0-9]+)"; "g").captures
        | {key: .[0].string, value: (.[1].string | tonumber)}] | from_entries)
    elif $line | test("^@test ") then
      ($line | capture("^@test +[\"'](?<sentence>.*)[\"'] *\\{(?<body>.*)$")) as $test
      | ($test.body | sub("; *\\} *$"; "")) as $body
      | .list += [{number: (.list | length + 1), task: .tags.task, points: .tags.points,
                   sentence: $test.sentence, verbs: [$body | words | select(. != [])]}]
      | .tags = {} | .inside = ($body == "")
    elif .inside and $line == "}" then .inside = false
    elif .inside and ($line | test("^  [a-z]")) then .list[-1].verbs += [$line | ltrimstr("  ") | words]
    else . end)
  | .list;

# [{task, text}] for the text of each counter in a check page; task is null in a helper above the first test.
# {…} in the text shows a value.
def counter_texts:
  ("counter \\S+ (?:\\\\\n\\s*)?"
  + "(?:'[^']*'|\"[^\"]*\")\\s*(?:\\\\\n)?\\s*\"(?<text>(?:[^\"\\\\]|\\\\[\\s\\S])*)\"") as $counter
  | reduce match("test_tags=task:(?<task>[0-9]+)|" + $counter; "g") as $m (
      {task: null, list: []};
      ($m.captures | map({key: .name, value: .string}) | from_entries) as $found
      | if $found.task then .task = ($found.task | tonumber)
        else .list += [{task, text: ($found.text | gsub("\\\\\n"; ""))}] end)
  | .list;

# {"TASK BASELINE": {pass, excellent}} from a thresholds file; an unreadable line is an error.
def thresholds($name):
  [split("\n") | to_entries[]
    | {line: (.key + 1), text: (.value | sub("#.*"; "") | gsub("^\\s+|\\s+$"; ""))} | select(.text != "")
    | .line as $at
    | (.text | [splits("\\s+")]) as $f
    | ([$f[2, 3] | try tonumber catch null]) as [$pass, $excellent]
    | if ($f | length) != 4 or $pass == null or $excellent == null or $excellent < $pass or $pass <= 0
      then error("\($name):\($at): a line is TASK BASELINE PASS EXCELLENT, and 0 < PASS <= EXCELLENT")
      else {key: "\($f[0]) \($f[1])", value: {pass: $pass, excellent: $excellent}} end]
  | from_entries;

# {"2": ["first hint", …]} from a page's <details><summary>Task 2, hint 1 of 3</summary> … </details>.
def hints:
  "<summary>\\s*Task ([0-9]+|further), hint [0-9]+ of [0-9]+\\s*</summary>([\\s\\S]*?)</details>" as $hint
  | reduce match($hint; "g") as $m ({};
    ($m.captures[0].string | if . == "further" then "0" else . end) as $task
    | .[$task] += [$m.captures[1].string | gsub("^\\s+|\\s+$"; "")]);

# The plan of a lesson: {tests, counter_texts, thresholds, hints, tasks}. $name is the name of the thresholds
# file, for errors.
def plan($page; $thresholds; $name; $readme):
  {tests: ($page | tests), counter_texts: ($page | counter_texts),
   thresholds: ($thresholds | thresholds($name)), hints: ($readme | hints)}
  | .tasks = ([.tests[].task] | unique | map(if . == 0 then "further" else tostring end))
  | if all(.tests[]; .task != null and .points != null and .sentence != null) and (.tests | length) > 0
       and ([.tests[].sentence] | length == (unique | length)) then .
    else error("each test needs test_tags=task:N,points:M above it and a sentence of its own") end;

# Keeps only the checks of one task ("": all). If there is no such task, jq ends with status 4 and lists the
# tasks.
def of_task($task):
  if $task == "" then . else
    .tasks as $tasks
    | .tests |= map(select(.task == ($task | tonumber? // -1)))
    | if .tests == [] then $tasks | sort_by(. == "further") | join(", ") | halt_error(4) else . end
  end;

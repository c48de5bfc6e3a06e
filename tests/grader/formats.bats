#!/usr/bin/env bats
# grader/report: the contents of each format, made from gradings of a small class.
# tests/grader/formats/make-class has written tests/grader/formats/class.

bats_require_minimum_version 1.5.0

setup() {
  load grader_helper
  CLASS=$ROOT/tests/grader/formats/class RIGHT=$CLASS/grades/ann/grade.json \
    WRONG=$CLASS/grades/cy/grade.json BROKEN=$CLASS/grades/dora/grade.json
  EVIL=$(echo "$CLASS"/grades/_cmd*/grade.json)
  OUT=$BATS_TEST_TMPDIR/out
  cd "$BATS_TEST_TMPDIR"
}

report_of() { timeout -k 2 60 "$ROOT/grader/report" --format "$@"; }

# nasty FILE: prints a grade with text that could break a report in every field with a learner's text.
nasty() {
  jq '("a\u0000b\u001b[2J\u0007 ]]> </failure><script>alert(1)</script> \u0085 \uffff \u202e " +
      "&amp; \"quoted\" \u0027 # \\ =1+1") as $text
    | .message = $text | .checks[].message = $text + "\nsecond line" | .checks[].note = $text
    | .checks[].hint = $text | .tasks[].output = $text | .checks[].sentence |= . + " " + $text' "$1"
}

# nasty_class: makes the class with such grades and such a name.
nasty_class() {
  cp -r "$CLASS" evil
  local file
  for file in evil/grades/*/grade.json; do nasty "$CLASS/${file#evil/}" >"$file"; done
  jq '.submissions[0].name = "=HYPERLINK(\"x\") ]]> <script>\u001b"
    | .submissions[0].student.name = "\t@SUM(1)<img src=x>" | .submissions[].message = "-2+3\u0000 <b>"' \
    "$CLASS/class.json" >evil/class.json
}

# Prints CSV as JSON: a list of rows of fields.
csv_to_json() {
  awk 'function put() { printf "%s%s", n++ ? "," : "", "\"" f "\""; f = "" }
    { text = text (NR > 1 ? "\n" : "") $0 }
    END { printf "[["; for (i = 1; i <= length(text); i++) { c = substr(text, i, 1)
        if (c == "\"") { if (q && substr(text, i + 1, 1) == "\"") { f = f "\\\""; i++ } else q = !q }
        else if (c == "," && !q) put()
        else if (c == "\n" && !q) { put(); printf "],["; n = 0 }
        else f = f (c == "\n" ? "\\n" : c == "\\" ? "\\\\" : c == "\t" ? "\\t" : c) }
      put(); print "]]" }' "$1"
}

# ---- One grade ----

@test "Gradescope: results.json follows its specification and counts the decided checks" {
  for grade in "$RIGHT" "$WRONG" "$BROKEN" "$EVIL"; do
    report_of gradescope "$grade" >"$OUT"
    holds "$OUT" '(keys - ["execution_time", "leaderboard", "output", "output_format", "score",
      "stdout_visibility", "tests", "visibility"]) == []' \
      '(.score | type) == "number" and .visibility == "visible" and .stdout_visibility == "hidden"
      and (.output | length) > 10' \
      'all(.tests[]; keys == ["max_score", "name", "name_format", "number", "output", "output_format",
      "score", "status", "tags", "visibility"])' \
      'all(.tests[]; (.status | IN("passed", "failed")) and .max_score > 0 and .score <= .max_score
      and (.number | type) == "string" and (.tags | type) == "array")' \
      'all(.tests[]; (.status == "passed") == (.score == .max_score))' \
      'all(.leaderboard[]; keys == ["name", "order", "value"] and .order == "desc"
      and (.value | type) == "number")' \
      '([.leaderboard[].name] | unique | length) == (.leaderboard | length)'
    jq -e --slurpfile g "$grade" '$g[0] as $g | .score == $g.points and ([.tests[].score] | add) == $g.points
      and ([.tests[].max_score] | add) == $g.measured_points' "$OUT"
  done
  report_of gradescope "$RIGHT" >"$OUT"
  holds "$OUT" 'any(.leaderboard[]; .name == "matmul × loops in the order i, j, p" and .value > 0)'
}

@test "Autolab: the last line is the autoresult with a number for each task" {
  for grade in "$RIGHT" "$WRONG" "$BROKEN"; do
    report_of autolab "$grade" >"$OUT"
    tail -n 1 "$OUT" >last
    holds last 'keys == ["scoreboard", "scores"]' \
      '.scores | keys == ["further", "task 1", "task 2", "task 3", "task 4"] and all(.[]; type == "number")'
    jq -e --slurpfile g "$grade" '([.scores[]] | add) == $g[0].points and .scoreboard == [$g[0].points]' last
    grep -q 'of 25 points' "$OUT"
  done
}

@test "Classroom 50: classroom50/result/v1, with learner and assignment from the runner's environment" {
  CLASSROOM=c1 ASSIGNMENT=loops SUBMISSION_TAG=submit/1 COMMIT_URL=https://x/commit \
    RELEASE_URL=https://x/release report_of classroom50 "$WRONG" >"$OUT"
  holds "$OUT" '.schema == "classroom50/result/v1" and .classroom == "c1" and .assignment == "loops"
    and .submission == "submit/1" and .release == "https://x/release"' \
    '.review == "https://x/commit" and .commit == "https://x/commit"' \
    '.datetime | test("^20[0-9-]+T[0-9:]+Z$")' \
    'all(.score, ."max-score"; type == "number" and . == floor)' \
    '([.tests[].score] | add) == .score and ([.tests[]."max-score"] | add) == ."max-score"' \
    'all(.tests[]; (."test-name" | length) > 0 and (.passed | type) == "boolean"
    and .score == (if .passed then ."max-score" else 0 end))'
  report_of classroom50 "$RIGHT" >"$OUT"
  holds "$OUT" 'all(.classroom, .assignment, .submission, .commit, .release, .review; type == "string"
    and length > 0)'
}

@test "TAP: one line per check, in order; undecided checks are skipped, an ungraded file bails out" {
  report_of tap "$WRONG" >"$OUT"
  [ "$(head -n 1 "$OUT")" = 1..18 ]
  [ "$(grep -cE '^(not )?ok [0-9]+ ' "$OUT")" = 18 ]
  [ "$(grep -oE '^(not )?ok [0-9]+' "$OUT" | grep -oE '[0-9]+' | paste -sd ' ')" = "$(seq -s ' ' 18)" ]
  [ "$(grep -c '^not ok' "$OUT")" = "$(jq '[.checks[] | select(.state == "fail")] | length' "$WRONG")" ]
  [ "$(grep -c ' # skip ' "$OUT")" = "$(jq '[.checks[] | select(.state | IN("not_measured", "inconclusive"))]
    | length' "$WRONG")" ]
  run ! grep -vE '^(1\.\.|(not )?ok |# )' "$OUT"
  report_of tap "$BROKEN" >"$OUT"
  [[ $(sed -n 2p "$OUT") == "Bail out! "*"does not compile"* ]]
  nasty "$WRONG" >evil.json
  report_of tap evil.json >"$OUT"
  [ "$(grep -cE '^(not )?ok [0-9]+ ' "$OUT")" = 18 ]
  run ! grep -vE '^(1\.\.|(not )?ok |# )' "$OUT"
}

@test "JUnit: valid for any output of a learner, and the numbers add up" {
  nasty_class
  local input
  for input in "$RIGHT" "$WRONG" "$BROKEN" "$EVIL" "$CLASS" evil evil/grades/ann/grade.json; do
    report_of junit "$input" >"$OUT"
    xmllint --noout --schema "$ROOT/tests/grader/formats/junit.xsd" "$OUT"
    [ "$(xmllint --xpath 'sum(//@tests)' "$OUT")" = "$(xmllint --xpath 'count(//testcase)' "$OUT")" ]
    [ "$(xmllint --xpath 'sum(//@failures)' "$OUT")" = "$(xmllint --xpath 'count(//failure)' "$OUT")" ]
    [ "$(xmllint --xpath 'sum(//@skipped)' "$OUT")" = "$(xmllint --xpath 'count(//skipped)' "$OUT")" ]
    [ "$(xmllint --xpath 'sum(//@errors)' "$OUT")" = "$(xmllint --xpath 'count(//error)' "$OUT")" ]
  done
  report_of junit evil | xmllint --xpath 'string(//system-out)' - | grep -qF ']]> </failure><script>'
  # invalid UTF-8 in the file itself
  sed "s/saxpy/s\xff\xfexpy/" "$WRONG" >bytes.json
  report_of junit bytes.json | xmllint --noout -
}

@test "the formats pretty and json are the output of grader/check" {
  report_of json "$WRONG" >"$OUT"
  diff "$OUT" <(jq . "$WRONG")
  report_of pretty "$WRONG" >"$OUT"
  grep -q '✗ sum_parallel is right at every size' "$OUT"
}

@test "grader/check --format accepts the same names and lists them" {
  run -2 check lesson02 --format xml
  shows 'there is no format "xml": pretty, json, tap, junit, gradescope, autolab or classroom50.'
  mkdir broken
  echo 'int x' >broken/loops.c
  run -1 --separate-stderr timeout 60 "$ROOT/grader/check" lesson01 --submission broken --format gradescope
  jq -e '.score == 0 and (.tests | length) == 18 and (.output | test("does not compile"))
    and (.execution_time | type) == "number"' <<<"$output"
}

@test "an ungraded file is an error in formats that have errors, and never 0 points in the others" {
  jq '.state = "not_run" | .verdict = "none" | .message = "the GPU is gone\nthe second line"' \
    "$RIGHT" >gone.json
  for format in gradescope autolab classroom50; do
    run -3 --separate-stderr report_of $format gone.json
    [ -z "$output" ]
    [[ $stderr == *"gone.json could not be graded: the GPU is gone"* ]]
  done
  report_of junit gone.json >"$OUT"
  [ "$(xmllint --xpath 'count(//error)' "$OUT")" = 1 ]
  report_of tap gone.json | grep -q '^Bail out! the GPU is gone'
  # rejected by the inspection, which is a verdict
  jq '.state = "refused" | .message = "it defines main"' "$BROKEN" >refused.json
  report_of gradescope refused.json >"$OUT"
  holds "$OUT" '.score == 0 and (.tests | length) == 18 and .output == "it defines main"'
  report_of junit refused.json >"$OUT"
  [ "$(xmllint --xpath 'count(//failure)' "$OUT")" = 1 ]
}

# ---- A class ----

@test "CSV: one line per submission, the same columns in each, formulas made harmless" {
  report_of csv "$CLASS" >"$OUT"
  csv_to_json "$OUT" >table
  jq -e --slurpfile c "$CLASS/class.json" '. as $t | length == ($c[0].submissions | length) + 1
    and all(.[]; length == ($t[0] | length))
    and ([.[1:][] | .[0]] == [$c[0].submissions[].key])
      and ([.[1:][] | .[12] | tonumber] == [$c[0].submissions[].points])' table
  jq -e '[.[][] | select(test("^[=+@-]"))] == [] and any(.[][]; . == "\u0027=cmd|\u0027 calc\u0027!A0")' table
  nasty_class
  for format in csv moodle; do
    report_of $format evil >"$OUT"
    csv_to_json "$OUT" >table
    jq -e '. as $t | all(.[]; length == ($t[0] | length))
      and ([.[][] | select(test("^\\s*[=+@-]"))] == [])' table
    [ -z "$(tr -d '\11\12\40-\377' <"$OUT")" ]
  done
}

@test "Moodle: e-mail address, ID number, grade and feedback of the submissions that count" {
  report_of moodle "$CLASS" >"$OUT"
  csv_to_json "$OUT" >table
  holds table '.[0] == ["Email address", "ID number", "lesson01 loops", "lesson01 loops feedback"]' \
    'length == 7' \
    '[.[] | select(.[0] == "ann@example.org")][0] |
      .[1] == "1001" and .[2] == "25" and (.[3] | test("^[0-9]+ of [0-9]+ points"))' \
    '[.[] | select(.[1] == "1006")][0] | .[2] == "" and .[3] == "Nothing was handed in."' \
    '[.[] | select(.[1] == "1005")][0] | .[2] == "0" and (.[3] | test("^It does not compile"))' \
    'all(.[][]; test("[<>]") | not)'
  # what could not be measured is not lost: a full grade is the maximum of the column, also where none is
  # scaled
  run -0 --separate-stderr report_of moodle "$CLASS"
  [[ $stderr == *"only 19 of 25 points could be measured"*"19 points are written as 25"* ]]
  run -0 --separate-stderr report_of moodle --scale none "$CLASS"
  [[ $stderr == *"set the maximum of the column to 19, or a full grade shows as 76 %"* ]]
  csv_to_json <(printf '%s\n' "$output") >table
  holds table '[.[] | select(.[0] == "ann@example.org")][0][2] == "19"'
  run -2 report_of csv --scale none "$CLASS"
  # paths of the machine that graded, and whether the starter was changed
  cp -r "$CLASS" paths
  local message="/tmp/wb.X1/a-b/loops.c:1:1: error: see https://a.org/b/c"
  jq --arg message "$message" '(.submissions[] | select(.key == "dora")).message = $message
    | (.submissions[] | select(.key == "ann")).untouched = true' "$CLASS/class.json" >paths/class.json
  report_of moodle paths >"$OUT"
  grep -q 'compile\.$' "$OUT" && grep -q '^loops.c:1:1: error: see https://a.org/b/c' "$OUT"
  run ! grep '/tmp' "$OUT"
  grep -q '19 of 19 points (6 of 25 were not measured). The file is the starter, unchanged.' "$OUT"
  jq '.submissions[].student = {id: null, name: null, email: null, section: null}' \
    "$CLASS/class.json" >unnamed.json
  mkdir late && cp -r "$CLASS/grades" late/
  jq '(.submissions[] | select(.student.id == "1001")) |= (.late = true
    | .submitted = "2026-11-21T09:00:00Z")' "$CLASS/class.json" >late/class.json
  run -0 report_of moodle late
  shows "Handed in late: 2026-11-21T09:00:00Z."
  mkdir none && cp -r "$CLASS/grades" none/ && mv unnamed.json none/class.json
  run -3 report_of moodle none
  shows "no learner's e-mail address or ID number is known" "--roster"
}

@test "Moodle: names up to five learners who are left out, and the number of the others" {
  cp -r "$CLASS" few
  left_out() { # of the twelve, how many have neither number nor address
    jq --argjson n "$1" '.submissions += .submissions
      | .submissions[:$n][].student = {id: null, name: null, email: null, section: null}' \
      "$CLASS/class.json" >few/class.json
    report_of moodle --output grades.csv few
  }
  jq -e '[.submissions[:5][].name] ==
    ["=cmd|'"' calc'"'!A0", "Late Lee", "O'"'"'Neil, <b>Bo & co", "ann", "cy"]' "$CLASS/class.json"
  local why="grader/report: left out, since neither e-mail address nor ID number is known"
  run -0 left_out 1
  [ "${lines[0]}" = "$why: =cmd|' calc'!A0" ]
  run -0 left_out 5
  [ "${lines[0]}" = "$why: =cmd|' calc'!A0, Late Lee, O'Neil, <b>Bo & co, ann, cy" ]
  run -0 left_out 7
  [ "${lines[0]}" = "$why: =cmd|' calc'!A0, Late Lee, O'Neil, <b>Bo & co, ann, cy and 2 more" ]
}

@test "Canvas: fills in this lesson's column and changes no other byte of the export" {
  local columns='Student,ID,SIS User ID,SIS Login ID,Section,Lesson 01: loops (4711)'
  printf '\xef\xbb\xbf%s\r\n' "$columns,\"Lesson 11, more (4712)\",Final Score" \
    ',,,,,Manual Posting,,(read only)' '    Points Possible,,,,,25,10,(read only)' \
    '"Doe, Ann",1,1001,ann@example.org,A,,7,=1+1' \
    '"O'"'"'Neil, <b>Bo & co",2,,bo,"A, ""B""",3,,' 'cy,3,1003,cy,B,"12.5",,"new' \
    '"Lee, Late",4,1006,,A,5,,' 'stranger,5,9999,s,A,9,,' | sed '7s/\r$/\r\nline"\r/;' >export.csv
  sed -i 's/"new\r$/"new/' export.csv
  cp export.csv before.csv
  run -0 --separate-stderr report_of canvas --into export.csv --output new.csv "$CLASS"
  cmp export.csv before.csv
  [[ $stderr == *'3 grades in the column "Lesson 01: loops (4711)"'* &&
    $stderr == *"not found in the export: "* ]]
  # 19 of 25 points could be measured
  points() {
    jq -r --arg n "$1" '.submissions[] | select(.name == $n) | .points * 25 / 19 * 100 | round / 100' \
      "$CLASS/class.json"
  }
  sed -e "s/,A,,7,/,A,$(points ann),7,/" -e "s/\"A, \"\"B\"\"\",3/\"A, \"\"B\"\"\",$(points \
    "O'Neil, <b>Bo & co")/" -e "s/cy,B,\"12.5\"/cy,B,$(points cy)/" before.csv >expected.csv
  cmp expected.csv new.csv
  # a column of 19 points takes the points as they are
  sed -i 's/,,25,10,/,,19,10,/' export.csv
  run -0 --separate-stderr report_of canvas --into export.csv "$CLASS"
  [[ $output == *"1001,ann@example.org,A,19,7,"* && $stderr != *scaled* ]]
}

@test "Canvas: never overwrites the export; rejects other files and a missing or ambiguous column" {
  printf '%s\n' 'Student,ID,SIS User ID,SIS Login ID,Section,Lesson 1 (1),lesson-01 again (2)' \
    'ann,1,1001,ann,A,,' >export.csv
  cp export.csv before.csv
  run -2 report_of canvas --into export.csv --output ./export.csv "$CLASS"
  shows "is the exported file itself"
  run -2 report_of canvas --into export.csv "$CLASS"
  shows "2 columns fit lesson01; choose one with --column TITLE: Lesson 1 (1); lesson-01 again (2)"
  run -0 --separate-stderr report_of canvas --into export.csv --column again "$CLASS"
  [ "${lines[1]}" = "ann,1,1001,ann,A,,25" ]
  run -2 report_of canvas --into export.csv --column nothing "$CLASS"
  shows 'no column fits "nothing"'
  echo 'a,b' >other.csv
  run -2 report_of canvas --into other.csv "$CLASS"
  shows "it is not an export of a Canvas gradebook"
  printf 'Student,ID\n"open' >open.csv
  run -2 report_of canvas --into open.csv "$CLASS"
  shows "never closed"
  run -2 report_of canvas "$CLASS"
  shows "--into EXPORT.csv"
  cmp export.csv before.csv
}

@test "HTML: one complete well-formed page without scripts or external parts; learners' text is escaped" {
  nasty_class
  local input
  for input in "$CLASS" evil; do
    report_of html "$input" >"$OUT"
    xmllint --noout "$OUT"
    [ "$(xmllint --xpath 'count(//script | //img | //link | //iframe | //b[contains(., "Bo")] |
      //@src | //@href[not(starts-with(., "#"))] | //@onload)' "$OUT")" = 0 ]
    [ "$(xmllint --xpath 'count(//h2)' "$OUT")" = 6 ]
    [ "$(xmllint --xpath 'count(//*[local-name()="svg" and @class="chart"])' "$OUT")" -ge 3 ]
    [ "$(xmllint --xpath 'count(//table[@class="matrix"]/tbody/tr)' "$OUT")" = 6 ]
    run ! grep -q 'url(\|@import\|http' "$OUT"
  done
  report_of html "$CLASS" >"$OUT"
  grep -q 'prefers-color-scheme: dark' "$OUT" && grep -q '@media print' "$OUT"
  # the share of those who passed a check
  row=$(xmllint --xpath '//tr[td[1]="saxpy stays inside its arrays"]' "$OUT" | sed 's/<[^>]*>/ /g')
  jq -rs '[.[].checks[1].state | select(. == "pass")] | length' "$CLASS"/grades/*/grade.json >passed
  [[ $row == *" 1  $(<passed)  5 "* ]]
  # this check was not measured for those with a correct sum_parallel; the others must not make it "0 of 3"
  [[ $(xmllint --xpath '//tr[td[1]="sum_parallel makes use of all cores"]
    /td[position() > 3 and position() < 7]/text()' "$OUT" | tr '\n' ' ') == '0 0 – ' ]]
  grep -q 'hint 1 of 3: What does <code>y\[i\]</code> hold' "$OUT"
  xmllint --xpath '//p[@class="who"]/text()' "$OUT" | grep -q "=cmd|' calc'!A0" # by name, not by key
  grep -q 'class="end"[^>]*>25<.*points of 25' "$OUT" # the axis ends with what can be had
}

@test "HTML: by surname, with the workshop's name; untouched starters are no mistakes; no paths" {
  cp -r "$CLASS" named
  jq '.workshop = "A day <of> CUDA"
    | (.submissions[] | select(.key == "ann")).student.name = "Ann Öberg"
    | (.submissions[] | select(.key == "cy")).student.name = "Zoë Adams"
    | (.submissions[] | select(.key == "dora")).student.name = "Miller, Dora"
    ' "$CLASS/class.json" >named/class.json
  jq '.checks |= map(
    if .state == "fail" then .message = "at /home/teacher/w/loops.c:7 " + .message else . end)' \
    "$WRONG" >named/grades/cy/grade.json
  report_of html named >"$OUT"
  xmllint --noout "$OUT"
  [ "$(xmllint --xpath '//h1/text()' "$OUT")" = "lesson01 loops · A day &lt;of&gt; CUDA" ]
  xmllint --xpath '//table[@class="matrix"]/tbody/tr/td[1]/text()' "$OUT" | grep -n '' >order
  [[ $(<order) == *1:Zoë*Dora*Öberg* ]] # Adams, Miller, Oberg
  [ "$(xmllint --xpath 'count(//tr[td="does not compile"]/td[@class="fail"])' "$OUT")" = 0 ]
  [ "$(xmllint --xpath 'count(//table[@class="matrix"]//th/a)' "$OUT")" -gt 5 ]
  [ "$(xmllint --xpath 'count(//table[@class="matrix"]//tr[td="untouched starter"])' "$OUT")" = 1 ]
  run ! grep -q 'home/teacher' "$OUT"
  grep -q 'at loops.c:7 ' "$OUT"
  run ! xmllint --xpath '//p[@class="who"][contains(., "Neil")]' "$OUT"
}

@test "rejects a class format for one grade, and files that are no grade" {
  run -2 report_of html "$RIGHT"
  shows 'there is no format "html" of one grade'
  run -2 report_of gradescope "$CLASS"
  shows 'there is no format "gradescope" of a class'
  echo '{"schema": "wb-run/2"}' >other.json
  for input in other.json . nothing.json; do run -2 report_of csv "$input"; done
  shows "cannot read nothing.json"
  run -2 report_of csv other.json
  shows "neither a grade.json"
  cp -r "$CLASS" half && rm -r half/grades/ann
  run -3 report_of csv half
  shows "half/grades/ann/grade.json does not exist"
  # a path out of the folder is not followed
  mkdir -p odd/grades && jq '.submissions |= map(.grade = "../../etc/passwd")' \
    "$CLASS/class.json" >odd/class.json
  run -0 --separate-stderr report_of csv odd
  run -3 report_of csv --output /proc/none "$CLASS"
  shows "cannot write /proc/none"
}

# ---- With real gradings ----

# unpack_zip DIR: unpacks lesson02's autograder for Gradescope, as in Gradescope's image.
unpack_zip() {
  run -0 "$ROOT/grader/formats/gradescope/make-zip" lesson02 a.zip
  unzip -Z1 a.zip | grep -qx setup.sh
  unzip -Z1 a.zip | grep -qx run_autograder
  run ! grep -q solutions/ <(unzip -Z1 a.zip)
  mkdir -p "$1/source"
  unzip -q a.zip -d "$1/source"
  [ -x "$1/source/run_autograder" ]
}

@test "Gradescope: a folder name with a newline leads to no other folder" {
  export WORK=$BATS_TEST_TMPDIR/work AUTOGRADER=$BATS_TEST_TMPDIR/a
  local odd=$AUTOGRADER/submission/x$'\n'"0 $BATS_TEST_TMPDIR/elsewhere"
  mkdir -p "$AUTOGRADER/source" "$odd" elsewhere
  new_work "$WORK"
  ln -s "$ROOT" "$AUTOGRADER/source/workbook"
  echo lesson02 >"$AUTOGRADER/source/lesson"
  cp "$ROOT/solutions/lesson02/kernels.cu" elsewhere
  echo 'this is no C' >"$odd/kernels.cu"
  run -0 timeout 300 "$ROOT/grader/formats/gradescope/run_autograder"
  holds "$AUTOGRADER/results/results.json" '.score == 0 and (.output | test("does not compile"))'
}

# In the image in which COMMAND... runs, the autograder in DIR is set up and grades a right, a wrong, a
# missing and a hostile submission.
grades_in() { # dir, command...
  local dir=$1 image=("${@:2}")
  grade() {
    rm -rf "$dir/submission" && mkdir -p "$dir/submission/${2:-.}" && cat >"$dir/submission/${2:-.}/$1" &&
      "${image[@]}" source/run_autograder
  }
  "${image[@]}" source/setup.sh
  grade kernels.cu deep/er <"$ROOT/solutions/lesson02/kernels.cu"
  holds "$dir/results/results.json" '.score == 18 and ([.tests[].max_score] | add) == 18
    and (.execution_time | type) == "number"'
  patch -s -o - "$ROOT/solutions/lesson02/kernels.cu" \
    "$ROOT/tests/lessons/bugs/lesson02/missing-guard.patch" | grade kernels.cu
  holds "$dir/results/results.json" '.score < 18 and any(.tests[]; .status == "failed" and .output != "")'
  grade other.txt <<<"nothing"
  holds "$dir/results/results.json" '.score == 0 and .output == "The submission has no kernels.cu."'
  { cat "$ROOT/lessons/lesson02/.starter/kernels.cu" && echo 'this is no C'; } | grade kernels.cu
  holds "$dir/results/results.json" '.score == 0 and (.output | test("does not compile"))'
}

# bats test_tags=slow
@test "Gradescope's zip grades in a bare folder" {
  unpack_zip autograder
  here() {
    (cd / && env -i PATH="$PATH" HOME="$BATS_TEST_TMPDIR" AUTOGRADER="$BATS_TEST_TMPDIR/autograder" timeout \
      500 "$BATS_TEST_TMPDIR/autograder/$1")
  }
  grades_in autograder here
}

# bats test_tags=slow
@test "Gradescope's zip grades in a bare Debian after its setup.sh has installed what it needs" {
  ((EUID == 0)) || skip "needs root, to install packages there"
  command -v debootstrap || skip "needs debootstrap"
  local debian=$BATS_TEST_TMPDIR/debian
  "$ROOT/tests/grader/formats/bare-debian" make "$debian" >log 2>&1 || { tail log && return 1; }
  run ! "$ROOT/tests/grader/formats/bare-debian" run "$debian" \
    sh -c 'command -v gcc || command -v make || command -v jq || command -v git'
  unpack_zip "$debian/autograder"
  there() { timeout 900 "$ROOT/tests/grader/formats/bare-debian" run "$debian" "/autograder/$1"; }
  grades_in "$debian/autograder" there
}

# bats test_tags=slow
@test "tests/grader/formats/class has the fields and verdicts that grader/class writes today" {
  run -0 timeout 800 "$ROOT/tests/grader/formats/make-class" again
  fields() {
    jq -S '[paths | map(if type == "number" then 0 else . end)] | unique
      | map(select(.[0] != "missing" and .[0] != "device"))' "$1"
  }
  diff <(fields again/class.json) <(fields "$CLASS/class.json")
  diff <(fields again/grades/cy/grade.json) <(fields "$WRONG")
  diff <(jq '[.submissions[] | {name, state, verdict}]' again/class.json) <(jq \
    '[.submissions[] | {name, state, verdict}]' "$CLASS/class.json")
}

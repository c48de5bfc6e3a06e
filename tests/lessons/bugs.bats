# tests/lessons/bugs/README.md lists each mistake with the check that reports it. The files
# tests/lessons/lessonNN.bats grade the mistakes; this file compares the table with the patches and tests the
# program that writes it on a small lesson.

bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_DIRNAME/../.." || exit; }

@test "the table has one row per mistake and one mistake per row (otherwise run make bugs-table)" {
  local file
  for file in tests/lessons/bugs/lesson*/*.patch; do
    file=${file#tests/lessons/bugs/}
    printf '| %s | [%s](%s) | %s\n' "${file%/*}" "$(basename "$file" .patch)" "$file" \
      "$(sed -n 's/^Mistake: //p' "tests/lessons/bugs/$file" | sed -E 's/[|*<]/\\&/g')"
  done >"$BATS_TEST_TMPDIR/patches"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/patches")" -gt 100 ]
  diff <(sort "$BATS_TEST_TMPDIR/patches") \
    <(awk -F ' [|] ' '/^\| lesson[0-9]/ { print $1 " | " $2 " | " $3 }' tests/lessons/bugs/README.md | sort)
}

@test "every mistake in the table is reported, except those that a busy machine cannot show" {
  run ! grep -F '**not reported**' tests/lessons/bugs/README.md
  [ "$(grep -c '| not reported while the machine was busy' tests/lessons/bugs/README.md)" -le 3 ]
}

@test "each check named in the table is a check of its lesson" {
  local lesson sentence unknown=''
  while IFS=$'\t' read -r lesson sentence; do
    grep -qF "@test \"$sentence\"" "grader/checks/$lesson.bats" || unknown+="$lesson: $sentence"$'\n'
  done < <(awk -F ' [|] ' '/^\| lesson[0-9]/ { sub(/^\| /, "", $1); n = split($4, s, "<br>");
    for (i = 1; i <= n; i++) print $1 "\t" s[i] }' tests/lessons/bugs/README.md | sort -u)
  [ -z "$unknown" ] || { echo "$unknown" && return 1; }
}

@test "the tables of known mistakes say what the patches say (otherwise run make fingerprints)" {
  local table lesson
  for table in grader/checks/lesson*.mistakes; do
    lesson=$(basename "$table" .mistakes)
    for patch in tests/lessons/bugs/"$lesson"/*.patch; do
      printf '%s\t%s\t%s\n' "$(basename "$patch" .patch)" "$(sed -n 's/^Mistake: //p' "$patch")" \
        "$(sed -n 's/^Hint: //p' "$patch")"
    done >"$BATS_TEST_TMPDIR/heads"
    # Each name has its patch; two that look alike are in one line.
    jq -r -n --rawfile heads "$BATS_TEST_TMPDIR/heads" --arg table "$table" '
      ($heads | split("\n") | map(split("\t") | select(length == 3)
        | {key: .[0], value: {sentence: .[1], hint: .[2]}}) | from_entries) as $said
      | [inputs] | . as $known
      | ($known[] | (.name | split(" or ")) as $names
        | select(.sentence != ([$names[] | $said[.].sentence] | join("; or: "))
            or .hint != ([$names[] | $said[.].hint | select(. != "")] | unique | join(" ")) or .hint == "")
        | "\($table): \(.name)"),
        (if length < 5 then "\($table): only \(length)" else empty end),
        ($known | map(.prints[]) | group_by(.)[] | select(length > 1) | "\($table): \(.[0]) twice")' "$table"
  done >"$BATS_TEST_TMPDIR/differences"
  [ ! -s "$BATS_TEST_TMPDIR/differences" ] || { cat "$BATS_TEST_TMPDIR/differences" && return 1; }
}

# A table can be stale where nothing in the sum has changed: the harness or the CPU backend has.
@test "each table of known mistakes is tried by a test of every run, which must recognise one of them" {
  local table lesson untried=''
  for table in grader/checks/lesson*.mistakes; do
    lesson=$(basename "$table" .mistakes)
    awk '/test_tags=.*slow/ { slow = 1 } /^@test / { here = !slow; slow = 0 } here
      /^gradings\(/, /^}/' tests/lessons/"$lesson"*.bats |
      grep -oE '(mistake|reported|one|two|three) [a-z0-9 -]+' | tr ' ' '\n' >"$BATS_TEST_TMPDIR/tried"
    jq -r '.name | split(" or ")[]' "$table" | grep -qxFf "$BATS_TEST_TMPDIR/tried" || untried+=" $lesson"
  done
  [ -z "$untried" ] || { echo "no test that is not slow tries a known mistake of$untried" && return 1; }
}

@test "no table of known mistakes is older than what it is made from (otherwise run make fingerprints)" {
  local table kept lesson stale=''
  for table in grader/checks/lesson*.mistakes; do
    lesson=$(basename "$table" .mistakes)
    kept=tests/lessons/bugs/$lesson/fingerprinted
    [ -e "$kept" ] && [ "$(tests/lessons/bugs/fingerprints --inputs "$lesson")" = "$(cat "$kept")" ] ||
      stale+=" $lesson"
  done
  [ -z "$stale" ] || { echo "run make fingerprints LESSON=... for$stale" && return 1; }
}

@test "make bugs-table LESSON=… ends well with rows of other lessons that a busy machine hid" {
  local bugs=$BATS_TEST_TMPDIR/tests/lessons/bugs
  mkdir -p "$bugs/lesson02" && cp tests/lessons/bugs/table "$bugs"
  echo 'Mistake: slow' >"$bugs/lesson02/slow.patch"
  echo '| lesson02 | [slow](lesson02/slow.patch) | slow | x | not reported while the machine was busy |' \
    >"$bugs/README.md"
  run -0 "$bugs/table" lesson03
  [[ $output == *"| not reported while the machine was busy |"* ]]
  sed -i 's/x | not .* |/**not reported** | |/' "$bugs/README.md"
  run -1 "$bugs/table" lesson03
}

@test "make bugs-table keeps a row for a mistake that could not be graded" {
  local bugs=$BATS_TEST_TMPDIR/tests/lessons/bugs
  mkdir -p "$bugs/lesson02" "$BATS_TEST_TMPDIR/solutions/lesson02" && cp tests/lessons/bugs/table "$bugs"
  printf '%s\n' 'Mistake: odd' 'Task: 1' 'Says: nothing' >"$bugs/lesson02/odd.patch"
  cp solutions/lesson02/*.cu "$BATS_TEST_TMPDIR/solutions/lesson02/" # and no grader that could grade it
  run -1 "$bugs/table" lesson02
  [[ $(tail -n 1 "$bugs/README.md") == *"[odd](lesson02/odd.patch) |"*"**not reported**"* ]]
}

# A tree with a made lesson, whose program reports the text of its file as the value of task t.
made_tree() { # tree
  mkdir -p "$1"/{grader/checks,solutions/lesson02,tests/lessons/bugs/lesson02}
  cp -r grader/lib "$1/grader/"
  cp tests/lessons/bugs/recognised "$1/tests/lessons/bugs/"
  echo right >"$1/solutions/lesson02/x.cu"
  # shellcheck disable=SC2016 # make's variables
  echo 'program: ; @cp made $(OUT)/$(LESSON)-cpu' >"$1/Makefile"
  cat >"$1/made" <<'SH'
#!/usr/bin/env bash
while [[ $1 != --output ]]; do shift; done
jq -n --arg value "$(cat "$(dirname "$0")/x.cu")" '{tasks: [{name: "t", prints: [{end: "not_run", written: 1,
  values: $value, wrong: (if $value == "right" then 0 else 1 end), findings: [], late: 0, device_error: 0,
  pending_error: 0, status: 0, must_fail: false}]}]}' >"$2"
SH
  chmod +x "$1/made"
  git -C "$1" init -q
  git -C "$1" -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m made
}

# A patch that makes x.cu say value, and where names are given a line of the table for what it does then.
made_mistake() { # tree name value [names]
  printf '%s\n' "Mistake: $2" 'Hint: look' 'Task: 1' 'Says: nothing' '--- a/x.cu' '+++ b/x.cu' '@@ -1 +1 @@' \
    -right "+$3" >"$1/tests/lessons/bugs/lesson02/$2.patch"
  [[ ${4-} ]] || return 0
  echo "$3" >"$1/x.cu"
  "$1/made" --output "$1/run.json"
  jq -c -L grader/lib --arg name "$4" 'include "mistakes"; {$name, prints: [.tasks[0] | fingerprint(true)]}' \
    "$1/run.json" >>"$1/grader/checks/lesson02.mistakes"
}

@test "recognised --tables looks up patches that are held out, with and without their names in the tables" {
  local tree=$BATS_TEST_TMPDIR/tree
  made_tree "$tree"
  made_mistake "$tree" epsilon 1 epsilon # held out, and known
  made_mistake "$tree" eta 2 'eta or two' # held out, and like one that is not
  made_mistake "$tree" lambda 3           # held out, and in no table
  made_mistake "$tree" one right          # held out, and right
  made_mistake "$tree" two 2
  run -0 --separate-stderr "$tree/tests/lessons/bugs/recognised" --tables lesson02
  [[ $output == *"4 of the patches, a third. 1 have no fingerprint"* ]]
  [[ $output == *"| in the whole table | 3 | 1 | 1 | 0 | 1 |"* ]]
  [[ $output == *"| in a table without them | 3 | 0 | 0 | 1 | 2 |"* ]]
  [[ $output == *"Not named in the whole table: lesson02/lambda."* ]]
  [[ $output == *"Named in a table without them: lesson02/eta as two."* ]]
}

# bats test_tags=slow
@test "make bugs-table grades new patches, drops rows without a patch, and lists unreported mistakes" {
  run -0 make -n --no-print-directory bugs-table
  [ "${output% }" = tests/lessons/bugs/table ]
  local tree=$BATS_TEST_TMPDIR/tree bugs=$BATS_TEST_TMPDIR/tree/tests/lessons/bugs
  mkdir "$tree"
  cp -r Makefile common grader lessons solutions "$tree/"
  mkdir -p "$bugs/lesson02"
  cp tests/lessons/bugs/table "$bugs/"
  cp tests/lessons/bugs/lesson02/{missing-guard,empty-grid}.patch "$bugs/lesson02/"
  {
    grep '^| lesson02 | \[empty-grid\]' tests/lessons/bugs/README.md | sed 's/ [^|]* |$/ kept |/'
    echo '| lesson02 | [gone](lesson02/gone.patch) | gone | gone | gone |'
  } >"$bugs/README.md"
  run -0 "$bugs/table"
  [ "$(grep -c '^| lesson[0-9]' "$bugs/README.md")" -eq 2 ]
  grep -q '^| lesson02 | \[empty-grid\].* | kept |$' "$bugs/README.md"
  diff <(grep '\[missing-guard\]' "$bugs/README.md") <(grep \
    '^| lesson02 | \[missing-guard\]' tests/lessons/bugs/README.md)

  printf '%s\n' 'Mistake: none' 'Task: 1' 'Says: nothing' >"$bugs/lesson02/none.patch"
  run -1 "$bugs/table"
  grep -q '^| lesson02 | \[none\](lesson02/none.patch) | none | \*\*not reported\*\* | |$' "$bugs/README.md"
}

# rules.bash: what holds for every lesson. tests/lessons/rules.bats applies the rules to all lessons, and
# common/tools/check-lesson (`make check-lesson`) to one; the sentence of each rule is its test's name in
# rules.bats.
#
# rule_NAME prints a line for each thing that is missing in LESSON, `FILE: what it lacks: what to do`, and
# nothing if the rule is met. A line that begins with `later: ` is about what needs a GPU or more examples: it
# is shown, and fails nothing. All run in the checkout. Sourced.
# shellcheck shell=bash

# lacks FILE WORDS...: a line of a rule.
lacks() { printf '%s: %s\n' "$1" "${*:2}"; }

LEAST_MISTAKES=12 LEAST_ANSWERS=5 LEAST_CHEATS=6

name_of_lesson() { lesson_facts name "$LESSON" 2>/dev/null || true; }
source_of_lesson() { (cd "solutions/$LESSON" && compgen -G '*.c*') 2>/dev/null || true; }
page_of_lesson() { printf 'lessons/%s/README.md\n' "$LESSON"; }
tasks_of_lesson() { # 1 2 ... further
  sed -n 's/^# bats test_tags=task:\([0-9]*\),.*/\1/p' "grader/checks/$LESSON.bats" | sort -u |
    sed 's/^0$/further/'
}
mistakes_of_lesson() { compgen -G "tests/lessons/bugs/$LESSON/*.patch" || true; }
answers_of_lesson() { compgen -G "tests/lessons/right/$LESSON/*" || true; }

# LESSON may be several, with blanks between them: one node reads all their pages.
rule_facts() {
  local one wrong there=()
  for one in $LESSON; do
    if wrong=$(lesson_facts name "$one" 2>&1 >/dev/null); then
      there+=("$one")
    else
      printf '%s\n' "$wrong"
    fi
  done
  # the page's head: what the site reads
  node --input-type=module -e "
    const { readLesson } = await import(process.cwd() + '/site/lib/lessons.js');
    for (const lesson of process.argv.slice(1))
      try { readLesson(process.cwd(), lesson); }
      catch (error) { console.log(error.message.replace(/\n */, ': ')); }" "${there[@]}"
}

rule_files() {
  local file source name
  source=$(source_of_lesson) name=$(name_of_lesson)
  [[ $name ]] || return 0 # rule_facts says why
  [[ $source == "$name".@(c|cu) ]] ||
    lacks "solutions/$LESSON" "it has ${source:-nothing}: write one file, $name.cu (or .c), as in lesson.yml"
  for file in "lessons/$LESSON/"{README.md,driver/main.c,"$name.h"} "solutions/$LESSON/$source" \
    "grader/checks/$LESSON".{bats,thresholds} "tests/lessons/$LESSON.bats"; do
    [[ -s $file ]] || lacks "$file" "missing: make new-lesson writes the first one"
  done
}

rule_titles() {
  local title
  title=$(lesson_facts title "$LESSON" 2>/dev/null) || return 0
  tr -s ' \n' ' ' <"lessons/$LESSON/driver/main.c" | grep -qF ".name = \"$LESSON\", .title = \"$title\"" ||
    lacks "lessons/$LESSON/driver/main.c" \
      "names another lesson: write .name = \"$LESSON\", .title = \"$title\""
}

rule_parts() {
  local page part task
  page=$(page_of_lesson)
  for part in Questions 'After this lesson you can'; do
    grep -qF "**$part**" "$page" || lacks "$page" "no part **$part**: write it, and two to five points below"
  done
  for part in 'The idea' 'Predict, then' 'Common mistakes' 'Key points' Quiz Sources; do
    grep -q "^## $part" "$page" || lacks "$page" "no section '## $part': add it"
  done
  for task in $(tasks_of_lesson); do
    case $task in
      further) part='## Go further' ;;
      *) part="## Task $task: " ;;
    esac
    grep -q "^$part" "$page" ||
      lacks "$page" "no section '$part' for task $task of grader/checks/$LESSON.bats: add it"
  done
}

rule_hints() {
  local page task step
  page=$(page_of_lesson)
  for task in $(tasks_of_lesson); do
    for step in 1 2 3; do
      grep -qF "<summary>Task $task, hint $step of 3</summary>" "$page" ||
        lacks "$page" "no hint $step of 3 for task $task: add" \
          "<details><summary>Task $task, hint $step of 3</summary>"
    done
  done
}

rule_words() {
  local words
  words=$(awk '
    /^```/ { code = !code; next }
    /^<!-- results: / || /<summary>(Task .*hint|Answer|.*line by line)/ { aside = 1 }
    !code && !aside && !/^(<!--|    )/ { gsub(/<[^>]*>|[-|]+( |$)/, ""); words += NF }
    /^<!-- end of results/ || /<\/details>/ { aside = 0 }
    END { print words + 0 }' "$(page_of_lesson)")
  ((words >= 800 && words <= 1800)) ||
    lacks "$(page_of_lesson)" "$words words: write 800 to 1800, not counting code, hints, answers, results" \
      "and scripts line by line"
}

rule_quiz() {
  awk -v page="$(page_of_lesson)" '
    /^## / { quiz = /^## Quiz/ }
    quiz && /^\*\*[0-9]+\.\*\*/ { questions++ }
    quiz && /<summary>Answer/ { answers++ }
    END {
      if (questions < 3) print page ": " questions + 0 " questions in the quiz: write three, **1.** and so on"
      if (answers != questions) print page ": " answers + 0 " answers to " questions + 0 \
        " questions: below each, <details><summary>Answer</summary>"
    }' "$(page_of_lesson)"
}

rule_template() {
  grep -rnE 'TEMPLATE|lesson_name|lessonNN|Lesson NN' "lessons/$LESSON" "solutions/$LESSON" \
    "grader/checks/$LESSON".* "tests/lessons/$LESSON.bats" | cut -c 1-90 |
    sed 's/$/ …: text of the template: replace it/' || true
}

rule_layout() {
  local format file wide
  for file in "lessons/$LESSON/figures"/draw* "grader/checks/$LESSON.bats" "tests/lessons/$LESSON"*.bats; do
    while IFS= read -r wide; do
      lacks "$file:${wide%%:*}" "longer than 110 columns: break the line"
    done < <(LC_ALL=C.UTF-8 grep -snE '^.{111,}' "$file")
  done
  format=$(command -v clang-format-14 || command -v clang-format || true)
  if [[ ! $format ]] || ! "$format" --version | grep 'version 14\.' >/dev/null; then
    echo "later: clang-format 14 is missing, which says whether make format would change a file"
    return
  fi
  while IFS= read -r file; do
    "$format" --dry-run -Werror "$file" 2>/dev/null ||
      lacks "$file" "not as clang-format writes it: make format"
  done < <(find "lessons/$LESSON" "solutions/$LESSON" "tests/lessons/right/$LESSON" \
    -name '*.c' -o -name '*.h' -o -name '*.cu')
}

rule_regions() {
  local source task starter
  source=$(source_of_lesson) starter=lessons/$LESSON/.starter/$(source_of_lesson)
  [[ -f solutions/$LESSON/$source ]] || return 0
  for task in $(tasks_of_lesson); do
    grep -q "// #region task-$task" "solutions/$LESSON/$source" ||
      lacks "solutions/$LESSON/$source" \
        "no // #region task-$task ... // #endregion task-$task: put the answer between them"
  done
  awk -f common/make/starter.awk "solutions/$LESSON/$source" | cmp -s - "$starter" ||
    lacks "$starter" "does not follow from the solution: make starters"
  grep -qs TODO "$starter" || lacks "$starter" "no TODO: in a region, write lines //: /* TODO task 1: ... */"
}

# A number of a message, and its format in a source, become N. A string may go over several lines.
plain_messages() {
  sed -zE 's/"[[:space:]]*\n[[:space:]]*"//g; s/\\\n//g; s/\n[[:space:]]*/ /g' |
    sed -E 's/([a-z])%s/\1s/g; s/%[0-9.*]*(zu|l?l?[a-zA-Z])|\\\([^()]*\)|\{[^{};"]{1,80}\}|-?[0-9]+/N/g
      s/\\"/"/g; s/ +/ /g'
}

# What the page's common mistakes quote in their first column: each piece of words, between "…", is in the
# table of mistakes, in what a patch must be answered with, or in a source of messages. LESSON may be several.
rule_quotes() {
  local one piece texts all
  all=$({
    cat grader/lib/*.jq
    find common/harness common/cpu/runtime common/cpu/libraries -name '*.c' -exec cat {} +
  } | plain_messages)
  for one in $LESSON; do
    texts=$({
      grep -F "| $one |" tests/lessons/bugs/README.md
      sed -n 's/^Says: //p' "tests/lessons/bugs/$one"/*.patch
      cat "lessons/$one/driver"/*.[ch] "grader/checks/$one.bats"
    } | plain_messages)
    while IFS= read -r piece; do
      piece=$(plain_messages <<<"$piece")
      [[ $texts == *"${piece% }"* || $all == *"${piece% }"* ]] ||
        lacks "lessons/$one/README.md" "no message has '${piece% }' (N: a number): quote the grader's words"
    done < <(awk '/^## / { here = /Common mistakes/ }
      here && /^\| `/ { split($0, code, "`"); n = split(code[2], piece, / *… */)
        for (i = 1; i <= n; i++) if (piece[i] ~ / /) print piece[i] }' "lessons/$one/README.md")
  done
}

rule_readme() { common/tools/figures --check README.md 2>&1 || true; }
rule_figures() { common/tools/figures --check "$(page_of_lesson)" 2>&1 || true; }

rule_drawings() {
  local dir drawing
  grep -qE '^!\[|^<!-- site: (figure|play) ' "$(page_of_lesson)" ||
    lacks "$(page_of_lesson)" \
      "no drawing: write figures/draw, which makes figures/NAME.svg, and ![words](figures/NAME.svg)"
  for drawing in $(compgen -G "lessons/$LESSON/figures/*.svg"); do
    grep -q "figures/${drawing##*/}\|^<!-- site: [a-z]* .*$(basename "$drawing" .svg)" "$(page_of_lesson)" ||
      lacks "$drawing" "the page does not show it: show it, or remove it"
  done
  compgen -G "lessons/$LESSON/figures/draw*" >/dev/null || return 0
  dir=$(mktemp -d)
  mkdir -p "$dir/lessons/$LESSON"
  cp -r "lessons/$LESSON/figures" "$dir/lessons/$LESSON/"
  ln -s "$PWD/common" "$PWD/results" "$dir/"
  for drawing in "$dir/lessons/$LESSON/figures"/draw*; do "$drawing"; done
  diff -rq "lessons/$LESSON/figures" "$dir/lessons/$LESSON/figures" >/dev/null ||
    lacks "lessons/$LESSON/figures" "not as figures/draw makes them: make figures"
  rm -rf "$dir"
}

rule_results() {
  grep -q "^<!-- results: results/" "$(page_of_lesson)" ||
    lacks "later: $(page_of_lesson)" "no measurements: on a GPU make bench SAVE=results/DATE-DEVICE, then" \
      "the lines <!-- results: results/DATE-DEVICE $LESSON --> and <!-- end of results -->, and make figures"
  ! grep -q 'not measured yet' "grader/checks/$LESSON.thresholds" ||
    lacks "later: grader/checks/$LESSON.thresholds" \
      "thresholds that are not measured yet: set them on a GPU from what the solution reaches there"
}

rule_mistakes() {
  local patch patches field table name task tasks
  tasks=$(tasks_of_lesson | paste -sd ' ')
  mapfile -t patches < <(mistakes_of_lesson)
  table=$(<tests/lessons/bugs/README.md)
  for field in Mistake Hint Task Says; do
    while read -r patch; do
      lacks "$patch" "no line '$field: ...' at its head: CONTRIBUTING.md, 8"
    done < <(grep -L "^$field: ." /dev/null "${patches[@]}" | grep -vxF /dev/null)
  done
  for patch in "${patches[@]}"; do
    name=${patch##*/}
    task=$(sed -n '/^---/q;s/^Task: //p' "$patch")
    [[ -z $task || " $tasks " == *" ${task/#0/further} "* ]] ||
      lacks "$patch" "no check is of task $task: write Task: and one of $tasks (0 for further)"
    patch -s -d "solutions/$LESSON" -p1 -r - -o - <"$patch" >/dev/null 2>&1 ||
      lacks "$patch" "does not fit the solution any more: make it anew by diff -u"
    ! grep -q '^Says: expected\( \|$\)' "$patch" ||
      lacks "$patch" "every wrong value has the word expected: write after Says: what names the cause"
    [[ $table == *"| $LESSON | [${name%.patch}]($LESSON/${patch##*/}) |"* ]] ||
      lacks "$patch" "not in the table of mistakes: make bugs-table"
  done
  ((${#patches[@]} >= LEAST_MISTAKES)) ||
    lacks "tests/lessons/bugs/$LESSON" "${#patches[@]} mistakes: write $LEAST_MISTAKES that learners make"
}

rule_answers() {
  local count
  count=$(answers_of_lesson | wc -l)
  ((count >= LEAST_ANSWERS)) ||
    lacks "tests/lessons/right/$LESSON" "$count right answers in unusual style: write $LEAST_ANSWERS"
}

# The name of each stands in LESSON.bats or LESSON-*.bats, after a verb (lesson_helper.bash) or in a list.
rule_tested() {
  local file name call
  for file in $(mistakes_of_lesson) $(answers_of_lesson); do
    name=${file##*/} name=${name%.*}
    grep -Eqs "(^|[^a-z0-9-])$name([^a-z0-9-]|$)" "tests/lessons/$LESSON"*.bats && continue
    case $file in
      *.patch) call="mistake $name" ;;
      *) call="right_answer ${file##*/} && full_marks ${file##*/}" ;;
    esac
    lacks "$file" "no test in tests/lessons/$LESSON.bats: write one with { $call; }"
  done
}

rule_cheats() {
  local count
  count=$(find "tests/grader/cheats/$LESSON" "tests/grader/cheats/gpu/$LESSON" -type f 2>/dev/null | wc -l)
  ((count >= LEAST_CHEATS)) ||
    lacks "later: tests/grader/cheats/$LESSON" \
      "$count files that try to win points: write $LEAST_CHEATS (CONTRIBUTING.md, 8)"
}

# The harness itself has the baselines one-core and all-cores.
rule_checks() {
  local task baseline
  { grader/check "$LESSON" --plan >/dev/null; } 2>&1 || true
  while read -r task baseline _; do
    grep -qF ".name = \"$task\"" "lessons/$LESSON/driver"/*.c ||
      lacks "grader/checks/$LESSON.thresholds" "the driver has no task $task: write the name of one"
    [[ $baseline == @(one-core|all-cores) ]] || grep -qF "{\"$baseline\"," "lessons/$LESSON/driver"/*.[ch] ||
      lacks "grader/checks/$LESSON.thresholds" \
        "the driver has no baseline $baseline for $task: add it there, or write the name of another"
  done < <(grep -v '^ *\(#\|$\)' "grader/checks/$LESSON.thresholds")
}

# needs the site's packages
rule_site() {
  [[ -d site/node_modules ]] || { echo "later: site/node_modules is missing: ./bootstrap --dev" && return; }
  local workshop page status
  workshop=$(mktemp)
  printf 'lessons: [%s]\n' "$LESSON" >"$workshop"
  for page in "lessons/$LESSON/index.html" "slides/$LESSON/index.html"; do
    status=0
    DRAFT=1 SITE_ROLE=instructor node site/try/make.js "$PWD" "$workshop" "$page" >"$workshop.page" ||
      status=$?
    ((status == 0)) || { grep -v '^warning: ' "$workshop.page" && break; }
    grep -q 'class="instructor"' "$workshop.page" || [[ $page == slides/* ]] ||
      lacks "tests/lessons/bugs/README.md" "no mistakes of $LESSON for the instructor: make bugs-table"
  done
  rm -f "$workshop" "$workshop.page"
}

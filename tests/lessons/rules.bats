# The rules of tests/lessons/rules.bash, for every lesson. `make check-lesson LESSON=...` applies them to one
# lesson, in the order and with the sentences of this file.

bats_require_minimum_version 1.5.0
load ../quick

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || exit
  ROOT=$PWD
  source common/shell/lessons.bash
  source tests/lessons/rules.bash
}

# met RULE: LESSON meets it, but for what can wait.
met() {
  local said
  declare -F "rule_$1" >/dev/null || { echo "there is no rule_$1" && return 1; }
  said=$("rule_$1" | grep -v '^later: ' || true)
  [[ -z $said ]] || { printf '%s\n' "$said" && return 1; }
}

# holds RULE: every lesson meets it.
holds() {
  local wrong=0
  for LESSON in $(lessons); do met "$1" || wrong=1; done
  ((wrong == 0))
}

# together RULE: the same, for a rule that takes several lessons at once.
together() { LESSON=$(lessons) met "$1"; }

# finished RULE: every lesson whose page shows measurements meets it. The others are being written, and
# make check-lesson says what they lack.
finished() {
  local wrong=0 count=0
  for LESSON in $(lessons); do
    [[ -z $(rule_results) ]] || continue
    count=$((count + 1))
    met "$1" || wrong=1
  done
  ((wrong == 0 && count >= 8))
}

# once RULE: it says the same in each lesson, or other tests apply it to all of them.
once() { LESSON=lesson02 met "$1"; }

@test "lesson.yml is complete, and the page's head agrees with it" { together facts; }
@test "page, contract, driver, solution, checks, thresholds and tests are there" { holds files; }
@test "the driver names the lesson as lesson.yml does" { holds titles; }
@test "the page has all its parts, and a section for each task" { holds parts; }
@test "each task has three hints" { holds hints; }
@test "the page has 800 to 1800 words, without code, hints, answers and results" { holds words; }
@test "the quiz has three questions or more, each with its answer" { holds quiz; }
@test "no text of the template is left" { holds template; }
@test "C and CUDA files are as make format writes them, and no line of shell is too long" { once layout; }
@test "each task of the solution is in a region; the starter follows from it and says TODO" { holds regions; }
@test "README's table of lessons is as lesson.yml says" { once readme; }
@test "the page quotes messages as the grader prints them" { together quotes; }
@test "each figure on the page is in the results that it names" { holds figures; }
@test "the page has a drawing, and each drawing is as figures/draw makes it" { holds drawings; }
@test "the page shows what was measured on a GPU" { holds results; }
@test "the grader can read the checks and thresholds" { holds checks; }
@test "twelve mistakes or more fit the solution and are in the table of mistakes" { finished mistakes; }
@test "there are five right answers in unusual style or more" { finished answers; }
@test "each mistake and each right answer has a test" { holds tested; }
@test "there are six cheats or more" { holds cheats; }
@test "the site builds the page, its slides and the instructor's table of mistakes" { once site; }

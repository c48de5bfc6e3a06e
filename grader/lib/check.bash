# check.bash: the verbs that grader/checks/lessonNN.bats is written in.  `load ../lib/check`
#
#     # bats test_tags=task:2,points:2
#     @test "vector_add_device is right at awkward sizes" { right vector_add_device; }
#
# Before Bats runs, grader/check writes everything that a check can ask to the file GRADER_ANSWERS (evaluate.jq). A verb looks
# it up, without starting a process, and returns 0 (pass), returns 1 (fail, with its message), or skips the test (not
# measured, inconclusive). Every test needs at least one verb; a test that ends without one is an error of the check page.
#
#   right TASK                     right in every run (CPU backend; the GPU too if it ran)
#   clean TASK TOOL...             no finding of memcheck, racecheck, initcheck, synccheck, leakcheck (CPU backend)
#   sanitized TASK asan|tsan       plain C lessons: no report of that sanitizer
#   counter TASK CONDITION TEXT    CONDITION is bash arithmetic over the names in counters.jq: 'launches >= 8 && copies == 0'.
#                                  TEXT says what is wrong when it is false: {NAME} and {ARITHMETIC} show a value,
#                                  {tenths: ARITHMETIC} shows it divided by ten
#   together TASK                  the threads of a warp access global memory together, at least eight on average
#   overlaps TASK PERCENT [modelled]  copies overlap kernels for at least PERCENT of the kernel time: in the timeline measured
#                                  on a GPU, else (or with `modelled`) in the model's
#   faster TASK BASELINE           the ratio reaches the first threshold in lessonNN.thresholds
#   excellent TASK BASELINE        ... the second threshold
#   needs TASK CONDITION TEXT      skips the test where CONDITION is false: this machine cannot measure it
# All but `right` and a finding wait for a right answer: while the task is wrong they are not measured.
#
# Each test appends one line to GRADER_RESULTS, its fields separated by tabs:  SENTENCE STATE TASK KEY TEXT. KEY names the
# verdict in GRADER_ANSWERS, or is "-" where TEXT is all that there is; else TEXT is appended to the verdict's message.
# shellcheck shell=bash

declare -gA STATE=() MESSAGE=() VALUE=() # of "TASK KEY"; MESSAGE and the TEXT of a result hold newlines as \n

read_answers() {
  local task key value message _
  while IFS=$'\t' read -r task key value message _; do
    [[ $task != '{'* ]] || break # the facts, as JSON
    if [[ -n $message ]]; then
      STATE[$task $key]=$value MESSAGE[$task $key]=$message
    else
      VALUE[$task $key]=$value
    fi
    VALUE[$task]=known
  done <"$GRADER_ANSWERS"
}

# The last verdict of the running test.
RESULT_STATE='' RESULT_TASK=- RESULT_KEY=- RESULT_TEXT=''

# verdict STATE TASK KEY MESSAGE TEXT: ends the verb: status 0, status 1 with message and text, or a skipped test. KEY names the
# verdict that the message comes from; TEXT is not in it.
verdict() {
  local shown
  RESULT_STATE=$1 RESULT_TASK=$2 RESULT_KEY=$3 RESULT_TEXT=${5-}
  printf -v shown '%b' "$4${5-}"
  case $1 in
    pass) return 0 ;;
    not_measured | inconclusive) skip "${shown%%$'\n'*}" ;;
    *)
      printf '%s\n' "$shown"
      return 1
      ;;
  esac
}

# error TASK TEXT: a fault of the check page.
error() { verdict error "$1" - '' "$2"; }

# known TASK KEY: whether there is such an answer; else the check page is at fault.
known() {
  if [[ -z ${VALUE[$1]-} ]]; then
    error "$1" "the checks name a task \"$1\" that the program did not report"
  elif [[ -z ${STATE[$1 $2]-} ]]; then
    error "$1" "there is no answer \"$2\" about $1"
  fi
}

# answer TASK KEY: the verdict of that name.
answer() {
  known "$1" "$2" || return
  local message=${MESSAGE[$1 $2]}
  [[ $message != - ]] || message=
  verdict "${STATE[$1 $2]}" "$1" "$2" "$message"
}

right() { answer "$1" right; }
sanitized() { answer "$1" "$2"; }
faster() { speed faster "$@"; }
excellent() { speed excellent "$@"; }

speed() { # faster|excellent TASK BASELINE
  if [[ -n ${VALUE[$2]-} && -z ${STATE[$2 $1 $3]-} ]]; then
    error "$2" "${BATS_TEST_FILENAME##*/}: the thresholds have no line \"$2 $3\""
    return
  fi
  answer "$2" "$1 $3"
}

# Of several tools' findings the one that came first is shown, and how many other places there are.
clean() {
  local task=$1 tool chosen='' rank best=-1 more=-1
  (($# > 1)) || error "$task" "clean: which tool?" || return
  for tool in "${@:2}"; do
    known "$task" "$tool" || return
    rank=${VALUE[$task $tool.rank]}
    [[ ${STATE[$task $tool]} != fail ]] || ((more += VALUE[$task $tool.places])) || true
    if [[ -z $chosen || ${STATE[$task $tool]} == fail && ${STATE[$task $chosen]} != fail ]] || {
      [[ ${STATE[$task $tool]} == "${STATE[$task $chosen]}" ]] && ((rank >= 0 && (best < 0 || rank < best)))
    }; then
      chosen=$tool best=$rank
    fi
  done
  if ((more > 0)); then
    verdict fail "$task" "$chosen" "${MESSAGE[$task $chosen]}" "\\n… and $more more at other lines"
  else
    answer "$task" "$chosen"
  fi
}

# value TASK EXPRESSION: sets VALUE_OF to the arithmetic over the task's counters; status 1 where a name is not known.
value() {
  local rest=$2 name resolved=''
  while [[ $rest =~ [a-z_][a-z_0-9]* ]]; do
    name=${BASH_REMATCH[0]}
    if [[ -z ${VALUE[$1 $name]-} ]]; then
      error "$1" "there is no counter \"$name\"; grader/lib/counters.jq lists them"
      return
    fi
    resolved+=${rest%%"$name"*}${VALUE[$1 $name]}
    rest=${rest#*"$name"}
  done
  resolved+=$rest
  if [[ $resolved == *[!-0-9\ \(\)\<\>=!\&\|+*/%?:]* ]] || ! ((VALUE_OF = resolved, 1)) 2>/dev/null; then
    error "$1" "this is no arithmetic: $2"
  fi
}

# filled TASK TEXT: sets FILLED to the text, each {ARITHMETIC} replaced by its value.
filled() {
  local rest=$2 inside
  FILLED=
  while [[ $rest == *'{'*'}'* ]]; do
    FILLED+=${rest%%'{'*}
    inside=${rest#*'{'} rest=${rest#*'}'}
    inside=${inside%%'}'*}
    value "$1" "${inside#tenths: }" || return
    if [[ $inside == tenths:* ]]; then
      FILLED+=$((VALUE_OF / 10))
      ((VALUE_OF % 10 == 0)) || FILLED+=.$((VALUE_OF % 10))
    else
      FILLED+=$VALUE_OF
    fi
  done
  FILLED+=$rest
}

counter() { # task condition text
  answer "$1" used || return
  value "$1" "$2" || return
  local condition=$VALUE_OF
  filled "$1" "$3" || return # so that a fault in the text shows in a pass, too
  if ((condition)); then verdict pass "$1" used ''; else verdict fail "$1" - '' "$FILLED"; fi
}

# One thread in a loop, or blocks of one thread, touch as few sectors and make as few atomics as can be.
together() {
  counter "$1" 'threads_together >= 80' \
    "On average {tenths: threads_together} threads of a warp ask global memory at a time, of 32: blocks of 32 threads or more, \
in which neighbours take neighbouring elements, ask together."
}

overlaps() {
  local key=${3:+$3-}overlap
  answer "$1" "$key" || return
  if ((VALUE[$1 $key.percent] >= $2)); then return; fi
  verdict fail "$1" "$key" "${MESSAGE[$1 $key]}"
}

needs() {
  known "$1" used || return
  value "$1" "$2" || return
  if ((VALUE_OF)); then return; fi
  filled "$1" "$3" || return
  verdict not_measured - needs 'not measured: ' "$FILLED"
}

# Bats makes a folder for each test and removes its output afterwards, which a check needs neither of: three processes a test. So they are
# made at once, and the tests inherit functions that have nothing to do.
setup_file() {
  command mkdir -p "$BATS_RUN_TMPDIR/test/"{1..60}
  mkdir() {
    local folder
    for folder; do
      [[ $folder == -p || -d $folder ]] || { command mkdir "$@" && return; }
    done
  }
  rm() { :; }
  export -f mkdir rm
}

setup() { read_answers; }

# Writes the result down. A test must end as its last verdict says; anything else is a fault of the check page.
teardown() {
  local ended=failed text
  [[ -z ${BATS_TEST_COMPLETED:-} ]] || ended=passed
  [[ -z ${BATS_TEST_SKIPPED:-} ]] || ended=skipped
  case $RESULT_STATE:$ended in
    pass:passed | fail:failed | error:failed | not_measured:skipped | inconclusive:skipped) ;;
    :skipped | pass:skipped) RESULT_STATE=not_measured RESULT_KEY=- RESULT_TEXT=$BATS_TEST_SKIPPED ;;
    *) RESULT_STATE=error RESULT_KEY=- RESULT_TEXT="the test $ended without a verdict that says so" ;;
  esac
  text=${RESULT_TEXT//$'\n'/\\n}
  printf '%s\t%s\t%s\t%s\t%s\n' "$BATS_TEST_DESCRIPTION" "$RESULT_STATE" "$RESULT_TASK" "$RESULT_KEY" "${text//$'\t'/ }" >>"$GRADER_RESULTS"
}

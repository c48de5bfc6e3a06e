# check.bash: the verbs that grader/checks/lessonNN.bats is written in.  `load ../lib/check`
#
#     # bats test_tags=task:2,points:2
#     @test "vector_add_device is right at awkward sizes" { right vector_add_device; }
#
# Before Bats runs a check, grader/check writes everything that one can ask to the file GRADER_ANSWERS
# (evaluate.jq). A verb looks it up without starting a process. It returns 0 (pass), returns 1 (fail, with its
# message), or skips the test (not measured, inconclusive). Every test needs at least one verb; a test without
# one is an error of the check page.
#
#   right TASK                     right in every run (CPU backend; the GPU too if it ran)
#   clean TASK TOOL...             no finding of these of memcheck, racecheck, initcheck, synccheck, leakcheck
#   sanitized TASK asan|tsan       plain C lessons: no report of that sanitizer
#   failures TASK                  each call that may fail (allocation, copy, launch) failed in turn: the
#                                  function returned that error and went wrong nowhere
#   as_asked TASK TEXT             in every case the launches that the caller asks for (wb_task.asks);
#                                  TEXT is added to the message
#   all_cores TASK, one_core TASK  plain C lessons: as many threads as there are cores did the work, or one
#   counter TASK CONDITION TEXT    CONDITION is bash arithmetic over the names in counters.jq:
#                                  'launches >= 8 && copies == 0'. TEXT is the message if it is false:
#                                  {NAME} and {ARITHMETIC} show a value, {tenths: ARITHMETIC} shows it
#                                  divided by ten
#   together TASK [MOST]           on average at least eight threads of a warp access global memory together;
#                                  requests of all threads for one address don't count. MOST: the most
#                                  accesses that fewer than four threads of a warp may make
#   stays TASK                     the data stay on the device: few bytes cross the link, by copies or by
#                                  kernels, and no host function works on them
#   in_float TASK                  the compiler makes no arithmetic in double of the kernels; needs clang
#   overlaps TASK PERCENT [modelled]
#                                  copies overlap kernels for at least PERCENT of the kernel time: in the
#                                  timeline measured on a GPU, else (or with `modelled`) in the model's
#   faster TASK BASELINE           the ratio reaches the first threshold in lessonNN.thresholds
#   excellent TASK BASELINE        ... the second threshold
#   needs TASK CONDITION TEXT      skips the test where CONDITION is false: this machine cannot measure it
#   applies TASK CONDITION TEXT    the same: in this answer there is nothing to measure, on any machine
# While the answers of a task are wrong, only `right`, findings, and counters of launches that are not as they
# should be are reported; the other verbs skip the test.
#
# Each test appends one line to GRADER_RESULTS: SENTENCE STATE TASK KEY TEXT, separated by tabs. KEY names the
# verdict in GRADER_ANSWERS, and TEXT is appended to its message; KEY is "-" if TEXT is the whole message.
# shellcheck shell=bash

# Bats watches every command (a trap on DEBUG), to show the line of a failure. That takes half of the time of
# a page, so functions do not inherit the trap here; bats::on_failure shows the line.
set +T

# Before each test Bats registers every test of the page, which takes most of its time. One is enough.
if [[ ${BATS_TEST_NAME-} == test_* ]] && declare -F bats_test_function >/dev/null; then
  eval "register_$(declare -f bats_test_function)"
  bats_test_function() { [[ ${!#} != "$BATS_TEST_NAME" ]] || register_bats_test_function "$@"; }
fi

declare -gA STATE=() MESSAGE=() VALUE=() # of "TASK KEY"; MESSAGE and the TEXT of a result hold newlines as \n

# Writes the answers about each task to BATS_RUN_TMPDIR/answers-TASK, as assignments.
keep_answers() {
  local task key value message _
  while IFS=$'\t' read -r task key value message _; do
    if [[ -n $message ]]; then
      printf 'STATE[%q]=%q MESSAGE[%q]=%q\n' "$task $key" "$value" "$task $key" "$message"
    else
      printf 'VALUE[%q]=%q\n' "$task $key" "$value"
    fi >>"$BATS_RUN_TMPDIR/answers-$task"
  done <"$GRADER_ANSWERS"
}

# about TASK: reads the answers about it, once.
about() {
  [[ -z ${VALUE[$1]-} && -f $BATS_RUN_TMPDIR/answers-$1 ]] || return 0
  VALUE[$1]=known
  # shellcheck disable=SC1090 # made by keep_answers
  source "$BATS_RUN_TMPDIR/answers-$1"
}

# The last verdict of the running test.
RESULT_STATE='' RESULT_TASK=- RESULT_KEY=- RESULT_TEXT=''

# verdict STATE TASK KEY MESSAGE TEXT: ends the verb with status 0, with status 1 and the message and text, or
# by skipping the test. MESSAGE is that of the verdict KEY; TEXT is added to it.
verdict() {
  local shown
  # What an earlier verb of the test noted, such as a warning, stays.
  [[ $1:$RESULT_STATE != pass:pass || $RESULT_KEY == used ]] || return 0
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

# error TASK TEXT: an error of the check page.
error() { verdict error "$1" - '' "$2"; }

# known TASK KEY: tests that there is such an answer; if not, that is an error of the check page.
known() {
  about "$1"
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
  [[ ${STATE[$1 $2]} != error ]] || { error "$1" "$message"; return; }
  verdict "${STATE[$1 $2]}" "$1" "$2" "$message"
}

right() { answer "$1" right; }
sanitized() { answer "$1" "$2"; }
failures() { answer "$1" failures; }
as_asked() {
  known "$1" as_asked || return
  verdict "${STATE[$1 as_asked]}" "$1" as_asked "${MESSAGE[$1 as_asked]#-}" "${2:+ $2}"
}
all_cores() { answer "$1" all_cores; }
one_core() { answer "$1" one_core; }
faster() { speed faster "$@"; }
excellent() { speed excellent "$@"; }

speed() { # faster|excellent TASK BASELINE
  about "$2"
  if [[ -n ${VALUE[$2]-} && -z ${STATE[$2 $1 $3]-} ]]; then
    error "$2" "${BATS_TEST_FILENAME##*/}: the thresholds have no line \"$2 $3\""
    return
  fi
  answer "$2" "$1 $3"
}

# Shows the first finding of all the tools, and the number of other places with findings.
clean() {
  local task=$1 tool chosen='' rank places best=-1 more=-1
  (($# > 1)) || error "$task" "clean needs the name of a tool" || return
  for tool in "${@:2}"; do
    known "$task" "$tool" || return
    rank=${VALUE[$task $tool.rank]}
    places=${VALUE[$task $tool.places]}
    [[ ${STATE[$task $tool]} != fail ]] || more=$((more + places))
    if [[ -z $chosen || ${STATE[$task $tool]} == fail && ${STATE[$task $chosen]} != fail ]] || {
      [[ ${STATE[$task $tool]} == "${STATE[$task $chosen]}" ]] && ((rank >= 0 && (best < 0 || rank < best)))
    }; then
      chosen=$tool best=$rank
    fi
  done
  if ((more > 0)); then
    verdict fail "$task" "$chosen" "${MESSAGE[$task $chosen]}" "\\nand $more more at other lines"
  else
    # A warning about a second task is shown where the first one's verdict has nothing to show.
    ((best < 0)) || [[ ${VALUE[$RESULT_TASK $RESULT_KEY.places]-} != 0 ]] || RESULT_STATE=
    answer "$task" "$chosen"
  fi
}

# value TASK EXPRESSION: sets VALUE_OF to the value of the arithmetic over the task's counters, and
# VALUE_UNCERTAIN to the name of one that is an estimate, or empty; status 1 if a name is unknown.
value() {
  local rest=${2//$'\n'/ } name resolved=''
  about "$1"
  VALUE_UNCERTAIN=
  while [[ $rest =~ [a-z_][a-z_0-9]* ]]; do
    name=${BASH_REMATCH[0]}
    if [[ -z ${VALUE[$1 $name]-} ]]; then
      error "$1" "there is no counter \"$name\"; grader/lib/counters.jq lists them"
      return
    fi
    [[ -z ${VALUE[$1 $name.uncertain]-} ]] || VALUE_UNCERTAIN=${VALUE[$1 $name.uncertain]}
    resolved+=${rest%%"$name"*}${VALUE[$1 $name]}
    rest=${rest#*"$name"}
  done
  resolved+=$rest
  if [[ $resolved == *[!-0-9\ \(\)\<\>=!\&\|+*/%?:]* ]] || ! ((VALUE_OF = resolved, 1)) 2>/dev/null; then
    error "$1" "this is not arithmetic: $2"
  fi
}

# The nouns that follow values in the texts of checks.
COUNTED='launches|copies|accesses|allocations|sectors|bytes|blocks|threads|buffers|times|atomics|conflicts'
COUNTED+='|functions|loads|requests|numbers|elements|waits|calls'

# singular TEXT: sets SINGULAR to the text that follows a 1: " global atomics with" -> " global atomic with".
singular() {
  SINGULAR=$1
  [[ $1 =~ ^(\ ([a-z]+\ )?)($COUNTED)([^a-z].*)?$ ]] || return 0
  local word=${BASH_REMATCH[3]}
  case $word in
    copies) word=copy ;;
    launches | accesses) word=${word%es} ;;
    *) word=${word%s} ;;
  esac
  SINGULAR=${BASH_REMATCH[1]}$word${BASH_REMATCH[4]}
}

# filled TASK TEXT: sets FILLED to the text, each {ARITHMETIC} replaced by its value; "1 launches" becomes "1
# launch".
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
    if [[ $VALUE_OF == 1 && $inside != tenths:* ]]; then
      singular "$rest"
      rest=$SINGULAR
    fi
  done
  FILLED+=$rest
}

# Counters of launches, which may be the cause of a wrong answer.
LAUNCHING='launches|grid_[xyz]|block_[xyz]|block_shapes|device_allocations|pinned_allocations|copies'

# wrong_launch TASK CONDITION TEXT: true, and sets FILLED, if the answers are wrong and the condition is one
# on launches and false.
wrong_launch() {
  local rest=$2
  about "$1"
  [[ -n ${VALUE[$1 launched]-} ]] || return
  while [[ $rest =~ [a-z_][a-z_0-9]* ]]; do
    [[ ${BASH_REMATCH[0]} =~ ^($LAUNCHING)$ ]] || return
    rest=${rest#*"${BASH_REMATCH[0]}"}
  done
  value "$1" "$2" && ((VALUE_OF == 0)) && filled "$1" "$3"
}

counter() { # task condition text
  if wrong_launch "$@"; then
    verdict fail "$1" - '' "$FILLED"
    return
  fi
  answer "$1" used || return
  value "$1" "$2" || return
  local condition=$VALUE_OF uncertain=$VALUE_UNCERTAIN
  filled "$1" "$3" || return # before the condition, so that an error in the text is always found
  if [[ $uncertain == 1 ]]; then
    verdict not_measured - applies 'not measured: ' \
      "too much to count: the kernels made more requests to memory than can be counted one by one"
    return
  elif [[ $uncertain ]]; then
    verdict not_measured - needs 'not measured: ' "$uncertain"
    return
  fi
  if ((condition)); then verdict pass "$1" used ''; else verdict fail "$1" - '' "$FILLED"; fi
}

# One thread in a loop, or blocks of one thread, would touch the fewest sectors and make the fewest atomics.
# Further accesses, made for show, can raise the average, but not lower the number of lone ones.
together() {
  counter "$1" 'launches > 0' "No kernel was launched: let kernels do the work." || return
  (($# < 2)) || counter "$1" "lone_accesses <= $2" \
    "{lone_accesses} accesses to global memory were made by fewer than four threads of a warp at a time: \
some threads do the work of all. Use blocks of at least 32 threads, and let all of them share it." || return
  counter "$1" 'threads_together >= 80' \
    "On average only {tenths: threads_together} of the 32 threads of a warp access global memory together. \
Use blocks of at least 32 threads, in which neighbouring threads use neighbouring elements."
}

# spread TASK: the work is shared by blocks, at a size that needs many.
spread() {
  counter "$1" 'blocks > launches' \
    "Each of its launches has one block. A block runs on one multiprocessor, and a GPU has many: launch as \
many blocks as the elements need."
}

# 16384: the host may read a few results.
stays() {
  counter "$1" 'bytes_out <= 16384 && bytes_in <= 16384' \
    "{bytes_out} bytes came to the host and {bytes_in} went to the device, by copies or by kernels in the \
host's memory: the data are on the device, let kernels do the work there." || return
  counter "$1" 'host_functions == 0' \
    "It queued {host_functions} functions for the host: let kernels do the work."
}

overlaps() {
  local key=${3:+$3-}overlap
  answer "$1" "$key" || return
  local percent=${VALUE[$1 $key.percent]}
  if ((percent >= $2)); then return; fi
  verdict fail "$1" "$key" "${MESSAGE[$1 $key]}"
}

in_float() {
  counter "$1" 'double_instructions == 0' "Line {double_line} works in double, on floats: a double variable, \
or a constant such as 1.05, makes a double of all that it meets. Use float variables, write 1.05f or \
(float)NAME, and call functions with floats."
}

needs() { unless needs "$@"; }
applies() { unless applies "$@"; }

unless() { # needs|applies TASK CONDITION TEXT
  known "$2" used || return
  value "$2" "$3" || return
  if ((VALUE_OF)); then return; fi
  filled "$2" "$4" || return
  verdict not_measured - "$1" 'not measured: ' "$FILLED"
}

# Waits for the answers: grader/check starts Bats before there are any, and then writes a line to GRADER_GATE.
# Without that pipe they are there. A read whose time ends as the line comes may lose it: then the file shows
# that they are there.
wait_for_answers() {
  [[ ${GRADER_GATE-} ]] || return 0
  local gate
  exec {gate}<>"$GRADER_GATE"
  until read -rt 1 <&"$gate" || [[ -e $GRADER_GATE.open ]]; do kill -0 "$GRADER_PID" || exit 1; done
  exec {gate}<&-
}

# For each test Bats makes a folder and removes its output, which takes three processes. Checks need neither:
# the folders are made at once here, and the tests inherit functions mkdir and rm that do nothing.
setup_file() {
  wait_for_answers
  keep_answers
  command mkdir -p "$BATS_RUN_TMPDIR/test/"{1..60}
  # shellcheck disable=SC2317 # Bats calls them
  mkdir() {
    local folder
    for folder; do
      [[ $folder == -p || -d $folder ]] || { command mkdir "$@" && return; }
    done
  }
  # shellcheck disable=SC2317
  rm() { :; }
  export -f mkdir rm
}

# Bats calls it in the function that failed. Prints the line of the check page.
bats::on_failure() {
  local i
  for ((i = 1; i < ${#FUNCNAME[@]}; i++)); do
    [[ ${FUNCNAME[i]} != "${BATS_TEST_NAME:-}" ]] ||
      printf '(in %s, line %s)\n' "${BATS_TEST_FILENAME##*/}" "${BASH_LINENO[i - 1]}"
  done
}

# Writes the result. A test must end as its last verdict says; anything else is an error of the check page.
teardown() {
  local ended=failed text
  [[ -z ${BATS_TEST_COMPLETED:-} ]] || ended=passed
  [[ -z ${BATS_TEST_SKIPPED:-} ]] || ended=skipped
  case $RESULT_STATE:$ended in
    pass:passed | fail:failed | error:failed | not_measured:skipped | inconclusive:skipped) ;;
    :skipped | pass:skipped) RESULT_STATE=not_measured RESULT_KEY=- RESULT_TEXT=$BATS_TEST_SKIPPED ;;
    *) RESULT_STATE=error RESULT_KEY=- RESULT_TEXT="the test $ended, but no verb has said so" ;;
  esac
  text=${RESULT_TEXT//$'\n'/\\n}
  printf '%s\t%s\t%s\t%s\t%s\n' "$BATS_TEST_DESCRIPTION" "$RESULT_STATE" "$RESULT_TASK" "$RESULT_KEY" \
    "${text//$'\t'/ }" >>"$GRADER_RESULTS"
}

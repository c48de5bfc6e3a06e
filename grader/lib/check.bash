# check.bash: the verbs that grader/checks/lessonNN.bats is written in.  `load ../lib/check`
#
#     # bats test_tags=task:2,points:2
#     @test "vector_add_device is right at awkward sizes" { right vector_add_device; }
#
# A verb reads what the programs reported (GRADER_FACTS, made by grader/check from run-KIND.json) and gives a
# verdict: it returns 0 (pass), returns 1 (fail, with its message), or skips the test (not measured,
# inconclusive). Every test needs at least one verb; a test that ends without one is an error of the check file.
# The verdicts themselves are in verdicts.jq. What a test came to goes, one JSON object a line, to GRADER_RESULTS.
#
#   right TASK                     right in every run there is (cpu backend; cuda too if it ran)
#   clean TASK TOOL...             no finding of memcheck, racecheck, initcheck, synccheck, leakcheck (cpu backend)
#   sanitized TASK asan|tsan       plain C lessons: no report of that sanitizer
#   counter TASK EXPR SENTENCE     EXPR (jq, on the task in run.json: '.counters.launches == 1') is true on the cpu
#                                  backend; SENTENCE says what is wrong when it isn't, and may hold \(jq)
#   together TASK                  the threads of a warp ask global memory together, eight of them at least on average (cpu backend)
#   overlaps TASK SHARE [modelled] copies run beside kernels for at least SHARE of the kernel time: in the timeline
#                                  measured on a GPU, else (or with `modelled`) in the model's
#   faster TASK BASELINE          the ratio reaches the pass threshold in lessonNN.thresholds
#   excellent TASK BASELINE       ... the second threshold
# All but `right` and a finding wait for a right answer: while the task is wrong they are not measured.

# shellcheck disable=SC2016  # the $a are jq variables
right() { verdict 'right($a[0])' "$@"; }
clean() { verdict 'clean($a[0]; $a[1:])' "$@"; }
sanitized() { verdict 'sanitized($a[0]; $a[1])' "$@"; }
faster() { verdict 'speed($a[0]; $a[1]; "pass")' "$@"; }
excellent() { verdict 'speed($a[0]; $a[1]; "excellent")' "$@"; }
counter() { verdict "counted(\$a[0]; $2; \"$3\")" "$1"; }
# One thread in a loop, or blocks of one thread, touch as few sectors and make as few atomics as can be.
together() {
  local of='[.counters.profile[]?.lines[] | select(.space == "global")'
  local lanes="(($of | (.lanes_per_request // 0) * .requests] | add // 0) / ($of | .requests] | add // 1))"
  counter "$1" "$lanes >= 8" "On average \\($lanes * 10 | round / 10) threads of a warp ask global memory at a time, of 32: blocks of 32 threads or more, in which neighbours take neighbouring elements, ask together."
}
overlaps() { verdict 'overlapped($a[0]; $a[1] | tonumber; $a[2] == "modelled")' "$@"; }

# The last verdict of the running test: {"state":…,"reason":…,"note":…,"message":…,"where":…,"sentence":…}
GRADER_VERDICT=
GRADER_STATE=

# answered QUESTION: its answer, when ahead.bash has found it already, in `lines`.
answered() {
  local questions i
  [[ -s ${GRADER_AHEAD:-}/asked ]] || return 1
  mapfile -t questions <"$GRADER_AHEAD/asked"
  for i in "${!questions[@]}"; do
    if [[ ${questions[i]} == "$1" && -s $GRADER_AHEAD/$i ]]; then
      lines=$(<"$GRADER_AHEAD/$i")
      return 0
    fi
  done
  return 1
}

# verdict JQ-CALL ARGUMENT...: asks verdicts.jq and acts on the answer.
verdict() {
  local call=$1 lines message question
  shift
  printf -v question '%q ' "$BATS_TEST_DESCRIPTION" "$call" "$@"
  # The object on the first line, its message on the others.
  if ! answered "$question" && ! lines=$(jq -r -L "$GRADER_LIB" --arg sentence "$BATS_TEST_DESCRIPTION" \
    "include \"verdicts\"; \$ARGS.positional as \$a | $call | (.sentence = \$sentence | tojson), .message" \
    "$GRADER_FACTS" --args "$@" 2>&1); then
    GRADER_VERDICT='' GRADER_STATE=error
    printf 'this check cannot be evaluated: %s\n' "$lines"
    return 1
  fi
  GRADER_VERDICT=${lines%%$'\n'*}
  message=${lines#*$'\n'}
  GRADER_STATE=${GRADER_VERDICT#*\"state\":\"}
  GRADER_STATE=${GRADER_STATE%%\"*}
  case $GRADER_STATE in
    pass) return 0 ;;
    not_measured | inconclusive) skip "${message%%$'\n'*}" ;;
    *)
      printf '%s\n' "$message"
      return 1
      ;;
  esac
}

# Writes the result down. A test must end as its last verdict says, or by a `skip` with a reason of its own (this machine
# cannot measure it); anything else is a fault of the check file.
teardown() {
  local ended=failed state=error reason='' message
  [[ -z ${BATS_TEST_COMPLETED:-} ]] || ended=passed
  [[ -z ${BATS_TEST_SKIPPED:-} ]] || ended=skipped
  message="the test $ended without a verdict that says so"
  case $GRADER_STATE:$ended in
    pass:passed | fail:failed | error:failed | not_measured:skipped | inconclusive:skipped)
      if [[ -n $GRADER_VERDICT ]]; then
        printf '%s\n' "$GRADER_VERDICT" >>"$GRADER_RESULTS"
        return
      fi
      ;;
    :skipped | pass:skipped) state=not_measured reason=not_here message=$BATS_TEST_SKIPPED ;;
  esac
  jq -cn --arg sentence "$BATS_TEST_DESCRIPTION" --arg state "$state" --arg reason "$reason" --arg message "$message" \
    '{$state, $reason, note: "", $message, where: "", $sentence}' >>"$GRADER_RESULTS"
}

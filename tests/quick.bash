# quick.bash: for files whose tests loop a lot. Bats watches every command of a test (a trap on DEBUG), to
# show the line of a failure, and a loop over all files takes ten times as long by that. Here functions do not
# inherit the trap, and the line is shown all the same. A file loads it at its top.
# shellcheck shell=bash

set +T

# Bats calls it in the function that failed.
bats::on_failure() {
  ((BASH_SUBSHELL == 0)) || return 0 # what a subshell prints may be read
  local i line
  for ((i = 1; i < ${#FUNCNAME[@]}; i++)); do
    [[ ${FUNCNAME[i]} == "${BATS_TEST_NAME:-}" || ${FUNCNAME[i]} == setup* ]] || continue
    line=${BASH_LINENO[i - 1]}
    printf '(in %s, line %s: %s)\n' "${BATS_TEST_FILENAME##*/}" "$line" \
      "$(sed -n "${line}s/^ *//p" "$BATS_TEST_FILENAME")"
  done
}

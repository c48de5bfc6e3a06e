# process.bash: the private folder, children that can be stopped, the progress line. Sourced by grader/check.
# shellcheck shell=bash

TMP=
CHILDREN=() # process ids started and not yet waited for
ASIDE=()    # those that `await` does not wait for
exec {NOTHING}</dev/null

make_temp() {
  [[ -z $TMP ]] || return 0
  trap 'interrupted 130' INT
  trap 'interrupted 143' TERM
  trap 'interrupted 129' HUP
  trap cleanup EXIT
  # make cannot handle every character in a path
  [[ ${TMPDIR:-/tmp} =~ ^[A-Za-z0-9_./+-]+$ ]] || export TMPDIR=/tmp
  TMP=$(mktemp -d "${TMPDIR:-/tmp}/grader-check.XXXXXX") ||
    stop 3 "cannot make a temporary folder in ${TMPDIR:-/tmp}.$(full "${TMPDIR:-/tmp}")"
  TMP=$(cd -P "$TMP" && pwd)
}

# " Its disk is full." where that may be why something failed in FOLDER: no 4 MiB left, no entries, or a
# quota.
full() {
  local text
  local -x LC_ALL=C # also for the messages of bash
  text=$({ head -c 4194304 /dev/zero >"$1/.room.$BASHPID"; } 2>&1; rm -f "$1/.room.$BASHPID")
  [[ $text != *'No space left'* && $text != *quota* ]] || printf ' Its disk is full.'
}

cleanup() {
  trap '' INT TERM HUP
  stop_children
  [[ -z $TMP ]] || rm -rf -- "$TMP"
}

interrupted() {
  trap '' INT TERM HUP
  clear_progress_line
  printf 'grader/check: interrupted; nothing was changed.\n' >&2
  exit "$1"
}

# start LOG COMMAND...: runs it in the background, its output in LOG ("": ours). Each is the head of a process
# group, so that all that it starts can be reached by one signal. INPUT: the descriptor of its standard input;
# otherwise that is empty.
start() {
  local log=$1
  shift
  set -m # a process group for each background command
  if [[ -n $log ]]; then
    "$@" >"$log" 2>&1 <&"${INPUT:-$NOTHING}" &
  else
    "$@" <&"${INPUT:-$NOTHING}" &
  fi
  set +m
  CHILDREN+=("$!")
}

# set_aside: `await` no longer waits for what was started so far. take_back: it does again.
set_aside() { ASIDE+=("${CHILDREN[@]}") CHILDREN=(); }
take_back() { CHILDREN+=("${ASIDE[@]}") ASIDE=(); }

# await LABEL: waits for all that was started, with a progress line on a terminal after two seconds. Leaves
# each status in STATUSES, in order of starting, and returns (and leaves in LAST_STATUS) the last that was not
# 0, or 0.
await() {
  local label=$1 child since=$SECONDS status
  STATUSES=() LAST_STATUS=0
  for child in "${CHILDREN[@]}"; do
    if [[ -n $label && -t 2 ]]; then
      while kill -0 "$child" 2>/dev/null; do
        show_progress "$label" $((SECONDS - since))
        sleep 0.1
      done
    fi
    status=0
    wait "$child" || status=$?
    STATUSES+=("$status")
    ((status == 0)) || LAST_STATUS=$status
  done
  CHILDREN=()
  clear_progress_line
  return "$LAST_STATUS"
}

show_progress() { # text, seconds
  [[ $2 -lt 2 ]] || show_progress_line "$1: $2 s"
}

# Ends the children and everything that they started: SIGTERM, two seconds later SIGKILL. Where there is no
# supervisor yet, only their process groups: nothing that leaves its group was run before it is built.
stop_children() {
  local id alive
  take_back
  ((${#CHILDREN[@]})) || return 0
  if [[ -x ${WORK:-}/build/supervisor ]]; then
    "$WORK/build/supervisor" --kill-tree "${CHILDREN[@]}" || true
  else
    for id in "${CHILDREN[@]}"; do
      kill -TERM -- "-$id" 2>/dev/null || kill -TERM "$id" 2>/dev/null || true
    done
    for _ in {1..40}; do
      alive=no
      for id in "${CHILDREN[@]}"; do ! kill -0 "$id" 2>/dev/null || alive=yes; done
      [[ $alive == yes ]] || break
      sleep 0.05
    done
    for id in "${CHILDREN[@]}"; do
      kill -KILL -- "-$id" 2>/dev/null || kill -KILL "$id" 2>/dev/null || true
    done
  fi
  wait "${CHILDREN[@]}" 2>/dev/null || true
  CHILDREN=()
}

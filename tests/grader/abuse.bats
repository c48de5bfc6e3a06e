#!/usr/bin/env bats
# grader/check --sandbox: hostile files cannot harm the machine. The supervisor and the sandbox are tested by
# themselves, which is fast; tests/grader/abuse/ contains files that are graded (slow).

bats_require_minimum_version 1.5.0
load grader_helper

setup_file() {
  export SUPERVISOR=$BATS_FILE_TMPDIR/supervisor
  local top=$BATS_TEST_DIRNAME/../..
  "${CC:-gcc}" -std=c11 -O2 -D_GNU_SOURCE -I "$top/common/harness" -o "$SUPERVISOR" \
    "$top/grader/lib/supervisor.c" "$top/common/harness/base/process_tree.c"
}

setup() { export TMPDIR=$BATS_TEST_TMPDIR; }

# ended SENTENCE OPTION... -- COMMAND...: the supervisor ends the command for that reason, and no process of
# it remains.
ended() {
  local sentence=$1 status=0 mark
  shift
  mark=88.$((BASHPID % 9973))
  export NAP="sleep $mark" # a process that can be found again
  timeout -k 2 60 "$SUPERVISOR" --report "$TMPDIR/report" "$@" >"$TMPDIR/output" 2>&1 || status=$?
  [[ $(cat "$TMPDIR/report" 2>/dev/null) == "$sentence" ]] ||
    { echo "status $status: $(cat "$TMPDIR/report")" && return 1; }
  [ -z "$(pgrep -fx "$NAP")" ]
}

@test "ends a command in time that ignores SIGTERM and hides in its own session" {
  ended "it did not end within 1 seconds" --seconds 1 \
    bash -c 'trap "" TERM HUP INT; (setsid $NAP &); (trap "" TERM; $NAP) & $NAP; wait'
}

@test "ends a daemon that the command leaves running, and keeps the command's status" {
  run "$SUPERVISOR" --report "$TMPDIR/report" \
    bash -c '(setsid bash -c "sleep 88.424242 & disown; exit" &); sleep 0.1; exit 7'
  [ "$status" -eq 7 ]
  [ ! -e "$TMPDIR/report" ]
  [ -z "$(pgrep -fx 'sleep 88.424242')" ]
}

@test "ends a command with too many processes" {
  ended "it started more than 40 processes and threads" --tasks 40 --seconds 30 \
    bash -c 'for i in {1..80}; do $NAP & done; wait'
}

@test "ends a command with too much memory, in one process or in several" {
  ended "it used more than 60 MiB of memory" --memory 60 --seconds 30 \
    bash -c 'x=$(head -c 80000000 /dev/zero | tr "\0" x); $NAP'
  ended "it used more than 60 MiB of memory" --memory 60 --seconds 30 \
    bash -c 'for i in 1 2 3; do (x=$(head -c 25000000 /dev/zero | tr "\0" x); $NAP) & done; wait'
}

@test "ends a command that writes one large file, several, or too many" {
  mkdir "$TMPDIR/f" "$TMPDIR/g"
  run timeout 30 "$SUPERVISOR" --report "$TMPDIR/report" --file 1 dd if=/dev/zero of="$TMPDIR/one" bs=1M \
    count=4
  [ "$(cat "$TMPDIR/report")" = "it wrote a file of more than 1 MiB" ]
  ended "it filled more than 4 MiB of disk" --folder "$TMPDIR/f" --disk 4 --seconds 30 \
    bash -c 'cd $TMPDIR/f; for i in {1..8}; do head -c 1000000 /dev/zero >$i; done; $NAP'
  ended "it made more than 100 files" --folder "$TMPDIR/g" --disk 4 --names 100 --seconds 30 \
    bash -c 'cd $TMPDIR/g; for i in {1..200}; do >$i; done; $NAP'
}

@test "cuts a flood of output and then ends the command" {
  ended "it printed more than 16 MiB" --output 1 --seconds 30 yes
  [ "$(stat -c %s "$TMPDIR/output")" -lt 1100000 ]
  grep -q 'more than 1 MiB was printed' "$TMPDIR/output"
}

@test "ends a command after its processor time" {
  ended "it used more than 1 seconds of processor time" --cpu 1 --seconds 30 bash -c 'while :; do :; done'
}

@test "--kill-tree ends another program's process tree, with own sessions and ignored SIGTERM" {
  bash -c 'trap "" TERM; setsid sleep 88.616161 & sleep 88.616161; wait' 3>&- &
  local first=$!
  timeout 10 bash -c 'until [ "$(pgrep -fxc "sleep 88.616161")" = 2 ]; do sleep 0.05; done'
  "$SUPERVISOR" --kill-tree "$first"
  run wait "$first"
  [ -z "$(pgrep -fx 'sleep 88.616161')" ]
}

@test "SIGTERM to the supervisor ends all its processes" {
  "$SUPERVISOR" --report "$TMPDIR/report" \
    bash -c 'trap "" TERM; (setsid sleep 88.515151 &); sleep 88.515151; wait' 3>&- &
  local supervisor=$!
  timeout 10 bash -c 'until pgrep -fx "sleep 88.515151" >/dev/null; do sleep 0.05; done'
  kill -TERM "$supervisor"
  run wait "$supervisor"
  [ -z "$(pgrep -fx 'sleep 88.515151')" ]
}

# The sandbox without a grading: runs a command in bubblewrap.
inside() {
  bash -c 'set -eu; source "$ROOT/grader/lib/sandbox.bash"
    TMP=$TMPDIR WORK=$ROOT FILE=$TMPDIR/kernels.cu KEEP= SANDBOX=bwrap
    mkdir -p "$TMP/box"; bubblewrap "$TMP/box"; clean_environment "$TMP/box"
    "${GUARD[@]}" "${ENVIRONMENT[@]}" "$@"' inside "$@"
}

@test "bubblewrap hides solutions, homes, other submissions, network, processes; one folder is writable" {
  bwrap --ro-bind / / --unshare-pid --unshare-net true 2>/dev/null ||
    skip "bubblewrap is missing or not permitted here"
  touch "$TMPDIR/neighbour"
  SECRET=key run -0 inside \
    bash -c 'ls "$1/solutions" "$2/neighbour" /etc/passwd /etc/shadow /root/.bashrc /home/* 2>/dev/null
    echo "secret: ${SECRET:-}"; ls -d /proc/[0-9]* | wc -l
    ls /sys/class/net 2>/dev/null; wc -l </proc/net/dev
    touch ~/mine /usr/x /etc/x /x "$2/x" 2>/dev/null; ls ~; touch /tmp/fine' inside "$ROOT" "$TMPDIR"
  [ "${lines[0]}" = "secret: " ]
  [ "${lines[1]}" -lt 8 ]
  [ "${lines[2]}" -eq 3 ]
  [ "${lines[3]}" = mine ]
  [ -z "${lines[4]:-}" ]
  [ ! -e "$TMPDIR/x" ]
}

# A site's modules say by them which network NCCL uses, and what it must leave alone.
@test "the settings of NCCL reach the programs" {
  NCCL_SOCKET_IFNAME=ib0 run -0 bash -c 'set -eu; source "$ROOT/grader/lib/sandbox.bash"; SANDBOX=none
    clean_environment /nowhere; printf "%s\n" "${ENVIRONMENT[@]}"'
  [[ $output == *NCCL_SOCKET_IFNAME=ib0* ]]
}

@test "the sandbox shows only those folders of PATH that contain compilers" {
  mkdir -p "$TMPDIR"/{compiler,scripts}/bin
  touch "$TMPDIR"/{compiler/bin/nvcc,scripts/bin/bats}
  chmod +x "$TMPDIR"/*/bin/*
  run -0 bash -c 'set -eu; source "$ROOT/grader/lib/sandbox.bash"; TMP=/nowhere WORK=$ROOT FILE=/nowhere KEEP=
    PATH=$PATH:$TMPDIR/compiler/bin:$TMPDIR/scripts/bin; tool_folders'
  shows "$TMPDIR/compiler"
  shows_not "$TMPDIR/scripts"
}

@test "--sandbox accepts four names" {
  run check lesson02 --sandbox jail
  [ "$status" -eq 2 ]
  shows 'there is no sandbox "jail": auto, bwrap, limits or none.'
}

# bats test_tags=slow
@test "hostile sources end within the compiler's limits and show nothing of the machine" {
  tests=("$BATS_TEST_DIRNAME"/abuse/compile/*.cu)
  ((${#tests[@]} >= 15))
  run -0 "$BATS_TEST_DIRNAME/abuse/try" "${tests[@]}"
}

# bats test_tags=slow
@test "hostile programs end within their limits and leave nothing, in bubblewrap or with limits" {
  tests=("$BATS_TEST_DIRNAME"/abuse/run/*.cu)
  ((${#tests[@]} >= 12))
  run -0 "$BATS_TEST_DIRNAME/abuse/try" "${tests[@]}"
}

# bats test_tags=slow
@test "without the inspection the sandbox alone stops the hostile programs, in bubblewrap or with limits" {
  bwrap --ro-bind / / --unshare-pid --unshare-net true 2>/dev/null ||
    skip "bubblewrap is missing or not permitted here"
  local mode
  for mode in bwrap limits; do
    SANDBOX=$mode run -0 "$BATS_TEST_DIRNAME/abuse/try" --past-inspection "$BATS_TEST_DIRNAME"/abuse/run/*.cu
    [ "$(grep -c '^ok ' <<<"$output")" -ge 10 ]
  done
}

# bats test_tags=slow
@test "the solutions get all their points in a sandbox" {
  local lesson
  export WORK=$TMPDIR/work
  new_work "$WORK"
  for lesson in lesson01 lesson02; do
    mkdir "$TMPDIR/$lesson"
    run -0 check "$lesson" --solution --backend auto --sandbox auto --keep "$TMPDIR/$lesson"
    holds "$TMPDIR/$lesson/grade.json" '.verdict == "pass" and (.sandbox | IN("bwrap", "limits"))'
  done
}

# ---- The submission is no program ----

@test "file names with newlines, quotes and escapes are printed safely and graded as others are" {
  local folder=$TMPDIR/$'a "b\' \e[31m\n$(touch x)'
  mkdir -p "$folder"
  mkfifo "$folder/kernels.cu"
  run check lesson02 --sandbox limits --submission "$folder"
  [ "$status" -eq 2 ]
  shows "is not a plain file"
  shows_not $'\e'
}

@test "a submission of 10,000 files or of 500 MB is handled at once" {
  mkdir "$TMPDIR/many" "$TMPDIR/large"
  (cd "$TMPDIR/many" && seq -f 'file-%g.cu' 10000 | xargs touch)
  run timeout 20 "$ROOT/grader/check" lesson02 --submission "$TMPDIR/many"
  [ "$status" -eq 2 ]
  shows "there is no "
  truncate -s 500M "$TMPDIR/large/kernels.cu"
  run timeout 20 "$ROOT/grader/check" lesson02 --submission "$TMPDIR/large"
  [ "$status" -eq 2 ]
  shows "larger than 1 MiB"
}

@test "a file of one line, of very many names, or with a huge type is rejected within seconds" {
  export WORK=$TMPDIR/work
  new_work "$WORK"
  mkdir "$TMPDIR"/{line,words,functions,name}
  head -c 1000000 /dev/zero | tr "\0" ";" >"$TMPDIR/line/loops.c"
  run timeout 60 "$ROOT/grader/check" lesson01 --backend cpu --submission "$TMPDIR/line"
  [ "$status" -eq 1 ]
  shows "loops.c:1: a line of more than 100000 characters"
  { echo '#if 0' && seq -f 'wb_%.0f' 60000 && echo '#endif'; } >"$TMPDIR/words/loops.c"
  run timeout 60 "$ROOT/grader/check" lesson01 --backend cpu --submission "$TMPDIR/words"
  [ "$status" -eq 1 ]
  shows "loops.c contains more than 2000 names that have to be checked"
  cp "$ROOT/solutions/lesson01/loops.c" "$TMPDIR/functions"
  seq -f 'void f%.0f(void) {}' 2100 >>"$TMPDIR/functions/loops.c"
  run timeout 120 "$ROOT/grader/check" lesson01 --backend cpu --task 1 --submission "$TMPDIR/functions"
  [ "$status" -eq 1 ]
  shows "loops.c defines and uses more than 2000 names"
  # A<int, int>, then a type of two of these, and so on: each step doubles the type
  local name=_Z1f1AIiiES_IS0_S0_ES_IS1_S1_E letter
  for letter in {2..9} {A..Q}; do name+="S_IS${letter}_S${letter}_E"; done
  echo "void $name(void) {}" >"$TMPDIR/name/loops.c"
  gcc -c -o "$TMPDIR/name.o" "$TMPDIR/name/loops.c"
  run -0 timeout 60 "$ROOT/grader/lib/look" object 2000 "$TMPDIR/name.o"{,} "$TMPDIR/name.o"
  [ "$output" = $'unreadable\nend' ]
}

@test "names a dozen reasons for a file that has very many, and stops an inspection that takes too long" {
  export WORK=$TMPDIR/work
  new_work "$WORK"
  mkdir "$TMPDIR"/{weak,slow}
  { cat "$ROOT/solutions/lesson01/loops.c"
    seq -f 'extern void weak_%.0f(void) __attribute__((weak));' 1900
    echo 'void (*all[])(void) = {' && seq -f 'weak_%.0f,' 1900 && echo '};'; } >"$TMPDIR/weak/loops.c"
  run timeout 120 "$ROOT/grader/check" lesson01 --backend cpu --task 1 --submission "$TMPDIR/weak"
  [ "$status" -eq 1 ]
  [ "$(grep -c 'this calls `weak_' <<<"$output")" -eq 12 ]
  shows "and there may be more"
  printf '#!/bin/sh\nexec sleep 88.737373\n' >"$TMPDIR/slow/objdump"
  chmod +x "$TMPDIR/slow/objdump"
  cp "$ROOT/solutions/lesson01/loops.c" "$TMPDIR/weak"
  PATH=$TMPDIR/slow:$PATH GRADER_LOOK_LIMIT=1 \
    run timeout 60 "$ROOT/grader/check" lesson01 --backend cpu --task 1 --submission "$TMPDIR/weak"
  [ "$status" -eq 1 ]
  shows "loops.c is too large or too strange to be inspected: it did not end within 1 seconds"
  [ -z "$(pgrep -fx 'sleep 88.737373')" ]
}

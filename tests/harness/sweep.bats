# --sweep of a lesson's program runs a task at many values of one of its sizes.

bats_require_minimum_version 1.5.0

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || exit
  source tests/work.bash
  export WORK=$BATS_FILE_TMPDIR/work
  unset BACKEND
  new_work "$WORK"
  make -s -j2 BACKEND=cpu solution01 solution02 >/dev/null
}
setup() {
  cd "$BATS_TEST_TMPDIR" || exit
  loops=$WORK/build/cpu/solution01
}

@test "tests and times each value, with a line and a bar for each in the table" {
  run -0 "$loops" --task 1 --reps 3 --sweep n=1000..5000
  # The bar of a slow one is empty.
  [ "$(grep -cE "^ +(1000|2000|4000) +[^ ]+ (us|ms) .* x(  #*)?$" <<<"$output")" -eq 3 ]
  [[ $output == *"x  #"* ]]
  run -0 "$loops" --task 1 --reps 3 --sweep n=7,5 --json
  jq -e '[.tasks[] | [.name, .state, .timing.size[0]]] == [["saxpy", "right", 7], ["saxpy", "right", 5]]' \
    <<<"$output"
}

@test "the other sizes keep their values or those of --size" {
  run -0 "$loops" --task 2 --reps 3 --size 10x20x30 --sweep k=3,4 --json
  jq -e '[.tasks[].cases[].size] == [[10, 20, 3], [10, 20, 4]]' <<<"$output"
}

@test "the chart is an SVG with a panel for each task" {
  run -0 "$loops" --task 1 --reps 3 --sweep n=1000..8000 --image chart.svg
  grep -q '<svg .*role="img"' chart.svg
  [ "$(grep -c '<polyline' chart.svg)" -ge 1 ]
  if command -v xmllint >/dev/null; then xmllint --noout chart.svg; fi
}

@test "without timing it says so, tests each value, and draws no chart" {
  run -0 --separate-stderr "$WORK/build/cpu/solution02" --task 1 --sweep n=100..800 --image chart.svg
  [ "$(grep -cE '^ +(100|200|400|800)  right$' <<<"$output")" -eq 4 ]
  [[ $output == *"No times: "* ]]
  [[ $stderr == *"chart.svg: not drawn: nothing was timed here"* ]]
  [ ! -s chart.svg ]
}

@test "rejects a wrong value, an unknown size, too many values and --once, with what to do" {
  local bad
  for bad in n n= =5 'n=3,5,' n=5..3 n=0..8 n=x n=1..99999999999999999999 n=1..9x; do
    run -2 "$loops" --sweep "$bad"
    [[ $output == "--sweep $bad: expected a size and its values, such as n="* ]]
  done
  run -2 "$loops" --sweep "n=$(seq -s , 41)"
  run -2 "$loops" --sweep q=3
  [ "$output" = "--sweep q: no such size; saxpy has n" ]
  run -2 "$loops" --once --sweep n=3
  [ "$output" = "--once takes one size, --sweep many" ]
}

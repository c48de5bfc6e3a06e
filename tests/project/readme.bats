# README.md: its commands are run, and its table matches the tree. Its figures are tested in
# tests/lessons/figures.bats.

bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_DIRNAME/../.." || exit; }

# block MARK [N]: the text of the Nth code block (default: the first) after the line <!-- MARK --> in
# README.md.
block() {
  awk -v mark="<!-- $1 -->" -v wanted="${2:-1}" '
    $0 == mark { marked = 1; next }
    marked && /^```/ { if (inside) { inside = 0; if (n == wanted) exit } else { inside = 1; n++ } next }
    inside && n == wanted' README.md
}

pages() { printf '%s\n' README.md CONTRIBUTING.md ./*/README.md lessons/lesson[0-9][0-9]/README.md; }

@test "the two commands are those that users see and CI runs" {
  [ "$(block grade-command)" = "./bootstrap && grader/check --solution lesson05" ]
  [ "$(block test-command)" = "./bootstrap --dev && make test" ]
  run -0 make -n --no-print-directory test
  [ "$output" = "tests/run" ]
}

# Replaces values that depend on the machine: CPU, cores, seconds.
without_machine() { sed -E 's/CPU backend on .*/CPU backend on X/; s/done in [0-9]+ s/done in N s/'; }

@test "the first command prints what the README shows" {
  ! timeout 20 nvidia-smi -L 2>/dev/null | grep -q GPU ||
    skip "there is a GPU: more is measured than the README shows"
  source tests/work.bash
  new_work "$BATS_TEST_TMPDIR"
  # bootstrap ends with the same lines whether or not something was missing.
  { ./bootstrap && WORK=$BATS_TEST_TMPDIR grader/check --solution lesson05; } |
    without_machine >"$BATS_TEST_TMPDIR/now"
  block grade-command 2 | without_machine | sed '/^Installing/d; /^  done in/d' |
    diff - "$BATS_TEST_TMPDIR/now"
}

@test "CI runs the README's test command word for word, and returns its status" {
  mkdir -p "$BATS_TEST_TMPDIR/a tree/.ci"
  cp .ci/run "$BATS_TEST_TMPDIR/a tree/.ci"
  cd "$BATS_TEST_TMPDIR/a tree"
  printf '%s\n' 'text' '```' 'exit 9' '```' '<!-- test-command -->' '```bash' 'pwd && (exit 7)' '```' '```' \
    'exit 8' '```' >README.md
  run -7 bash .ci/run
  [ "${lines[0]}" = 'pwd && (exit 7)' ]
  [ "${lines[1]}" = "$PWD" ]
  echo 'no block' >README.md
  run -2 bash .ci/run
  [[ $output == *"no block after"* ]]
}

@test "every make target named on a page exists" {
  local target known
  known=$(make -pqrR --no-print-directory 2>/dev/null | sed -n 's/^\([a-zA-Z][a-zA-Z0-9_-]*\):.*/\1/p')
  # In code only: between backquotes, or a line that begins with make.
  pages | xargs grep -ohE '(`|^ *)make [a-z][a-zA-Z0-9-]*' | sed 's/.*make //' |
    sort -u >"$BATS_TEST_TMPDIR/named"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -ge 8 ]
  while read -r target; do
    target=${target/NN/02}
    target=${target/lesson15/lesson02} # the lesson that CONTRIBUTING.md makes
    grep -qx -- "$target" <<<"$known" || { echo "no such target: make $target" && return 1; }
  done <"$BATS_TEST_TMPDIR/named"
}

@test "every option of grader/check and bootstrap named on a page exists" {
  local tool option
  for tool in grader/check bootstrap; do
    "./$tool" --help >"$BATS_TEST_TMPDIR/help"
    while read -r option; do
      grep -q -- "$option" "$BATS_TEST_TMPDIR/help" || { echo "no such option: $tool $option" && return 1; }
    done < <(pages | xargs grep -ohE "$tool( [a-zA-Z0-9.-]+)*" | grep -oE -- ' --[a-z]+' | sort -u)
  done
}

@test "a measured figure has a link to results/, with device, driver and date" {
  # Paragraphs outside code; a figure is a number with a unit of speed or time on a device.
  local figures='[0-9] ?(ms|µs|GB/s|TB/s|[GT]FLOP/s|×)([^a-zA-Z]|$)'
  awk -v RS= -v figures="$figures" '
    /^(```|    )/ { next }
    { gsub(/<!--[^>]*-->/, "") }
    $0 ~ figures && (!/\]\(results\// || !/driver/ || !/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]/) { print;
      bad = 1 }
    END { exit bad }' README.md
}

# The test runner, run on small trees that are created here.

bats_require_minimum_version 1.5.0

setup() {
  tree=$BATS_TEST_TMPDIR/a\ tree
  mkdir -p "$tree/tests/harness/unit"
  cp "$BATS_TEST_DIRNAME/../run" "$tree/tests/run"
  mkdir "$tree/common"
  cp -r "$BATS_TEST_DIRNAME/../../common/shell" "$tree/common/"
  export BATS=${BATS:-$BATS_ROOT/bin/bats} # in a test, PATH leads to the inner part of bats first
  unset WORK
}

# a_file PATH: writes standard input to a test file of the tree. TEST and %tag stand for @test and # bats,
# which bats would read as part of this file.
a_file() { sed "s|^TEST |@test |; s|^%tag |# bats |" >"$tree/tests/$1"; }

runner() { run timeout -k 2 60 "$tree/tests/run" "$@"; }

last_line_is() { [ "${lines[${#lines[@]} - 1]}" = "$1" ] || { printf '%s\n' "$output" && return 1; }; }

@test "when all pass the status is 0 and the last line adds up the files" {
  a_file one.bats <<<'TEST "a" { true; }
TEST "b" { true; }'
  a_file two.bats <<<'TEST "c" { true; }'
  runner
  [ "$status" -eq 0 ]
  last_line_is "3 passed, 0 failed"
}

@test "a failure is shown in full with its output and gives status 1" {
  a_file one.bats <<<'TEST "fine" { true; }
TEST "it adds up" { echo "got 5, wanted 4"; false; }'
  runner
  [ "$status" -eq 1 ]
  [[ $output == *"FAILED: it adds up"*"got 5, wanted 4"* ]]
  last_line_is "1 passed, 1 failed"
}

@test "a failed file runs again by itself: an accident is reported and passes, a mistake fails twice" {
  a_file one.bats <<<'TEST "fine" { true; }'
  a_file two.bats <<END
TEST "only together with others" {
  [ -e "$BATS_TEST_TMPDIR/again" ] || (touch "$BATS_TEST_TMPDIR/again" && echo oops && false)
}
TEST "b" { true; }
END
  runner
  [ "$status" -eq 0 ]
  [[ $output == *"1 passed, 1 failed"*"two.bats"*"FAILED: only together with others"*"oops"* ]]
  [[ $output == *"oops"*"again, by itself: tests/two.bats"*"2 passed, 0 failed"* ]]
  last_line_is "3 passed, 0 failed"
  a_file two.bats <<<'TEST "never" { false; }'
  runner
  [ "$status" -eq 1 ]
  [ "$(grep -c "FAILED: never" <<<"$output")" = 2 ]
  last_line_is "1 passed, 1 failed"
  runner tests/two.bats
  [ "$status" -eq 1 ]
  [[ $output != *again* ]]
  for i in 3 4 5; do a_file $i.bats <<<'TEST "never" { false; }'; done
  runner
  [ "$status" -eq 1 ]
  [[ $output != *again* ]]
  last_line_is "1 passed, 4 failed"
}

@test "a file without a test fails" {
  a_file one.bats <<<'# nothing yet'
  a_file two.bats <<<'TEST "c" { true; }'
  runner
  [ "$status" -eq 1 ]
  [[ $output == *"one.bats declares no test"* ]]
  last_line_is "1 passed, 1 failed"
}

@test "a file that bats can't read fails with bats' message" {
  a_file one.bats <<<'TEST "a" { if; }'
  runner
  [ "$status" -eq 1 ]
  [[ $output == *"FAILED: "*"syntax error"* ]]
}

@test "a file that runs fewer tests than it declares fails" {
  a_file one.bats <<<'TEST "a" { true; }
TEST "b" { true; }
teardown() { kill -9 $PPID $$; }'
  runner
  [ "$status" -eq 1 ]
  [[ $output == *"one.bats ran "*" of the 2 tests it declares"* ]]
}

@test "a skip fails unless it is allowed and its need is missing" {
  a_file one.bats <<<'TEST "on a machine of dreams" { skip "no dream"; }
TEST "a" { true; }'
  runner
  [ "$status" -eq 1 ]
  [[ $output == *"skipped: on a machine of dreams: no dream"* ]]
  last_line_is "1 passed, 1 failed"

  a_file allowed-skips \
    <<<'tests/one.bats | on a machine of dreams | without no-such-command | dreams are rare'
  runner
  [ "$status" -eq 0 ]
  [[ $output == *"1 skipped"* ]]
  last_line_is "1 passed, 0 failed"

  a_file allowed-skips <<<'tests/one.bats | on a machine of dreams | without bash | bash is there'
  runner
  [ "$status" -eq 1 ]
  last_line_is "1 passed, 1 failed"
}

@test "slow tests run only with --all; a file with only slow tests is no failure" {
  a_file one.bats <<<'TEST "a" { true; }
%tag test_tags=slow
TEST "b" { true; }'
  a_file two.bats <<<'%tag file_tags=alone, slow
TEST "c" { true; }'
  runner
  [ "$status" -eq 0 ]
  last_line_is "1 passed, 0 failed"
  runner --all
  [ "$status" -eq 0 ]
  last_line_is "3 passed, 0 failed"
}

@test "files tagged alone run after the others, one by one" {
  local file
  for file in a b c; do
    a_file "$file.bats" <<END
%tag file_tags=$([ $file = c ] && echo together || echo alone)
TEST "$file" {
  echo $file in >>"$BATS_TEST_TMPDIR/order"
  sleep 0.3
  echo $file out >>"$BATS_TEST_TMPDIR/order"
}
END
  done
  runner --jobs 3
  [ "$status" -eq 0 ]
  [ "$(tr '\n' ' ' <"$BATS_TEST_TMPDIR/order")" = "c in c out b in b out a in a out " ]
}

@test "files tagged long begin first" {
  local file
  for file in a b c; do
    a_file "$file.bats" <<END
%tag file_tags=$([ $file = b ] && echo long || echo short)
TEST "$file" { echo $file >>"$BATS_TEST_TMPDIR/order"; }
END
  done
  runner --jobs 1
  [ "$status" -eq 0 ]
  [ "$(tr '\n' ' ' <"$BATS_TEST_TMPDIR/order")" = "b c a " ]
}

@test "C unit tests are built by make units and counted one by one" {
  a_file harness/unit/test_sum.c <<'END'
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
static void good(void **state) { (void)state; }
static void bad(void **state) { (void)state; assert_int_equal(2 + 2, 5); }
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(good), cmocka_unit_test(bad)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
END
  cat >"$tree/Makefile" <<'END'
units: ; mkdir -p build/unit && gcc -o build/unit/test_sum tests/harness/unit/test_sum.c -lcmocka
END
  runner
  [ "$status" -eq 1 ]
  [[ $output == *"FAILED: bad"*"0x4 != 0x5"* ]]
  last_line_is "1 passed, 1 failed"
}

@test "units that don't compile fail, with the compiler's message" {
  a_file harness/unit/test_sum.c <<<'int main(void) { return x; }'
  a_file one.bats <<<'TEST "a" { true; }'
  echo 'units: ; gcc -o test_sum tests/harness/unit/test_sum.c' >"$tree/Makefile"
  runner
  [ "$status" -eq 1 ]
  [[ $output == *"FAILED: make units"*"undeclared"* ]]
  last_line_is "1 passed, 2 failed"
}

@test "only the named files run, from any folder; an unknown one gives status 2 and the list" {
  a_file one.bats <<<'TEST "a" { true; }'
  a_file two.bats <<<'TEST "b" { false; }'
  cd "$tree/tests"
  runner one.bats
  [ "$status" -eq 0 ]
  last_line_is "1 passed, 0 failed"
  runner three.bats
  [ "$status" -eq 2 ]
  [[ $output == *"no such test file: three.bats"*"tests/two.bats"* ]]
  runner --fast
  [ "$status" -eq 2 ]
  [[ $output == *"there is no option --fast"* ]]
}

@test "the caller's settings don't reach the tests" {
  a_file one.bats <<<'TEST "a" { [ -z "${BACKEND+x}${MAKEFLAGS+x}${BATS_LIB_FROM_OUTSIDE+x}" ]; }'
  BACKEND=cuda MAKEFLAGS=k BATS_LIB_FROM_OUTSIDE=1 runner
  [ "$status" -eq 0 ]
}

@test "an interrupt ends all that was started, with status 130" {
  local nap=61.$RANDOM
  a_file one.bats <<<"TEST \"a\" { sleep $nap; }"
  local signal
  for signal in INT TERM; do
    run timeout --preserve-status -k 5 -s $signal 2 "$tree/tests/run"
    [ "$status" -eq "$([ $signal = INT ] && echo 130 || echo 143)" ]
    sleep 0.3
    run ! grep -zqsxF "$nap" /proc/[0-9]*/cmdline
  done
}

@test "without bats it says how to install it, status 3" {
  mkdir "$BATS_TEST_TMPDIR/bin"
  local tool
  for tool in bash dirname realpath nproc find sort env; do
    ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/bin/$tool"
  done
  a_file one.bats <<<'TEST "a" { true; }'
  run -3 env PATH="$BATS_TEST_TMPDIR/bin" BATS=/nowhere "$tree/tests/run"
  [[ $output == *"./bootstrap --dev installs it"* ]]
}

@test "every entry of allowed-skips names an existing test, a need and a reason" {
  local file name need reason
  while IFS='|' read -r file name need reason; do
    case $file in '' | '#'*) continue ;; esac
    read -r file <<<"$file"
    read -r name <<<"$name"
    [ -f "$BATS_TEST_DIRNAME/../../$file" ] || { echo "no such file: $file" && return 1; }
    [ "$name" = '*' ] || grep -qF "@test \"$name\"" "$BATS_TEST_DIRNAME/../../$file" ||
      { echo "no such test: $name" && return 1; }
    [[ $need == *" without "* ]] || { echo "no need: $need" && return 1; }
    [ -n "${reason// /}" ] || { echo "no reason: $name" && return 1; }
  done <"$BATS_TEST_DIRNAME/../allowed-skips"
}

@test "the time by room is printed before the last line" {
  mkdir -p "$tree/tests/small" "$tree/tests/large"
  a_file small/one.bats <<<'TEST "quick" { true; }'
  a_file large/one.bats <<<'TEST "slow" { sleep 1.2; }'
  runner
  [ "$status" = 0 ]
  [[ $output =~ "time by room: large "[0-9]+" s, small "[0-9]+" s"$'\n'"2 passed, 0 failed"$ ]] ||
    { echo "$output" && return 1; }
}

# play.bash: what the tests of the interactive widgets share. Sourced.
# shellcheck shell=bash disable=SC2154 # output: set by Bats' run

load site

setup_file() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  needs_site
  export ROOT CUCC_BUILD=${CUCC_BUILD:-${WORK:-$ROOT}/build/tests/cucc}
}

# js TEXT: runs an ES module with play, model and initial, and prints its output.
js() {
  run -0 node --no-warnings --input-type=module \
    -e "import { play, model, initial } from '$ROOT/site/play/index.js';
    const shown = (v) => typeof v === 'string' ? v : JSON.stringify(v);
    const print = (...values) => console.log(values.map(shown).join(' '));
    const message = (f) => { try { f(); return 'no error'; } catch (error) { return error.message; } };
    $1"
}

# is TEXT: the output is exactly that.
is() {
  [ "$output" = "$1" ] || { printf 'expected:\n%s\ncame:\n%s\n' "$1" "$output" && return 1; }
}

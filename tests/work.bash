# work.bash: WORK folders for tests that build. The CPU backend's library, the harness of both kinds of lesson
# and the grader's tools take longest. They are built once for all test files, in build/tests; each folder
# begins with a copy of them.
# build/cucc is a link to the one library of all: a test that runs a copy of the checkout must not write there
# (cucc would build it again, with the places of the copy in it) and removes the link.
# shellcheck shell=bash

ROOT=${ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
SHARED_WORK=${SHARED_WORK:-${WORK:-$ROOT}/build/tests}
SHARED_CUCC=${SHARED_CUCC:-${CUCC_BUILD:-$SHARED_WORK/cucc}} # tests/cpu builds its own programs with it, too
export SHARED_WORK SHARED_CUCC

# new_work DIR: a fresh WORK.
new_work() {
  mkdir -p "$1/build" "$SHARED_WORK/build" "$SHARED_CUCC"
  (
    flock 9
    ln -sfn "$SHARED_CUCC" "$SHARED_WORK/build/cucc"
    build_shared LESSON=lesson01 BACKEND=tsan # which has what all programs of a plain C lesson share
    build_shared LESSON=lesson02 BACKEND=cpu rewriter # and what reads a learner's file before it is compiled
    cp -a "$SHARED_WORK/build/." "$1/build/" # under the lock, too: a compiler's files come and go
  ) 9>"$SHARED_WORK/.lock"
}

build_shared() {
  env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -j2 -C "$ROOT" --no-print-directory WORK="$SHARED_WORK" \
    "$@" harness
}

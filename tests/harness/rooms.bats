#!/usr/bin/env bats
# The rooms of the harness, from the lowest to the highest. A file may use its own room and lower ones.
# tests/rooms.bash checks this; tests/cpu/rooms.bats shows that it finds faults.

bats_require_minimum_version 1.5.0

ROOMS='base model device worker report run'

setup() { cd "$BATS_TEST_DIRNAME/../.." || exit; }

# built KIND: prints the folder of the harness's objects, without those of sources that are gone
built() {
  local folder=$BATS_TEST_TMPDIR/build/$1/common/harness object source
  for object in "$folder"/*/*.o; do
    source=${object%.o} source=common/harness/${source#"$folder"/}
    [ -f "$source.c" ] || [ -f "$source.cu" ] || rm "$object"
  done
  printf '%s\n' "$folder"
}

# shellcheck disable=SC2086 # the rooms are words
in_order() { run -0 tests/rooms.bash "$1" "$2" $ROOMS; }

@test "no file of the harness includes a header of a higher room" { in_order includes common/harness; }

@test "no object of the harness takes a symbol from a higher room, and none are in a circle" {
  source tests/work.bash
  new_work "$BATS_TEST_TMPDIR"
  in_order objects "$(built host)"
  in_order objects "$(built cpu)"
}

@test "base/text needs nothing of the harness" {
  run -1 grep -h '^#include "' common/harness/base/text.h
  [ "$(grep -h '^#include "' common/harness/base/text.c)" = '#include "base/text.h"' ]
}

# One header serves the variants for a GPU and for the host. wb.h declares what drivers call.
@test "each source of the harness has a header of its own" {
  local source stem header
  for source in common/harness/*/*.c common/harness/*/*.cu; do
    stem=${source%.*}
    case $stem in
      */run/main | */device/baselines) header=common/wb.h ;;
      *_cuda | *_host | *_cupti) header=${stem%_*}.h ;;
      *) header=$stem.h ;;
    esac
    [ -f "$header" ] || { echo "$source: there is no $header" && return 1; }
    grep -qF "#include \"${header#common/}\"" "$source" ||
      grep -qF "#include \"${header#common/harness/}\"" "$source" ||
      { echo "$source does not include $header" && return 1; }
  done
}

@test "the map in common/README.md names every room and every file of the harness" {
  local room file missing=''
  for room in $ROOMS; do
    for file in common/harness/"$room"/*; do
      file=${file##*/}
      sed -n "s,^ *$room/ ,,p" common/README.md |
        sed -E "s/([a-z]+) \(_([a-z]+), _([a-z]+)\)/\1 \1_\2 \1_\3/g; s/([a-z]+) \(_([a-z]+)\)/\1 \1_\2/g" |
        tr -s "[:space:](),.:;" "\n" | grep -qxF "${file%.*}" || missing+=" $room/${file%.*}"
    done
  done
  [ -z "$missing" ] || { echo "not in the map:$missing" && return 1; }
}

# included FILE: prints the driver's sources whose headers FILE includes, and those that these include
included() {
  local file=$1 header
  sed -n 's/^#include "\([a-z_]*\)\.h"$/\1/p' "$file" | while read -r header; do
    [ -f "${file%/*}/$header.c" ] || continue
    printf '%s\n' "${file%/*}/$header.c"
    [ "${file%/*}/$header.c" = "$file" ] || included "${file%/*}/$header.c"
  done
}

# Workers are forked from the process that asks the oracle, and a forked process cannot use a team of OpenMP
# that its parent started: it waits for ever.
@test "no oracle starts a team of OpenMP" {
  local oracle file
  for oracle in lessons/lesson*/driver/oracle.c; do
    for file in "$oracle" $(included "$oracle" | sort -u); do
      run -1 grep -n '#pragma omp' "$file"
    done
  done
}

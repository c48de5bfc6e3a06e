#!/usr/bin/env bats
# The rooms of a program: which files may use which. tests/rooms.bash looks; here stands that it sees faults,
# and the order of the CPU backend's rooms.

load helper

# Three rooms, in which each file uses only lower ones: `top` and `side` stand at the same height.
house() {
  cd "$BATS_TEST_TMPDIR" || return
  mkdir -p house/ground house/top house/side
  echo 'int ground(void);' >house/ground/ground.h
  printf '#include "ground.h"\nint ground(void) { return 1; }\n' >house/ground/ground.c
  printf '#include "ground/ground.h"\nint top(void) { return ground(); }\n' >house/top/top.c
  printf '#include "house/ground/ground.h"\nint side(void) { return ground(); }\n' >house/side/side.c
}

compile_house() {
  local source
  for source in house/*/*.c; do gcc -I. -Ihouse -c "$source" -o "${source%.c}.o"; done
}

rooms() { run "$ROOT/tests/rooms.bash" "$1" house ground top,side; }

@test "rooms: files that use lower rooms only pass" {
  house
  compile_house
  rooms includes
  [ "$status" -eq 0 ] && [ -z "$output" ]
  rooms objects
  [ "$status" -eq 0 ] && [ -z "$output" ]
}

@test "rooms: an include that goes up and one of a room at the same height are reported" {
  house
  echo 'int top(void);' >house/top/top.h
  printf '#include "top/top.h"\n' >>house/ground/ground.c
  printf '#include "top/top.h"\n' >>house/side/side.c
  rooms includes
  [ "$status" -eq 1 ]
  [ "$output" = 'ground/ground.c includes top/top.h, which is higher
side/side.c includes top/top.h, which stands at the same height' ]
}

@test "rooms: a symbol taken from a higher room or one at the same height is reported, in both forms" {
  house
  printf 'int top(void); int more(void) { return top(); }\n' >>house/ground/ground.c
  printf 'int top(void); int beside(void) { return top(); }\n' >>house/side/side.c
  compile_house
  local expected='ground/ground uses top of top/top, which is higher
side/side uses top of top/top, which stands at the same height
a circle:'
  rooms objects
  [ "$status" -eq 1 ] && [[ $output == "$expected"* ]]
  local object
  for object in house/*/*.o; do cp "$object" "$(basename "$(dirname "$object")")-$(basename "$object")"; done
  ar rcs house.a ./*-*.o
  run "$ROOT/tests/rooms.bash" objects house.a ground top,side
  [ "$status" -eq 1 ] && [[ $output == "$expected"* ]]
}

@test "rooms: a circle of files in one room is reported" {
  house
  printf 'int deep(void); int more(void) { return deep(); }\n' >>house/ground/ground.c
  printf 'int ground(void); int deep(void) { return ground(); }\n' >house/ground/deep.c
  compile_house
  rooms objects
  [ "$status" -eq 1 ]
  [ "${lines[0]}" = 'a circle:' ]
  [[ $output == *'  ground/ground'* && $output == *'  ground/deep'* ]]
}

@test "rooms: headers that include each other are reported" {
  house
  echo '#include "deep.h"' >>house/ground/ground.h
  echo '#include "ground.h"' >house/ground/deep.h
  rooms includes
  [ "$status" -eq 1 ] && [ "${lines[0]}" = 'a circle:' ]
}

@test "rooms: a file outside the listed rooms and a listed room without files are reported" {
  house
  mkdir house/attic
  echo >house/attic/box.c
  run "$ROOT/tests/rooms.bash" includes house ground top,side cellar
  [ "$status" -eq 1 ]
  [ "$output" = 'attic/box.c lies in no listed room
the room cellar has no files' ]
}

@test "the rewriter: no circle among its files, by their includes and by the symbols of their objects" {
  local folder=$BATS_TEST_TMPDIR/objects source
  run "$ROOT/tests/rooms.bash" includes "$ROOT/common/cpu/rewrite" .
  [ "$status" -eq 0 ] && [ -z "$output" ]
  mkdir "$folder"
  for source in "$ROOT"/common/cpu/rewrite/*.c; do
    gcc -std=gnu11 -I "$ROOT/common/harness" -c "$source" -o "$folder/$(basename "$source" .c).o"
  done
  run "$ROOT/tests/rooms.bash" objects "$folder" .
  [ "$status" -eq 0 ] && [ -z "$output" ]
}

@test "the rewriter: each source has its own header and includes it first" {
  local source name
  for source in "$ROOT"/common/cpu/rewrite/*.c; do
    name=$(basename "$source" .c)
    [ "$name" != rewrite ] || continue # the program itself
    [ "$(grep -m 1 '^#include' "$source")" = "#include \"$name.h\"" ]
  done
}

# From the ground: base (time, options, text, fibers) · state (what there is) · memory (the arena and its
# shadow) · checker (the order of events, and findings) · blocks (threads, warps, blocks and the grid run) ·
# hooks (what compiled code calls) and engine (what runs operations), which do not know each other · calls
# (what the host calls).
RUNTIME=(base state memory checker blocks "hooks,engine" calls)

@test "the runtime's files include only what lies in their own room and in lower ones" {
  run "$ROOT/tests/rooms.bash" includes "$ROOT/common/cpu/runtime" "${RUNTIME[@]}"
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "the runtime's objects take symbols only from their own room and lower ones, without a circle" {
  echo 'int main() {}' >"$BATS_TEST_TMPDIR/empty.cu"
  "$CUCC" -c "$BATS_TEST_TMPDIR/empty.cu" -o "$BATS_TEST_TMPDIR/empty.o"
  "$CUCC" --fast -c "$BATS_TEST_TMPDIR/empty.cu" -o "$BATS_TEST_TMPDIR/empty.o"
  local kind archive
  for kind in checked fast; do
    archive=$CUCC_BUILD/g++/libcucc-$kind.a
    [ "$(ar t "$archive" | wc -l)" -gt 50 ]
    run "$ROOT/tests/rooms.bash" objects "$archive" "${RUNTIME[@]}"
    echo "$output"
    [ "$status" -eq 0 ]
  done
}

@test "each source of the runtime that others use has a header of its own name" {
  cd "$ROOT/common/cpu/runtime" || return
  local header=0 source
  for source in */*.h; do
    if [ -e "${source%.h}.c" ]; then
      grep -q "^#include \"$source\"" "${source%.h}.c" ||
        { echo "${source%.h}.c does not include $source"; return 1; }
      header=$((header + 1))
    fi
  done
  [ "$header" -gt 50 ]
}

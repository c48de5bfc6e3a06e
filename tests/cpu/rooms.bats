#!/usr/bin/env bats
# The rooms of a program: which files may use which. tests/rooms.bash looks; here stands that it sees faults, and the order of
# the CPU backend's rooms.

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

@test "rooms: a symbol taken from a higher room or one at the same height is reported, in a folder and in an archive" {
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

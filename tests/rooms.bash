#!/usr/bin/env bash
# Checks that the files of a folder keep the order of its rooms, and that no circle exists among them.
#
#   tests/rooms.bash includes FOLDER ROOM...   reads the #include lines of FOLDER/ROOM/*.[ch]
#   tests/rooms.bash objects WHERE ROOM...     reads the symbols of the objects; WHERE is a folder with
#                                              ROOM/FILE.o, or an archive with members ROOM-FILE.o
#
# The rooms are given from the lowest to the highest: a file may use its own room and the rooms before it.
# Rooms that are joined by a comma (hooks,engine) stand at the same height and must not use each other. The
# room . is the folder itself. Prints one line for each use that goes up and the files of each circle. Exit
# status: 0 none, 1 some, 2 the check itself failed.
set -euo pipefail

usage() {
  sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2
  exit 2
}

fail() {
  printf 'rooms: %s\n' "$1" >&2
  exit 2
}

# FILE OTHER WHY for each include of one of the folder's own files. An included name is relative to the file's
# own folder, to FOLDER, or to the folder above FOLDER.
include_uses() {
  local folder=$1 file name other directory
  find "$folder" -name '*.[ch]' -printf '%P\n' | sort | while read -r file; do
    directory=$(dirname "$file")
    sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]+"([^"]+)".*/\1/p' "$folder/$file" |
      while read -r name; do
      for other in "$directory/$name" "$name" "${name#"${folder##*/}"/}"; do
        other=${other#./}
        [[ -e $folder/$other ]] || continue
        printf '%s %s includes\n' "$file" "$other"
        break
      done
    done
    printf '%s %s -\n' "$file" "$file"
  done
}

# The same for each symbol that an object takes from another one.
object_uses() {
  local where=$1
  if [[ -d $where ]]; then
    (cd "$where" && find . -name '*.o' -printf '%P\n' | sort | xargs -r nm -A)
  else
    nm -A "$where" | sed -E 's,^[^:]*:([^:-]*)-,\1/,'
  fi | awk '
    { file = substr($0, 1, index($0, ":") - 1); sub(/\.o$/, "", file); seen[file]; symbol = $NF;
      kind = $(NF - 1) }
    kind ~ /^[TDBRGSCVWiu]$/ && !(symbol in home) { home[symbol] = file }
    kind == "U" { taken[file, symbol] }
    END {
      for (file in seen) print file, file, "-"
      for (pair in taken) {
        split(pair, p, SUBSEP)
        if (p[2] in home && home[p[2]] != p[1]) print p[1], home[p[2]], p[2]
      }
    }' | sort
}

# Reads uses; prints those that go up, and files that lie in none of the rooms.
upward() {
  awk -v rooms="$*" '
    function room(file) { return file ~ /\// ? substr(file, 1, index(file, "/") - 1) : "." }
    BEGIN {
      floors = split(rooms, floor, " ")
      for (f = 1; f <= floors; f++) {
        k = split(floor[f], r, ",")
        for (i = 1; i <= k; i++) height[r[i]] = f
      }
    }
    {
      from = room($1); to = room($2); used[from]
      if ($3 == "-") { if (!(from in height)) print $1 " lies in no listed room" ; next }
      if (!(from in height) || !(to in height) || from == to || height[to] < height[from]) next
      print $1 ($3 == "includes" ? " includes " $2 : " uses " $3 " of " $2) \
        (height[to] == height[from] ? ", which stands at the same height" : ", which is higher")
    }
    END { for (name in height) if (!(name in used)) print "the room " name " has no files" }'
}

circles() {
  awk '$3 != "-" && $1 != $2 { print $1, $2 }' | sort -u | { tsort 2>&1 >/dev/null || true; } |
    sed 's/^tsort: -: input contains a loop:/a circle:/; s/^tsort: /  /'
}

main() {
  local uses faults
  (($# >= 3)) || usage
  [[ -e $2 ]] || fail "$2 does not exist"
  case $1 in
    includes) uses=$(include_uses "${2%/}") ;;
    objects) uses=$(object_uses "${2%/}") ;;
    *) usage ;;
  esac
  [[ -n $uses ]] || fail "$2 has no files"
  shift 2
  faults=$(upward "$@" <<<"$uses" && circles <<<"$uses")
  [[ -n $faults ]] || return 0
  printf '%s\n' "$faults"
  return 1
}

main "$@"

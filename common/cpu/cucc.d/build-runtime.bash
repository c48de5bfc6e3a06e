# shellcheck shell=bash
# Part of cucc: builds what it needs, the rewriter and the runtime library, for one compiler and one kind
# (checked or fast). Sourced by cucc, which sets `here` (the directory of cucc), `cxx` (array: the C++
# compiler and its arguments), `kind` and `build` (the directory to build in).
#
#   runtime_ready    builds unless everything is current; ends the process with status 3 or 4 when that fails
#
# CUCC_RUNTIME_FLAGS is for examining the runtime itself: it is added to the flags that the runtime and the
# libraries are compiled with, and to those that programs are linked with, but not to those of the learner's
# own code. Each value has a build of its own. The tests run it, with g++, under
#   CUCC_RUNTIME_FLAGS='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
#
# Only one cucc at a time builds in a directory; the others wait and then use its result.

read -ra runtime_flags <<<"${CUCC_RUNTIME_FLAGS:-}"

# Ends cucc with STATUS and a message: 3 when a tool or library has to be installed, 4 for every other reason.
# grader/lib/build.bash relies on the two.
give_up() { # status sentence [lines...]
  printf 'cucc: %s\n' "$2" >&2
  (($# < 3)) || printf '  %s\n' "${@:3}" >&2
  exit "$1"
}

# The C compiler that belongs to the C++ compiler: g++-12 -> gcc-12, clang++ -> clang.
c_compiler() {
  local directory='' name=${cxx[0]##*/}
  [[ ${cxx[0]} != */* ]] || directory=${cxx[0]%/*}/
  case $name in
    clang++*) name=clang${name#clang++} ;;
    *g++*) name=${name/g++/gcc} ;;
    *)
      name=cc
      directory=
      ;;
  esac
  printf '%s\n' "${CUCC_CC:-$directory$name}"
}

# The names of all sources in one line: a file added or removed shows there, a changed one by its time. cucc
# has the flags of the precompiled header.
runtime_is_current() {
  local stamp=$build/$kind.stamp source compiler
  local -a sources=("$here"/cucc "$here"/cucc.d/* "$here"/rewrite/* "$here"/../harness/base/{text.*,page.h} \
    "$here"/runtime/*/* "$here"/include/*.h "$here"/include/*/*.h)
  source_list="${sources[*]}"
  [[ -e $stamp && -x $build/rewrite && -x $build/gaps && -e $build/libcucc-$kind.a &&
    $(<"$stamp") == "$source_list" ]] || return 1
  compiler=$(type -P "${cxx[0]}") || return 1
  for source in "$compiler" "${sources[@]}"; do
    [[ ! $source -nt $stamp ]] || return 1
  done
}

check_compiler() {
  local version probe
  local other="set CUCC_CXX to another compiler"
  printf '#ifdef __clang__\nclang __clang_major__\n#else\ngcc __GNUC__\n#endif\n' >"$new/version.cpp"
  version=$("${cxx[@]}" -E -P "$new/version.cpp" 2>/dev/null) ||
    give_up 4 "${cxx[*]} does not work: it cannot preprocess C++ ($other)"
  version=${version##*$'\n'} # clang begins with empty lines
  case $version in
    gcc\ *) ((${version#gcc } >= 11)) || give_up 4 \
      "${cxx[*]} is g++ ${version#gcc }; g++ 11 or newer is needed ($other)" ;;
    clang\ *) ((${version#clang } >= 14)) || give_up 4 \
      "${cxx[*]} is clang++ ${version#clang }; 14 or newer is needed ($other)" ;;
    *) give_up 4 "${cxx[*]} is neither g++ nor clang++ ($other)" ;;
  esac
  probe=$new/probe
  printf 'int main() { return 0; }\n' >"$probe.cpp"
  "${cxx[@]}" "$probe.cpp" -o "$probe" -lboost_context 2>/dev/null ||
    give_up 3 "the library Boost.Context is missing. Install it:" \
      "Debian, Ubuntu  apt-get install libboost-context-dev" "Fedora, Rocky   dnf install boost-devel" \
      "macOS           brew install boost" "a cluster       module load boost (and its path in LIBRARY_PATH)"
}

# compile_part SOURCE NAME COMMAND...: compiles one source to NAME.o. Its messages go to a file that stays
# only when it fails.
compile_part() {
  local source=$1 object=$new/$2.o
  shift 2
  if "$@" -c "$source" -o "$object" 2>"$object.txt"; then rm -f "$object.txt"; fi
}

# in_turn COMMAND...: runs it in the background, after another one where as many run as there are cores.
in_turn() {
  if ((running >= jobs)); then
    wait -n || true
    running=$((running - 1))
  fi
  "$@" &
  running=$((running + 1))
}

# compile_tool NAME INPUT...: a program that cucc calls.
compile_tool() {
  if "$host_cc" -std=gnu11 -O2 "${@:2}" -o "$new/$1" 2>"$new/$1.txt"; then rm -f "$new/$1.txt"; fi
}

compile_runtime() {
  local source name jobs running=0 cc host_cc checked=1
  local -a messages
  [[ $kind == checked ]] || checked=0
  cc=$(c_compiler)
  command -v "$cc" >/dev/null || give_up 3 "no C compiler '$cc' for '${cxx[0]}' (set CUCC_CC to one)"
  jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
  [[ $cc != */* ]] || cc=$(realpath -s "$(command -v "$cc")")
  host_cc=$cc
  [[ -z $cross ]] || host_cc=gcc
  # The names are relative, so that a cache of compilations knows the sources in every checkout.
  cd "$here" || exit
  mkdir "$new/tools"
  local -a flags=(-O2 -g -Wall -Wextra "-DCUCC_CHECKED=$checked" -I runtime -I ../harness -I include \
    "${runtime_flags[@]}")
  # Else atomic operations are functions outside of the runtime's section (see archive_runtime).
  [[ $("${cxx[@]}" -dumpmachine) != aarch64* ]] || flags+=(-mno-outline-atomics)
  in_turn precompile_header "$new/headers" # the longest is the first
  in_turn compile_tool gaps cucc.d/gaps.c
  for source in rewrite/*.c ../harness/base/text.c; do
    in_turn compile_part "$source" "tools/${source##*/}" "$host_cc" -std=gnu11 -O2 -I ../harness
  done
  for source in runtime/*/*.c ../harness/base/text.c; do
    name=${source#runtime/}
    name=${name#../harness/}
    [[ $name != base/places.c ]] || source=$here/$source # it learns from its name where the checkout is
    in_turn compile_part "$source" "${name//\//-}" "$cc" -std=gnu11 "${flags[@]}"
  done
  wait
  compgen -G "$new/tools/*.txt" >/dev/null || compile_tool rewrite "$new"/tools/*.o
  mapfile -t messages < <(compgen -G "$new/*.txt"; compgen -G "$new/tools/*.txt")
  if ((${#messages[@]} > 0)); then
    printf 'cucc: its runtime does not compile with %s:\n' "${cxx[*]}" >&2
    cat "${messages[@]}" >&2
    exit 4
  fi
}

# move_code SECTION FILE: puts its functions, of an object or of all objects of an archive, into that section.
move_code() {
  "${cross}objcopy" --rename-section .text="$1" --rename-section .text.unlikely="$1" \
    --rename-section .text.hot="$1" --rename-section .text.startup="$1" "$2"
}

# Makes the archive. The runtime's code gets its own section, so that a signal handler can distinguish it from
# a kernel's (runtime/base/code.c).
archive_runtime() {
  move_code cucc_hooks "$new/hooks-hooks.c.o"
  "${cross}ar" rcs "$new/lib.a" "$new"/*.o
  move_code cucc_text "$new/lib.a"
  hide_names
}

# Precompiles the header that precedes every .cu file, which halves the compile time of a small file. g++ uses
# the result where the flags are the usual ones, and the header itself otherwise. Its sources are among those
# of the runtime.
precompile_header() { # directory, and yes for a header of NVRTC's modules
  [[ $compiler == gcc ]] || return 0
  local user=() optimise='' debug='' device_debug='' stream_kind=legacy standard=gnu++17 module=${2-no}
  local header=cucc/first.h
  [[ $module == no ]] || header=cucc/module.h
  cuda_flags
  mkdir -p "$1/cucc"
  "${cxx[@]}" "${flags[@]}" -x c++-header "$here/include/$header" -o "$1/$header.gch" 2>/dev/null || return 0
}

# Renames the symbols that the files of the new archive share, so that a program may have its own variable
# `data` and function `count`.
hide_names() { # the archive of the runtime that it calls, if it is another
  "${cross}nm" -g --defined-only "$@" "$new/lib.a" | awk '
    NF == 3 && sub(/^cucc__/, "", $3) { hidden[$3]; next }
    NF == 3 && $3 !~ /^(cucc|cuda|cu[A-Z]|cublas|curand|nccl|nvrtc|__|_Z)/ { hidden[$3] }
    END { for (name in hidden) print name, "cucc__" name }' >"$new/names"
  "${cross}objcopy" --redefine-syms "$new/names" "$new/lib.a"
}

build_runtime() {
  local new
  # Files come into place by renaming, so without flock two builders would only do the work twice.
  if command -v flock >/dev/null; then
    exec 9>"$build/.lock"
    flock 9
  fi
  ! runtime_is_current || return 0
  new=$(mktemp -d "$(cd "$build" && pwd)/new.XXXXXX")
  # shellcheck disable=SC2064 # its value now
  trap "rm -rf '${new//\'/\'\\\'\'}'" EXIT
  check_compiler
  rm -f "$build/$kind.version"
  compiler_version >"$new/version"
  # The stamp has the time of the start, so that files edited meanwhile are built again.
  printf '%s\n' "$source_list" >"$new/stamp"
  (compile_runtime) || exit
  archive_runtime
  mv "$new/lib.a" "$build/libcucc-$kind.a"
  mv "$new/rewrite" "$new/gaps" "$build"
  rm -rf "$build/$kind.headers"
  [[ ! -d $new/headers ]] || mv "$new/headers" "$build/$kind.headers"
  mv "$new/version" "$build/$kind.version"
  mv "$new/stamp" "$build/$kind.stamp"
  rm -rf "$new"
}

runtime_ready() {
  ! runtime_is_current || return 0
  command -v "${cxx[0]}" >/dev/null ||
    give_up 3 "no C++ compiler: '${cxx[0]}' was not found. Install one, or set CUCC_CXX to another:" \
      "Debian, Ubuntu  apt-get install g++ libboost-context-dev" \
      "Fedora, Rocky   dnf install gcc-c++ boost-devel" \
      "macOS           xcode-select --install && brew install gcc boost" \
      "a cluster       module load gcc boost"
  if ! mkdir -p "$build" 2>/dev/null || [[ ! -w $build ]]; then
    give_up 4 "cannot write $build, where its runtime library is kept (set CUCC_BUILD to another directory)"
  fi
  # In a subshell: its traps and its lock end with it.
  (build_runtime) || exit
}

# build.bash: finds the tools, chooses the kinds of program that this lesson needs here, and builds them.
# Sourced by grader/check.
# shellcheck shell=bash

KINDS=()             # the programs to run, in this order
declare -A BUILT=()  # kind -> here | submission
declare -A MISSING=() # kind -> "reason message" of a kind that cannot be used
BUILD_MESSAGE=
WARNINGS= # of the compiler, about a file that compiles

# Sets WORK and BATS; reports missing tools.
find_tools() {
  WORK=${WORK:-$ROOT}
  [[ -d $WORK ]] || stop 3 "WORK names $WORK, which is not a folder."
  WORK=$(cd -P -- "$WORK" && pwd)
  local tool lack=()
  BATS=$(find_bats "$ROOT" "$WORK") || lack+=(bats)
  for tool in jq flock timeout; do
    command -v "$tool" >/dev/null || lack+=("$tool")
  done
  ((${#lack[@]} == 0)) || stop 3 "needs ${lack[*]}, not found here. \`./bootstrap\` installs missing tools."
}

# The compilers and tools that are missing for any build, in words; nothing if all are there.
missing_compiler() {
  local lacking="" tool
  for tool in make "${CC:-${CROSS_COMPILE:-}gcc}" \
    "$([[ $PLAIN_C == true ]] || printf '%s' "${CXX:-${CROSS_COMPILE:-}g++}")"; do
    [[ -z $tool ]] || command -v "${tool%% *}" >/dev/null || lacking+=", ${tool%% *}"
  done
  printf "%s" "${lacking#, }"
}

# Sets MAKE: the words that call the checkout's Makefile for this lesson, also if make has called the grader.
# make looks for nvcc only where it is needed.
set_make() {
  unset MAKEFLAGS MAKELEVEL MFLAGS
  MAKE=(make -s -C "$ROOT" --no-print-directory "WORK=$WORK" "LESSON=$LESSON")
}

# Decides KINDS, BUILT and MISSING.
choose_kinds() {
  local wanted=(cpu) kind lack can_build=''
  set_make
  lack=$(missing_compiler)
  if [[ $PLAIN_C == true ]]; then
    wanted+=(asan tsan)
  elif [[ $BACKEND == cuda ]]; then
    wanted+=(cuda)
  elif [[ $BACKEND == cpu ]]; then
    MISSING[cuda]="not_asked --backend cpu was asked for"
  elif has_gpu_device; then
    wanted+=(cuda)
  else
    MISSING[cuda]="no_gpu no GPU here"
  fi
  if [[ -z $lack && ${wanted[*]} == *cuda* ]]; then
    can_build=$("${MAKE[@]}" BACKEND= backends 2>"$TMP/backends.log") ||
      stop 3 "\`make backends\` failed:" "$(<"$TMP/backends.log")"
  elif [[ -z $lack ]]; then
    printf -v can_build '%s\n' "${wanted[@]}"
    MAKE+=(NVCC=)
  fi
  for kind in "${wanted[@]}"; do
    if [[ $'\n'$can_build$'\n' == *$'\n'"$kind"$'\n'* ]]; then
      KINDS+=("$kind") BUILT[$kind]=here
    elif [[ -n $SUBMISSION && -f $SUBMISSION/bin/$LESSON-$kind && ! -L $SUBMISSION/bin/$LESSON-$kind ]]; then
      KINDS+=("$kind") BUILT[$kind]=submission
    elif [[ $kind == cuda ]]; then
      MISSING[cuda]="no_compiler nvcc is not found here"
    else
      MISSING[$kind]="no_compiler ${lack:-the compiler here} cannot build it"
    fi
  done
  refuse_without_programs "$lack"
}

refuse_without_programs() {
  if [[ -z ${BUILT[cpu]:-} && -n $1 ]]; then
    stop 3 "needs $1, not found here. \`./bootstrap\` installs missing tools, or names the module to load."
  elif [[ -z ${BUILT[cpu]:-} ]]; then
    stop 3 "\`make backends LESSON=$LESSON\` does not list cpu: it cannot be built here." \
      "\`./bootstrap --check\` lists missing tools."
  elif [[ $BACKEND == cuda && -z ${BUILT[cuda]:-} ]]; then
    stop 3 "--backend cuda: nvcc is not found here, and ${SUBMISSION:-your file} has no bin/$LESSON-cuda." \
      "Load the CUDA toolkit (for example \`module load cuda\`), or omit --backend cuda. For a job, build it \
where nvcc is: make $LESSON BACKEND=\"cpu cuda\"."
  fi
}

# Takes the lock of the builds in WORK. The file stays open as descriptor 9 until unlock_build.
lock_build() {
  [[ -d $WORK/build ]] || mkdir -p "$WORK/build" 2>/dev/null || true
  { : >>"$WORK/build/.lock"; } 2>/dev/null ||
    stop 3 "cannot write into $WORK/build." \
      "Build somewhere else: WORK=\$HOME/workbook $SELF $LESSON (make the folder first)."
  exec 9>>"$WORK/build/.lock"
  ! flock -n 9 || return 0
  start "" flock 9
  await "waiting for another build in $WORK" || stop 3 "cannot lock $WORK/build/.lock."
}

unlock_build() { exec 9>&-; }

# Builds every kind. Status 1 and BUILD_MESSAGE if the learner's file does not compile. One grading at a time
# builds the objects that all gradings in one WORK share; then each builds its own program, at the same time
# as the others.
build_programs() {
  local kind here=() harness
  for kind in "${KINDS[@]}"; do
    if [[ ${BUILT[$kind]} == here ]]; then
      here+=("$kind")
    else
      take_built "$kind"
    fi
  done
  ((${#here[@]})) || return 0
  harness=("${here[@]}")
  [[ $PLAIN_C == false ]] || harness=(tsan) # the other kinds of plain C are linked with the same objects
  lock_build
  build_side_by_side harness "${harness[@]}" || return 1
  unlock_build
  here=()
  for kind in "${KINDS[@]}"; do
    [[ ${BUILT[$kind]} != here ]] || here+=("$kind")
  done
  build_side_by_side program "${here[@]}"
}

# take_built KIND: the program that came with the submission.
take_built() {
  cp -- "$SUBMISSION/bin/$LESSON-$1" "$TMP/out/$LESSON-$1"
  chmod u+rx "$TMP/out/$LESSON-$1"
}

# build_side_by_side TARGET [KIND...]
build_side_by_side() {
  (($# > 1)) || return 0
  local target=$1 kinds=("${@:2}") kind i guard
  for kind in "${kinds[@]}"; do
    guard=()
    if [[ $target == program && $SANDBOX != none ]]; then
      guard_build "$kind"
      guard=("GUARD=$TMP/guard-$kind")
    fi
    start "$TMP/build-$kind.log" "${MAKE[@]}" -j2 "$target" "BACKEND=$kind" "SUBMISSION=$TMP/submission" \
      "OUT=$TMP/out" "${guard[@]}" 9>&-
  done
  await "building $LESSON (${kinds[*]})" || true
  for i in "${!kinds[@]}"; do
    rewrite_paths "$TMP/build-${kinds[i]}.log" "$SHOWN"
    if ((STATUSES[i] != 0)) && no_backend "${kinds[i]}"; then
      continue
    elif ((STATUSES[i] != 0)); then
      unlock_build
      explain_build "${kinds[i]}"
      return 1
    fi
  done
}

# no_backend KIND: true if this machine lacks a tool or a library for that kind, as a compute node lacks
# Boost, or a toolkit cuBLAS. Then the grader uses the program of the submission, or only the other kind, and
# the checks that need this one are not measured.
no_backend() {
  local cause=''
  [[ $PLAIN_C == false ]] || return 1
  if [[ $1 == cpu ]]; then cause=$(lack_of_cpu); else cause=$(lack_of_cuda); fi
  [[ -n $cause ]] || return 1
  if [[ -n $SUBMISSION && -f $SUBMISSION/bin/$LESSON-$1 ]]; then
    BUILT[$1]=submission
    take_built "$1"
  elif [[ $1 == cpu && -n ${BUILT[cuda]:-} ]]; then
    MISSING[cpu]="no_compiler $cause"
    KINDS=(cuda)
  elif [[ $1 == cuda && $BACKEND != cuda && -n ${BUILT[cpu]:-} ]]; then
    MISSING[cuda]="no_compiler $cause"
    unset 'BUILT[cuda]'
    KINDS=(cpu)
  else
    return 1
  fi
}

libraries_of_lesson() { [[ $LESSON == selftest ]] || lesson_facts libraries "$LESSON"; }

# What the CPU backend lacks here, in a sentence; nothing if it lacks nothing.
lack_of_cpu() {
  local cause status=0 name flags=()
  for name in $(libraries_of_lesson); do flags+=("-l$name"); done
  cause=$(CUCC_BUILD=$WORK/build/cucc "$ROOT/common/cpu/cucc" --print-libs "${flags[@]}" 2>&1) || status=$?
  ((status == 3)) || return 0
  cause=${cause%%$'\n'*}
  cause=${cause#cucc: }
  printf '%s\n' "${cause%. Install it:}"
}

# The same for nvcc, from what it said of the build.
lack_of_cuda() {
  local name header
  for name in $(libraries_of_lesson); do
    header=$name.h
    [[ $name != cublas ]] || header=cublas_v2.h
    grep -qE "cannot find -l$name|$header: No such file" "$TMP/build-cuda.log" || continue
    case $name in
      cublas) name="cuBLAS is missing in nvcc's toolkit. Install libcublas-dev" ;;
      nvrtc) name="NVRTC is missing in nvcc's toolkit. Install cuda-nvrtc-dev" ;;
      nccl) name="NCCL is missing. Install libnccl-dev" ;;
      cuda) name="the driver's library libcuda is missing. Install cuda-driver-dev, which has a stub of it" ;;
    esac
    printf "%s (NVIDIA's name of the package), or load a module that has it\n" "$name"
    return
  done
}

# rewrite_paths FILE NAME: uses NAME for the learner's file in a compiler's output or a run's report.
rewrite_paths() {
  [[ -s $1 ]] || return 0
  local name=${2//[&|\\]/\\&}
  sed -i -e "s|$TMP/submission/$NAME|$name|g" -e "s|$TMP/submission/||g" -e "s|$TMP/out/||g" "$1"
}

# Sets BUILD_MESSAGE if the learner's file does not compile; stops if the workbook's own files do not.
explain_build() {
  local log=$TMP/build-$1.log with='' lines missing
  keep_files
  sed -i '/^make\(\[[0-9]*\]\)\?: /d' "$log"
  if [[ -n $(stopped "build-$1") ]]; then
    BUILD_MESSAGE="$SHOWN does not compile: the compiler was stopped, because $(stopped "build-$1")"$'\n'
    BUILD_MESSAGE+=$(head -n 10 "$log" | tame)
    return
  fi
  if grep -qE 'No space left on device|[Qq]uota exceeded' "$log" || [[ -n $(full "$TMP") ]]; then
    stop 3 "$LESSON ($1) cannot be built: the disk of $TMP or of $WORK is full." \
      "Use other folders: TMPDIR=DIR, WORK=DIR" "$(head -n 5 "$log")"
  fi
  # ld writes `NAME', and gold 'NAME'
  missing=$(sed -n "s/.*undefined reference to [\`']\([^']*\)'.*/\1/p" "$log" | sort -u)
  if [[ $1 == cuda && -n $(lack_of_cuda) ]]; then stop 3 "$(lack_of_cuda)."; fi
  if { [[ -z $missing ]] &&
    ! grep -qF -e "$NAME" -e 'multiple definition' -e 'signal terminated program' "$log"; } ||
    grep -qE '^(wb_|__tsan|cucc)' <<<"$missing"; then
    stop 3 "the workbook's own part of $LESSON ($1) does not build:" "$(head -n 20 "$log")"
  fi
  [[ $1 != cuda ]] || with=' with nvcc'
  lines=$(wc -l <"$log")
  BUILD_MESSAGE="$SHOWN does not compile$with:"$'\n'
  [[ -z $missing ]] ||
    BUILD_MESSAGE+="no definition of ${missing//$'\n'/, }; ${NAME%.*}.h lists all functions to define"$'\n'
  BUILD_MESSAGE+=$(head -n 25 "$log" | tame)
  ((lines <= 25)) || BUILD_MESSAGE+=$'\n'"and $((lines - 25)) more lines (--keep DIR keeps all of them)"
}

# Leaves the programs in the folder of --programs; those of the learner's own file also where `make lessonNN`
# builds them, so that the commands of the lesson's page find them. Keeps their time, so that make still knows
# which file is newer.
leave_programs() {
  local kind folder
  for kind in "${KINDS[@]}"; do
    [[ -z $PROGRAMS ]] || cp -p "$TMP/out/$LESSON-$kind" "$PROGRAMS/"
  done
  [[ $SOLUTION == no && -z $SUBMISSION ]] || return 0
  for kind in "${KINDS[@]}"; do
    folder=$WORK/build/$kind
    { mkdir -p "$folder" && cp -p "$TMP/out/$LESSON-$kind" "$folder/.$LESSON.$$" &&
      mv "$folder/.$LESSON.$$" "$folder/$LESSON"; } 2>/dev/null || rm -f "$folder/.$LESSON.$$"
  done
}

# Sets WARNINGS: what gcc, cucc or nvcc warns about in the learner's file, one for each line, at most five.
# They cost no points.
read_warnings() {
  WARNINGS=$(cat "$TMP"/build-*.log 2>/dev/null | tame |
    sed -nE -e "s/^.*(${NAME//./\\.}):([0-9]+):([0-9]+:)? warning: (.*)/\1:\2: \4/p" \
      -e "s/^.*(${NAME//./\\.})\(([0-9]+)\): warning #[^:]*: (.*)/\1:\2: \3/p" | sort -t: -k2,2n -u |
    head -n 5 | cut -c 1-300) || true
}

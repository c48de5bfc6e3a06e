# sandbox.bash: the sandbox and the limits for everything that a stranger's file can influence: its compilers
# and its programs. Sourced by grader/check (--sandbox). README.md lists what each kind of sandbox allows.
#
#   bwrap    bubblewrap: its own processes, no network; sees only compilers, libraries, the harness and its
#            own folder, and can write only that folder; plus the limits
#   limits   a clean environment and supervisor.c, which watches time, memory, processes, disk and output
#   none     only the time limit
# shellcheck shell=bash

SANDBOX=none # the value of --sandbox; after choose_sandbox the kind that is used
SUPERVISOR=
CORES=
GUARD=()     # the words in front of a guarded command
COMPILES=()  # what a program needs to compile texts while it runs (texts.bash)

# Sets SANDBOX to what works here, and builds the supervisor.
choose_sandbox() {
  local asked=$SANDBOX
  [[ $asked != none ]] || return 0
  lock_build
  SUPERVISOR=$WORK/build/supervisor
  "${MAKE[@]}" supervisor >"$TMP/supervisor.log" 2>&1 ||
    stop 3 "--sandbox $asked: its supervisor does not build here:$(full "$TMP")" \
      "$(head -n 5 "$TMP/supervisor.log")" \
      "--sandbox none works without it; use that only for files that you trust."
  unlock_build
  [[ $asked != limits ]] || return 0
  mkdir "$TMP/try"
  if bubblewrap "$TMP/try" && "${GUARD[@]}" true >"$TMP/bwrap.log" 2>&1; then
    SANDBOX=bwrap
  elif [[ $asked == bwrap ]]; then
    stop 3 "--sandbox bwrap: bubblewrap is missing or not permitted here: \
$(head -n 1 "$TMP/bwrap.log" 2>/dev/null)" "Install it (\`./bootstrap --dev\`), or use --sandbox limits."
  else
    SANDBOX=limits
  fi
}

# ---- Visible files ----

# The folders of compilers and libraries, of the system and of loaded modules. The whole top folder of a
# module (/apps, /sw) is visible, unless it contains files of ours: then only the module's own folder.
tool_folders() {
  local folder top own mine
  printf '%s\n' /usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt \
    /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/alternatives
  while read -r folder; do
    folder=$(realpath -e -- "$folder" 2>/dev/null) || continue
    top=${folder#/} top=/${top%%/*}
    case $top in
      / | /usr | /bin | /sbin | /lib | /lib64 | /opt) continue ;;
      /root | /home | /tmp | /var | /run | /dev | /proc | /sys | /etc | /mnt | /media | /srv) own=yes ;;
      *) own=no ;;
    esac
    for mine in "$HOME" "$ROOT" "$WORK" "$FILE" "$TMP" "${KEEP:-$TMP}"; do
      [[ $(realpath -m -- "$mine")/ != "$top"/* ]] || own=yes
    done
    if [[ $own == no ]]; then
      printf '%s\n' "$top"
    elif [[ $folder =~ ^/[^/]+/.+/(bin|lib|lib64|include|sbin)$ && $folder/ != "$ROOT"/* ]]; then
      printf '%s\n' "${folder%/*}"
    fi
  done < <(module_folders | sort -u)
}

# Only the folders of PATH with build tools are visible in the sandbox. In a home folder, only those that a
# requested compiler needs.
module_folders() {
  local name program folder
  while read -r folder; do
    for name in gcc g++ clang clang++ nvcc as ld; do
      [[ ! -x $folder/$name ]] || printf '%s\n' "$folder"
    done
  done < <(tr ':' '\n' <<<"$PATH" | grep '^/' | grep -vF -- "$HOME/" || true)
  tr ':' '\n' <<<"${LD_LIBRARY_PATH:-}:${LIBRARY_PATH:-}:${CPATH:-}" | grep '^/' |
    grep -vF -- "$HOME/" || true
  for name in "${CC:-gcc}" "${CXX:-g++}" "${CUCC_CXX:-g++}" "${NVCC:-nvcc}"; do
    program=$(command -v "${name%% *}") && dirname -- "$(realpath -- "$program")"
  done
  [[ -z ${CUDA_HOME:-} ]] || printf '%s\n' "$CUDA_HOME/bin"
}

# The environment of compilers and programs.
clean_environment() { # folder
  local name
  ENVIRONMENT=(env -i "HOME=$1" "TMPDIR=$1" CCACHE_DISABLE=1 WB_SANDBOX="$SANDBOX")
  while read -r name; do
    case $name in
      PATH | LANG | LC_* | LD_LIBRARY_PATH | LIBRARY_PATH | CPATH | C_INCLUDE_PATH | CPLUS_INCLUDE_PATH | \
        CC | CXX | CROSS_COMPILE | CLANG | CUCC_* | NVCC | CUDA_* | OMP_* | GOMP_* | NCCL_* | WB_* | NO_COLOR)
        ENVIRONMENT+=("$name=${!name}")
        ;;
    esac
  done < <(compgen -e)
}

# Adds the device files of the GPUs that this job may use (a cluster refuses the others) and the folder that
# the driver reads.
gpu_devices() {
  local file
  for file in /dev/nvidia* /dev/dxg /dev/nvhost-* /dev/nvmap /dev/nvgpu; do
    if [[ -d $file ]] || { [[ -c $file ]] && { : <"$file"; } 2>/dev/null; }; then
      BWRAP+=(--dev-bind "$file" "$file")
    fi
  done
  BWRAP+=(--ro-bind /sys /sys)
}

# bubblewrap FOLDER [VISIBLE...]: sets GUARD to a bubblewrap command in which FOLDER can be written and
# VISIBLE can be read.
bubblewrap() {
  local folder=$1 file
  command -v bwrap >/dev/null || return 1
  BWRAP=(bwrap --unshare-user-try --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try
    --hostname sandbox --die-with-parent --new-session --cap-drop ALL --proc /proc --dev /dev
    --size 67108864 --tmpfs /dev/shm --size 1048576 --tmpfs /tmp
    --ro-bind-try /sys/devices/system/cpu /sys/devices/system/cpu)
  [[ -n ${TOOL_FOLDERS:-} ]] || TOOL_FOLDERS=$(tool_folders | sort -u)
  while read -r file; do
    if [[ -L $file ]]; then
      BWRAP+=(--symlink "$(readlink "$file")" "$file")
    elif [[ -e $file ]]; then
      BWRAP+=(--ro-bind "$file" "$file")
    fi
  done <<<"$TOOL_FOLDERS"
  for file in "${@:2}"; do BWRAP+=(--ro-bind-try "$file" "$file"); done
  BWRAP+=(--bind "$folder" "$folder")
  GUARD=("${BWRAP[@]}" --remount-ro /)
}

# ---- Limits ----

# limits FOLDER REPORT SECONDS MEMORY_MIB: puts the supervisor in front of GUARD. The environment can change
# each limit.
limits() {
  CORES=${CORES:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 8)}
  GUARD=("$SUPERVISOR" --report "$2" --seconds "$3" --cpu $(($3 * CORES)) --memory "${GRADER_MEMORY_MB:-$4}"
    --tasks "${GRADER_TASKS:-$((512 + 16 * CORES))}" --file "${GRADER_DISK_MB:-512}" --files 1024
    --folder "$1" --disk "${GRADER_DISK_MB:-512}" --names 2000 --output "${GRADER_OUTPUT_MB:-2}"
    "${GUARD[@]}")
}

# guard_build KIND: writes $TMP/guard-KIND, which runs the compiler and the linker of the learner's file.
guard_build() {
  local kind=$1 memory=4096
  [[ $SANDBOX != none ]] || return 0
  [[ $kind != cuda ]] || memory=8192 # one nvcc for each architecture
  mkdir -p "$TMP/out/tmp"
  GUARD=()
  clean_environment "$TMP/out/tmp"
  if [[ $SANDBOX == bwrap ]]; then
    local build=$WORK/build objects=$kind
    [[ $PLAIN_C == false ]] || objects=host
    bubblewrap "$TMP/out" "$ROOT/common" "$ROOT/lessons/$LESSON" "$build/$objects/common" \
      "$build/$objects/lessons/$LESSON" "$build/tsan/common" "$build/cucc" "$TMP/submission"
    [[ ! -f $ROOT/lessons/$LESSON/$NAME ]] || GUARD+=(--ro-bind /dev/null "$ROOT/lessons/$LESSON/$NAME")
    GUARD+=(--chdir "$ROOT")
  fi
  GUARD+=("${ENVIRONMENT[@]}")
  limits "$TMP/out" "$TMP/stopped-build-$kind" "${GRADER_BUILD_LIMIT:-120}" "$memory"
  {
    printf '#!/usr/bin/env bash\nexec'
    printf ' %q' "${GUARD[@]}"
    printf ' env "$@"\n'
  } >"$TMP/guard-$kind"
  chmod +x "$TMP/guard-$kind"
}

# guard_run KIND NAME SECONDS: sets GUARD for a program, and BOX, the folder that the program may write.
guard_run() {
  local kind=$1 memory=8192
  BOX=$TMP
  GUARD=(timeout -k 5 "$3")
  [[ $SANDBOX != none ]] || return 0
  BOX=$TMP/box-$2
  rm -rf -- "$BOX" "$TMP/stopped-$2"
  mkdir "$BOX"
  GUARD=()
  clean_environment "$BOX"
  if [[ $SANDBOX == bwrap ]]; then
    bubblewrap "$BOX" "$TMP/out" "${COMPILES[@]}"
    if [[ $kind == cuda ]]; then
      BWRAP=()
      gpu_devices
      GUARD=("${GUARD[@]:0:${#GUARD[@]}-2}" "${BWRAP[@]}" "${GUARD[@]: -2}")
    fi
  fi
  [[ $kind != cuda ]] || memory=$(awk '/^MemTotal:/ { printf "%d", $2 / 1024 * 3 / 4 }' /proc/meminfo)
  [[ $SANDBOX != bwrap ]] || GUARD+=(--chdir "$BOX")
  GUARD+=("${ENVIRONMENT[@]}")
  limits "$BOX" "$TMP/stopped-$2" "$3" "$memory"
}

# guard_look NAME VISIBLE...: sets GUARD for a look at a learner's file or object, which may read VISIBLE.
guard_look() {
  GUARD=()
  if [[ $SANDBOX == bwrap ]]; then
    mkdir -p "$TMP/box-look"
    bubblewrap "$TMP/box-look" "${@:2}"
  fi
  SUPERVISOR=$WORK/build/supervisor
  limits "$TMP" "$TMP/stopped-$1" "${GRADER_LOOK_LIMIT:-60}" 2048
  [[ -x $SUPERVISOR ]] || GUARD=(timeout -k 5 "${GRADER_LOOK_LIMIT:-60}") # a machine without a compiler
}

# take_report NAME: copies the report that the program left in its folder, if it is a plain file.
take_report() {
  local file=$TMP/box-$1/run-$1.json
  if [[ -f $file && ! -L $file ]]; then cp -- "$file" "$TMP/run-$1.json"; fi
}

# stopped NAME: prints why the supervisor ended the program; nothing if it did not.
stopped() { [[ ! -s $TMP/stopped-$1 ]] || cat "$TMP/stopped-$1"; }

# Cleans text that a stranger's program wrote for people to read: no control characters, no endless lines.
tame() {
  LC_ALL=C tr -d '\000-\010\013-\037\177' | LC_ALL=C sed -e 's/\xc2[\x80-\x9f]//g' | cut -c 1-500 |
    head -c 20000
}

# shellcheck shell=bash
# Part of cucc: reads the command line into variables. Sourced by cucc.
#
#   parse_options ARGUMENTS...    ends the process with status 2 and a message that names an unknown argument

wrong_usage() {
  printf 'cucc: %s\n' "$@" >&2
  printf "cucc: 'cucc --help' lists the options\n" >&2
  exit 2
}

action='link'       # link compile preprocess depend print-libs print-include
kind=checked        # checked fast
output=''
source_name=''
language=''         # -x, empty: by the file's name
standard=gnu++17
c_standard=none
optimise=''
debug=''            # -g or empty
device_debug=''
stream_kind=legacy
verbose=no
dry_run=no
module=no           # an object that NVRTC loads (cucc.d/module)
build=''            # --build; empty: by the environment
work=''             # --work; empty: a directory that is removed at the end
keep=no
run=no
forward_unknown=no
cxx=()              # the compiler; -ccbin, else from CUCC_CXX
user=()             # options passed on to the compiler
link_user=()        # options passed on to the link
include_dirs=()     # where the rewriter looks for included files
inputs=()           # files and -l options in their order
toolkit=()          # its libraries, named by -l
source_count=0
depend=''           # -M -MM -MD -MMD
depends_file=''
depend_phony=no
targets=()

# -std: the headers need C++17; older standards are raised to it.
set_standard() {
  case $1 in
    c++20 | gnu++20 | c++2a | c++23 | gnu++23) standard=$1 ;;
    c++03 | c++11 | c++14 | c++17 | gnu++98 | gnu++03 | gnu++11 | gnu++14 | gnu++17 | \
      c++98) standard=gnu++17 ;;
    c89 | c90 | c99 | c11 | c17 | gnu89 | gnu99 | gnu11 | gnu17) c_standard=$1 ;;
    *) wrong_usage "unknown language standard -std=$1" ;;
  esac
}

# -Xcompiler a,b,c: for compiling and linking, as nvcc does it.
pass_to_compiler() {
  local -a list
  IFS=, read -ra list <<<"$1"
  user+=("${list[@]}")
  link_user+=("${list[@]}")
}

pass_to_linker() {
  local -a list
  local item
  IFS=, read -ra list <<<"$1"
  for item in "${list[@]}"; do link_user+=(-Xlinker "$item"); done
}

# -Werror with nvcc's kinds or gcc's.
set_werror() {
  local -a kinds
  local name
  IFS=, read -ra kinds <<<"$1"
  for name in "${kinds[@]}"; do
    case $name in
      all-warnings) user+=(-Werror) ;;
      reorder | deprecated-declarations) user+=("-Werror=$name") ;;
      cross-execution-space-call | default-stream-launch | missing-launch-bounds | \
        ext-lambda-captures-this) ;;
      *) user+=("-Werror=$name") ;;
    esac
  done
}

add_input() {
  case $1 in
    *.o | *.a | *.so | *.so.*) ;;
    *.cu | *.c | *.cpp | *.cc | *.cxx | *.C) source_count=$((source_count + 1)) ;;
    *)
      [[ -n $language ]] ||
        wrong_usage "unknown kind of file: '$1' (use .cu .c .cpp .cc .cxx .o .a .so, or put -x cu before it)"
      source_count=$((source_count + 1))
      ;;
  esac
  [[ -e $1 ]] || wrong_usage "no such file: $1"
  [[ ! -d $1 ]] || wrong_usage "'$1' is a directory"
  inputs+=("$1")
}

# libraries.bash lists the toolkit's libraries; others go to the linker, in their order among the files.
add_library() {
  if library_known "$1"; then toolkit+=("$1"); else inputs+=("-l$1"); fi
}

# Short options whose value may follow without a blank: -Idir, -DX=Y. Returns 1 when $1 is none of them.
# Sets `shift_by` to the number of arguments used.
parse_attached() {
  local letter=${1:0:2} value=${1:2}
  shift_by=1
  case $1 in
    -include* | -isystem* | -lineinfo | -link | -lib | -ltoir | -ldir* | -lto | \
      -Wno-deprecated-gpu-targets) return 1 ;;
    -O[0-3] | -Os | -Og | -Ofast)
      optimise=$1
      return 0
      ;;
    -Wl,* | -Wa,*) return 1 ;;
    -Werror) return 1 ;;
    -Werror=*) set_werror "${1#*=}"; return 0 ;;
    -W | -W[a-z]*) user+=("$1"); return 0 ;;
    -[IDULl]*) ;;
    *) return 1 ;;
  esac
  if [[ -z $value ]]; then
    (($# > 1)) || wrong_usage "$1 needs a value"
    value=$2
    shift_by=2
  fi
  case $letter in
    -I)
      user+=(-I "$value")
      include_dirs+=("$value")
      ;;
    -D | -U) user+=("$letter$value") ;;
    -L) link_user+=("-L$value") ;;
    -l) add_library "$value" ;;
  esac
}

# Rejects nvcc's options that the CPU backend cannot do, each with a reason and an alternative.
refuse_option() {
  case $1 in
    ptx | cubin | fatbin | optix-ir | ltoir | lto-ir | cuda | cuda-cpp | gen-opt-lto | relocatable-ptx | \
      device-link | dlink | fdevice-syntax-only)
      wrong_usage \
        "-$1 asks for a GPU's code, which the CPU backend does not make \
(-c makes an object, -E shows the text)" ;;
    lib) wrong_usage "-lib is not in the CPU backend: compile with -c, then ar rcs libNAME.a FILE.o..." ;;
    shared) wrong_usage \
      "-shared is not in the CPU backend, whose runtime is part of the program: link objects, or use ar" ;;
    output-directory | odir | options-file | optf | clean-targets | clean)
      wrong_usage "-$1 is not in the CPU backend: name the output with -o, and options in full" ;;
  esac
}

# Options without a value. Returns 1 when $1 is none of them.
parse_plain() {
  refuse_option "$1"
  case $1 in
    help | h) usage; exit 0 ;;
    version | V) printf 'cucc: CUDA C on the CPU, in the place of nvcc 13.0\n'; exit 0 ;;
    fast) kind=fast ;;
    print-libs | print-include) action=$1 ;;
    module) action=compile module=yes ;;
    c | compile | dc | device-c | dw | device-w) action=compile ;;
    E | preprocess) action=preprocess ;;
    M | MM) action=depend depend=-$1 ;;
    generate-dependencies) action=depend depend=-M ;;
    generate-nonsystem-dependencies) action=depend depend=-MM ;;
    MD | MMD) depend=-$1 ;;
    generate-dependencies-with-compile) depend=-MD ;;
    generate-nonsystem-dependencies-with-compile) depend=-MMD ;;
    MP | generate-dependency-targets) depend_phony=yes ;;
    g | debug) debug=-g ;;
    G | device-debug) debug=-g device_debug=yes ;;
    pg | profile) user+=(-pg) link_user+=(-pg) ;;
    w | disable-warnings) user+=(-w) ;;
    run) run=yes ;;
    v | verbose) verbose=yes ;;
    dryrun) dry_run=yes ;;
    keep | save-temps) keep=yes ;;
    no-exceptions | noeh) user+=(-fno-exceptions) ;;
    lineinfo | generate-line-info | use_fast_math | restrict | extended-lambda | expt-extended-lambda) ;;
    expt-relaxed-constexpr | m64 | src-in-ptx | source-in-ptx | res-usage | resource-usage | dlto | lto) ;;
    keep-device-functions | allow-unsupported-compiler | extra-device-vectorization | link | no-compress) ;;
    display-error-number | no-display-error-number | err-no | no-err-no | Wno-deprecated-gpu-targets | \
      nohdinitlist) ;;
    brief-diagnostics | brief-diag | compile-as-tools-patch | astoolspatch | extensible-whole-program | \
      ewp | no-align-double) ;;
    no-device-link | nodlink | no-host-device-initializer-list | no-host-device-move-forward | \
      nohdmoveforward) ;;
    objdir-as-tempdir | objtemp | jobserver | augment-host-linker-script | aug-hls | dont-use-profile | \
      noprof) ;;
    forward-unknown-to-host-compiler | forward-unknown-opts) forward_unknown=yes ;;
    forward-unknown-to-host-linker | device-entity-has-hidden-visibility | dlink-time-opt) ;;
    *) return 1 ;;
  esac
}

# An architecture has no effect here, but one that nvcc does not know is a typing error.
check_architectures() { # option list pattern
  local -a list
  local item
  IFS=, read -ra list <<<"$2"
  ((${#list[@]} > 0)) || wrong_usage "-$1 names no architecture"
  [[ $1 != *arch* || $2 != *,* ]] || wrong_usage \
    "-$1 takes one architecture, not '$2' (-gencode, several times, takes more)"
  for item in "${list[@]}"; do
    [[ $item =~ $3 ]] ||
      wrong_usage "'$item' is not an architecture for -$1 (use one that nvcc knows, for example sm_80)"
  done
}

# -gencode arch=compute_80,code=[sm_80,compute_80]: quotes and brackets around the list are nvcc's, too.
check_gencode() { # option value
  local value=${2//[\[\]\" ]/}
  [[ $value =~ ^arch=([^,]*),code=(.*)$ ]] || wrong_usage "-$1 '$2': write it as arch=compute_80,code=sm_80"
  local arch=${BASH_REMATCH[1]} code=${BASH_REMATCH[2]}
  check_architectures "$1" "$arch" '^compute_[0-9]{2,3}[af]?$'
  check_architectures "$1" "$code" '^(sm|compute|lto)_[0-9]{2,3}[af]?$'
}

# Options with a value. $1 the name without dashes, $2 the value. Returns 1 when $1 is none of them.
parse_valued() {
  refuse_option "$1"
  case $1 in
    o | output-file) output=$2 ;;
    source-name) source_name=$2 ;;
    build) build=$2 ;;
    work) work=$2 ;;
    x) case $2 in cu | c++ | c) language=$2 ;; *) wrong_usage \
      "unknown language -x $2 (cu, c++ or c)" ;; esac ;;
    std) set_standard "$2" ;;
    O | optimize) optimise=-O$2 ;;
    include-path) user+=(-I "$2") include_dirs+=("$2") ;;
    isystem | system-include) user+=(-isystem "$2") include_dirs+=("$2") ;;
    include | pre-include) user+=(-include "$2") ;;
    define-macro) user+=("-D$2") ;;
    undefine-macro) user+=("-U$2") ;;
    library) add_library "$2" ;;
    library-path) link_user+=("-L$2") ;;
    MF | dependency-output) depends_file=$2 ;;
    MT | dependency-target-name) targets+=(-MT "$2") ;;
    MQ) targets+=(-MQ "$2") ;;
    Xcompiler | compiler-options) pass_to_compiler "$2" ;;
    Xlinker | linker-options) pass_to_linker "$2" ;;
    ccbin | compiler-bindir) cxx=("$2") ;;
    default-stream) [[ $2 == legacy || $2 == null ]] || stream_kind=per-thread ;;
    Werror) set_werror "$2" ;;
    arch | gpu-architecture) check_architectures "$1" "$2" \
      '^(sm|compute|lto)_[0-9]{2,3}[af]?$|^native$|^all(-major)?$' ;;
    code | gpu-code) check_architectures "$1" "$2" '^(sm|compute|lto)_[0-9]{2,3}[af]?$' ;;
    gencode | generate-code) check_gencode "$1" "$2" ;;
    rdc | relocatable-device-code) ;;
    maxrregcount | Xptxas | ptxas-options | Xnvlink | nvlink-options | cudart | cudadevrt | ftz | prec-div) ;;
    frandom-seed | ftemplate-depth | ftemplate-backtrace-limit) user+=("-$1=$2") ;;
    keep-dir | time | entries | e | dopt | optimization-info | opt-info | compress-mode | \
      device-stack-protector) ;;
    jump-table-density | jtd | libdevice-directory | ldir | target-directory | target-dir | \
      split-compile-extended) ;;
    static-global-template-stub | static-global-template-stub-emission | sanitize | use | \
      host-linker-script | hls) ;;
    archive-options | Xarchive | archiver-binary | arbin | drive-prefix | dp | dependency-drive-prefix | \
      ddp) ;;
    prec-sqrt | fmad | t | threads | split-compile | m | machine | diag-suppress | diag-warn | diag-error) ;;
    *) return 1 ;;
  esac
}

unknown_option() {
  if [[ $forward_unknown == yes ]]; then
    user+=("$1") link_user+=("$1")
    return
  fi
  case $1 in
    -f* | -m* | -p* | \
      -Wl,*) wrong_usage "unknown option $1 (an option of the host compiler is given as -Xcompiler $1)" ;;
    *) wrong_usage "unknown option $1" ;;
  esac
}

# gcc's -Werror stands alone; nvcc's takes the next argument, one of its kinds.
parse_werror() {
  case ${1-} in
    all-warnings* | cross-execution-space-call* | reorder* | default-stream-launch* | \
      missing-launch-bounds* | deprecated-declarations*)
      set_werror "$1"
      shift_by=2
      ;;
    *)
      user+=(-Werror)
      shift_by=1
      ;;
  esac
}

check_options() {
  case $action in print-*) return ;; esac
  ((${#inputs[@]} > 0)) || wrong_usage "no input file"
  if [[ $action != link && -n $output ]] && ((source_count > 1)); then
    wrong_usage "-o $output with -c takes one source file, not $source_count"
  fi
  if [[ -n $source_name ]] && ((source_count > 1)); then
    wrong_usage "--source-name takes one source file, not $source_count"
  fi
  if [[ -n $depends_file ]] && ((source_count > 1)); then
    wrong_usage "-MF $depends_file takes one source file, not $source_count"
  fi
}

parse_options() {
  local name shift_by
  while (($# > 0)); do
    case $1 in
      -Werror | --Werror)
        parse_werror "${2-}"
        shift "$shift_by"
        continue
        ;;
      -?*) ;;
      *)
        add_input "$1"
        shift
        continue
        ;;
    esac
    if parse_attached "$@"; then
      shift "$shift_by"
      continue
    fi
    name=${1#-}
    name=${name#-}
    if [[ $name == *=* ]]; then
      parse_valued "${name%%=*}" "${name#*=}" || unknown_option "$1"
    elif ! parse_plain "$name"; then
      if parse_valued "$name" "${2-}"; then
        (($# > 1)) || wrong_usage "$1 needs a value"
        shift
      else
        unknown_option "$1"
      fi
    fi
    shift
  done
  check_options
}

# shellcheck shell=bash
# Part of cucc: the toolkit's libraries. Sourced by cucc, after build-runtime.bash.
#
#   library_known NAME    returns 0 when -lNAME is an available toolkit library, 1 when it is not a toolkit
#                         library; ends cucc with status 2 when it is one that is not available
#   library_ready NAME    builds it when it is missing or old; ends cucc with status 3 or 4 when that fails
#   library_parts NAME    prints the linker's arguments for -lNAME, one a line; none if the runtime has it
#   runtime_parts NAME... prints the linker's arguments for the runtime, if a program uses these libraries
#
# Each is built from libraries/NAME*.c, once for each compiler, for checked and fast programs alike: the
# runtime does the checks of their work.

# cublas_static -> cublas. Prints nothing for parts of another library, and for libraries that the runtime or
# a header replaces.
library_name() {
  case $1 in
    cublas | cublas_static) echo cublas ;;
    nccl | nccl_static) echo nccl ;;
    nvrtc | nvrtc_static) echo nvrtc ;;
    cuda) echo cuda ;;
    curand | curand_static) echo curand ;;
  esac
}

library_known() {
  case $1 in
    cublas | nccl | nvrtc | cublas_static | nccl_static | nvrtc_static | cuda | curand | curand_static) ;;
    cudart | cudart_static | cudadevrt | nvToolsExt | cupti) ;;
    # nvcc's static links name them too
    cublasLt_static | culibos | nvrtc-builtins | nvrtc-builtins_static | nvptxcompiler_static) ;;
    cublasLt | cudnn* | cufft* | cufile* | cusolver* | cusparse* | cutensor* | npp* | nvblas | nvfatbin* | \
      nvJitLink* | nvjpeg* | nvshmem*)
      wrong_usage "-l$1: this library is not in the CPU backend (it has cublas, curand, nccl, nvrtc and cuda)"
      ;;
    *) return 1 ;;
  esac
}

library_parts() {
  local name
  name=$(library_name "$1")
  [[ -n $name ]] || return 0
  printf '%s\n' "$build/libcucc-$name.a"
  case $name in
    cublas) printf '%s\n' -lopenblas ;;
    nvrtc) printf '%s\n' "$build/libcucc-cuda.a" ;;
  esac
}

# The runtime. Code that NVRTC compiles is loaded into the program and may call any part of the runtime, so
# then the whole archive is linked and its names are exported; no others, or the program's would be.
runtime_parts() {
  local archive=$build/libcucc-$kind.a
  case " $* " in
    *" nvrtc "* | *" nvrtc_static "*) printf '%s\n' "-Wl,--dynamic-list=$build/$kind.exports" \
      -Wl,--whole-archive "$archive" -Wl,--no-whole-archive ;;
    *) printf '%s\n' "$archive" ;;
  esac
  ((${#runtime_flags[@]} == 0)) || printf '%s\n' "${runtime_flags[@]}"
}

library_is_current() { # name
  local archive=$build/libcucc-$1.a source
  [[ -e $archive ]] || return 1
  for source in "$here"/libraries/* "$here"/cucc.d/libraries.bash "$here"/runtime/*/*.h "$here"/include/*.h \
    "$here"/include/*/*.h; do
    [[ ! $source -nt $archive ]] || return 1
  done
}

# OpenBLAS does the arithmetic of cuBLAS.
check_openblas() {
  printf 'extern "C" void sgemm_();\nint main() { sgemm_(); }\n' >"$new/openblas.cpp"
  "${cxx[@]}" "$new/openblas.cpp" -o "$new/openblas" -lopenblas 2>/dev/null ||
    give_up 3 "-lcublas needs OpenBLAS, which is missing. Install it:" \
      "Debian, Ubuntu  apt-get install libopenblas-pthread-dev" "Fedora, Rocky   dnf install openblas-devel" \
      "macOS           brew install openblas (and its path in LIBRARY_PATH)" \
      "a cluster       module load openblas (and its path in LIBRARY_PATH)"
}

build_library() { # name
  local new source cc
  if command -v flock >/dev/null; then
    exec 9>"$build/.lock"
    flock 9
  fi
  ! library_is_current "$1" || return 0
  new=$(mktemp -d "$build/new.XXXXXX")
  # shellcheck disable=SC2064 # its value now
  trap "rm -rf '${new//\'/\'\\\'\'}'" EXIT
  [[ $1 != cublas ]] || check_openblas
  touch "$new/start"
  cc=$(c_compiler)
  for source in "$here"/libraries/"$1"*.c; do
    compile_part "$source" "${source##*/}" "$cc" -std=gnu11 -O2 -g -Wall -Wextra -I "$here/libraries" -I \
      "$here/runtime" -I "$here/../harness" -I "$here/include" \
      "-DBUILT_HOME=\"$here\"" "-DBUILT_TOOLS=\"$build\"" "-DCUCC_COMPILER=\"${cxx[*]}\""
  done
  if compgen -G "$new/*.txt" >/dev/null; then
    printf 'cucc: its part for -l%s does not compile with %s:\n' "$1" "${cxx[*]}" >&2
    cat "$new"/*.txt >&2
    exit 4
  fi
  "${cross}ar" rcs "$new/lib.a" "$new"/*.o
  hide_names "$build/libcucc-$kind.a"
  touch -r "$new/start" "$new/lib.a" # what is edited meanwhile gets built again
  mv "$new/lib.a" "$build/libcucc-$1.a"
  rm -rf "$new"
}

library_ready() {
  local name
  name=$(library_name "$1")
  [[ -n $name ]] || return 0
  # In a subshell: its traps and its lock end with it.
  if ! library_is_current "$name"; then (build_library "$name") || exit; fi
  [[ $name != nvrtc ]] || { library_ready cuda && modules_ready; }
}

# What NVRTC needs for this kind of program: the header that precedes a text, and the runtime's names.
modules_ready() {
  local headers=$build/$kind.module-headers exports=$build/$kind.exports new
  if [[ ! $exports -nt $build/$kind.stamp ]]; then
    new=$(mktemp "$build/new.XXXXXX")
    "${cross}nm" -g --defined-only "$build/libcucc-$kind.a" | awk '
      BEGIN { print "{" } NF == 3 && $3 !~ /^cucc__/ { print $3 ";" } END { print "};" }' >"$new"
    mv "$new" "$exports"
  fi
  [[ $compiler == gcc && ! $headers -nt $build/$kind.stamp ]] || return 0
  new=$(mktemp -d "$build/new.XXXXXX")
  precompile_header "$new" yes
  rm -rf "$headers"
  mv -T "$new" "$headers" 2>/dev/null || rm -rf "$new" # another cucc was first
}

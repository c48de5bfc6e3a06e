# inspect.bash: inspects a learner's file and the objects compiled from it, before any of it runs. Sourced by
# grader/check. The reasons, and what it cannot find: grader/SECURITY.md.
#
# The source may include only the headers that grader/checks/permitted lists, and lessons/lessonNN/permitted
# where there is one. It may not hide code from this inspection or switch the sanitizers off. Each object is
# compared with one that the same compiler makes from grader/lib/reference.c or .cu: it may run nothing before
# main that the reference does not run, has no unusual sections, calls only permitted functions, defines no
# name that the harness or a library would use instead of its own, and makes no system calls.
# shellcheck shell=bash

REFUSALS=() # sentences
LOOKED=()   # the lines of the last look (look_with)
FOUND=()    # the facts about an object
PERMITTED=() # names, with *
GIVEN=()     # headers that come with a text which is compiled at run time
INSPECTED='' # that text (look-text.bash); empty: the learner's file
REFUSED=()
# The limits of names that are judged one by one, which no honest file reaches, and of the refusals that are
# looked for: a longer list does not help.
readonly MOST_LINES=2000 MOST_REFUSALS=12

# add_refusal SENTENCE: adds it to REFUSALS, once. There are never more than MOST_REFUSALS of them.
add_refusal() {
  local known
  ((${#REFUSALS[@]} < MOST_REFUSALS)) || return 0
  for known in "${REFUSALS[@]}"; do [[ $known != "$1" ]] || return 0; done
  REFUSALS+=("$1")
}

# enough: no further refusals are needed.
enough() { ((${#REFUSALS[@]} >= MOST_REFUSALS)); }

# refusal WORD SENTENCE: adds a sentence, with the number of the first line of the file that contains WORD, if
# any.
refusal() {
  local line=''
  enough && return 0
  [[ -z $1 ]] || line=$(grep -nwF -m 1 -- "$1" "${INSPECTED:-$TMP/submission/$NAME}" | cut -d: -f1 || true)
  add_refusal "$NAME${line:+:$line}: $2"
}

# look_with NAME VISIBLE... -- WORD...: runs `look WORD...` (grader/lib/look) under the supervisor, in
# bubblewrap if that is the sandbox; its lines go to LOOKED. Status 1 and a refusal if it passed a limit.
look_with() {
  local name=$1 visible=() status=0 why
  shift
  while [[ $1 != -- ]]; do visible+=("$1") && shift; done
  guard_look "$name" "$GRADER_LIB" "${visible[@]}"
  "${GUARD[@]}" "$BASH" "$GRADER_LIB/look" "${@:2}" >"$TMP/$name" 2>"$TMP/$name.log" </dev/null || status=$?
  mapfile -t LOOKED <"$TMP/$name"
  if ((status == 0)) && [[ ${LOOKED[*]: -1} == end ]]; then
    unset 'LOOKED[-1]'
    return 0
  fi
  why=$(stopped "$name")
  [[ -n $why || $status == 0 || $status == 124 || $status == 137 ]] ||
    stop 3 "cannot look at $SHOWN.$(full "$TMP")" "$(head -n 5 "$TMP/$name.log" | tame)"
  add_refusal "$NAME is too large or too strange to be inspected${why:+: $why}"
  return 1
}

# permitted_words FIELD: the words of the lines `include`, `word`, `call` or `refuse` that apply to this
# lesson, from grader/checks/permitted and the lesson's own list: both the checkout's, never a submission's.
permitted_words() {
  local language=cuda words word mine=no own=$ROOT/lessons/$LESSON/permitted
  [[ $PLAIN_C == false ]] || language=c
  [[ -f $own ]] || own=/dev/null
  while read -ra words; do
    case ${words[0]-} in
      \[*) [[ " [every] [$language] [own] " == *" ${words[0]} "* ]] && mine=yes || mine=no ;;
      "$1")
        [[ $mine == yes ]] || continue
        for word in "${words[@]:1}"; do
          [[ $word != '#' ]] || break
          printf '%s\n' "$word"
        done
        ;;
    esac
  done <<<"$(<"$ROOT/grader/checks/permitted")"$'\n[own]\n'"$(<"$own")"
}

# matches NAME PATTERN...
matches() {
  local pattern
  for pattern in "${@:2}"; do
    # shellcheck disable=SC2053 # the list holds patterns
    [[ $1 != $pattern ]] || return 0
  done
  return 1
}

# is_permitted NAME. Most names are in the list as they are, and found at once; the list is long.
is_permitted() {
  local IFS=$'\n'
  [[ $'\n'"${PERMITTED[*]}"$'\n' == *$'\n'"$1"$'\n'* ]] || matches "$1" "${PERMITTED[@]}"
}

# ---- The source ----

# why_not_word WORD: the reason why a file may not contain the word; nothing where it may.
why_not_word() {
  case $1 in
    asm | __asm | __asm__)
      echo "inline assembly: not needed in any lesson, and its effect cannot be checked" ;;
    _tile_* | __encl* | __pconfig_*)
      echo "\`$1\` is a macro that turns its argument into assembly, whose effect cannot be checked" ;;
    no_sanitize* | __no_sanitize* | no_address_safety_analysis | disable_sanitizer_instrumentation)
      echo "\`$1\` switches off the checks for memory errors and races" ;;
    section | __section__)
      echo "\`section\` can hide code or data from this check; if it is the name of a variable, rename it" ;;
    __builtin_ia32_* | __builtin_aarch64_* | __builtin_arm_* | _mm*_stream_* | _mm*mask*store* | \
      _mm*scatter_* | _mm*maskmove* | _mm_store[hl]_pi | _directstore* | _movdir* | _fxsave* | _xsave*)
      echo "\`$1\` is a processor-specific instruction, which the checks for errors and races cannot see" ;;
    *address_space* | __seg_* | opencl_* | __opencl_*)
      echo "\`$1\` puts data into another address space, which the checks for errors and races cannot see" ;;
    __builtin_mem* | __builtin___mem* | __builtin_bzero | __builtin_bcopy | __builtin_st[rp]* | \
      __builtin___st[rp]* | __builtin_clear_padding)
      echo "\`$1\` can write memory that the checks for errors and races do not see; use the function of the \
C library" ;;
    __builtin_setjmp | __builtin_longjmp | __label__)
      echo "\`$1\` jumps out of a function without ending it properly" ;;
    __SANITIZE_* | __has_feature | CUCC* | cucc* | __clang* | __llvm__)
      echo "\`$1\` shows which build this is: the same code has to be both correct and fast" ;;
    _Pragma | __has_include* | __has_embed)
      echo "\`$1\` could hide code from this check; please write it without" ;;
    *CONCAT* | *__REDIRECT* | __ASMNAME* | __gthrw*)
      echo "\`$1\` is an internal macro of the C library that makes names or assembly" ;;
    __start_* | __stop_* | _GLOBAL_OFFSET_TABLE_ | __dso_handle)
      echo "\`$1\` is a symbol that the linker defines" ;;
    wb_* | WB_*) echo "\`$1\` belongs to the harness" ;;
    __asan_* | __tsan_* | __ubsan_* | __lsan_* | __sanitizer_* | __sti* | _sub_I_* | _sub_D_*)
      echo "\`$1\` belongs to the compiler and its sanitizers" ;;
  esac
}

# Sets LEXER: the rewriter, whose lexer reads the file as the CPU backend does. Built from the checkout, with
# the supervisor, before any of the learner's code is compiled; rebuilt when one of its sources is newer. A
# machine without a compiler uses those that `make lessonNN` left in WORK. Status 1 if there are none.
make_lexer() {
  local source stale='' tried=0
  LEXER=$WORK/build/rewrite
  [[ -x $LEXER && -x $WORK/build/supervisor ]] || stale=yes
  for source in "$ROOT"/common/cpu/rewrite/* "$ROOT"/common/harness/base/text.*; do
    [[ ! $source -nt $LEXER ]] || stale=yes
  done
  [[ -n $stale ]] || return 0
  lock_build
  "${MAKE[@]}" -j2 "CC=$(command -v gcc || printf %s "${CC:-cc}")" rewriter \
    >"$TMP/lexer.log" 2>&1 9>&- || tried=1
  unlock_build
  ((tried == 0)) || [[ -x $LEXER && -n $(missing_compiler) ]]
}

# no_lexer: what happens to a file whose tokens cannot be read here. If all programs were handed in, nothing
# is compiled from the file, and grade.json says so (runs[].built).
no_lexer() {
  local kind lack
  lack=$(missing_compiler)
  for kind in "${KINDS[@]}"; do
    [[ ${BUILT[$kind]} == submission ]] || kind=''
    [[ -n $kind ]] || break
  done
  [[ -n $lack && -n $kind ]] ||
    stop 3 "the program that reads the tokens of $NAME does not build:" "$(head -n 20 "$TMP/lexer.log")"
  printf '%s: %s was not inspected, since there is no compiler here (%s) and no earlier build in %s. %s\n' \
    "$PROGRAM" "$SHOWN" "$lack" "$WORK" \
    "Only the programs that were handed in are graded. \`make $LESSON\` on a machine with a compiler, with \
the same WORK, makes the inspection possible." >&2
}

# unusual NAME: the description of a place that compilers may read differently, by its name in the output of
# `rewrite --tokens`.
unusual() {
  case $1 in
    raw-string)
      echo "a raw string (R\"...\") in a directive or an #if, touching a literal, with a line that ends in \
a backslash, or with a delimiter that has more than letters and digits," ;;
    trigraph) echo "a trigraph (??=, ??/)" ;;
    foreign-letter) echo "a letter beyond ASCII, outside of strings and comments," ;;
    pasting) echo "pasting of tokens (##)" ;;
    letter-as-number) echo "a letter written as a number (\\u)" ;;
    pragma-dependency) echo "#pragma dependency" ;;
    carriage-return) echo "a carriage return within a line" ;;
    long-line) echo "a line of more than 100000 characters" ;;
    line) echo "a line marker (#line)" ;;
    *) echo "a line marker (# $1)" ;;
  esac
}

# inspect_source: status 1 and REFUSALS where the source uses something that is not allowed. Runs before the
# compiler.
inspect_source() {
  local file=${INSPECTED:-$TMP/submission/$NAME} line kind text why
  REFUSALS=()
  mapfile -t PERMITTED < <(permitted_words include; permitted_words word)
  PERMITTED+=("\"${NAME%.*}.h\"" "${GIVEN[@]}")
  if LC_ALL=C IFS='' read -r -d '' _ <"$file"; then
    add_refusal "$NAME contains a zero byte, so it is not a text file"
  fi
  make_lexer || { no_lexer && return; }
  look_with words "$LEXER" "${file%/*}" -- words "$LEXER" "$MOST_LINES" "$file" || return 1
  ((${#LOOKED[@]} <= MOST_LINES)) ||
    add_refusal "$NAME contains more than $MOST_LINES names that have to be checked"
  while ! enough && IFS=$'\t' read -r line kind text; do
    [[ ! $kind:$text =~ ^directive:(line|[0-9]+)$ ]] || kind=unusual # a line marker
    case $kind in
      include)
        if ! is_permitted "$text" || [[ $text == *..* ]]; then
          add_refusal "$NAME:$line: it includes $text, which $LESSON does not need"
        fi
        ;;
      unusual)
        why=$(unusual "$text")
        add_refusal "$NAME:$line: $why could hide code from this check; please write it without"
        ;;
      directive)
        [[ $text =~ ^(define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|warning)$ ]] ||
          add_refusal "$NAME:$line: the directive #$text is not needed here"
        ;;
      word)
        is_permitted "$text" && continue
        why=$(why_not_word "$text")
        [[ -z $why ]] || add_refusal "$NAME:$line: $why"
        ;;
    esac
  done < <(((${#LOOKED[@]} == 0)) || printf '%s\n' "${LOOKED[@]}")
  ((${#REFUSALS[@]} == 0))
}

# ---- An object ----

# look_at KIND: leaves the facts about the object of that kind of program in FOUND (objects.awk), each with
# the name as C++ writes it. Status 1 and a refusal if that took too much.
look_at() {
  local object=$TMP/out/$LESSON-$1.o program=$TMP/out/$LESSON-$1
  local line reference=''
  while read -r line; do
    [[ $line != */"$1"/reference-* ]] || reference=$line
  done <"$TMP/out/references"
  local trusted=("$WORK/build"/*/common/{openmp,harness/*}/*.o "$WORK/build"/*/lessons/"$LESSON"/driver/*.o)
  look_with "facts-$1" "$TMP/out" "$WORK/build" -- object "$MOST_LINES" "$object" "$reference" "$program" \
    "${trusted[@]}" || return 1
  FOUND=("${LOOKED[@]}")
}

# found KIND: those of that kind, without it.
found() {
  local fact
  for fact in "${FOUND[@]}"; do
    [[ $fact != "$1"$'\t'* ]] || printf '%s\n' "${fact#*$'\t'}"
  done
}

# has_fact KIND: whether there is one of that kind, which has no fields.
has_fact() {
  local fact
  for fact in "${FOUND[@]}"; do
    [[ ${fact%$'\t'} != "$1" ]] || return 0
  done
  return 1
}

# The sections that compilers make from C and CUDA C. Any other section comes from an attribute or from
# assembly.
ordinary_section() {
  case $1 in
    .text | .text.* | .data | .data.* | .bss | .bss.* | .rodata | .rodata.* | .lbss | .lrodata | .ldata | \
      .tbss | .tbss.* | .tdata | .tdata.* | .comment | .eh_frame | .group | .note.GNU-stack | \
      .note.gnu.property | .debug_* | .gcc_except_table | .gcc_except_table.* | .init_array | \
      .init_array.* | .fini_array.00099 | .nv_fatbin | .nvFatBinSegment | __nv_module_id | .nv_* | \
      cucc_device | cucc_constant | cucc_managed | cucc_kernels | cucc_waits | \
      .llvm_addrsig | asan_globals) return 0 ;;
  esac
  return 1
}

inspect_sections() {
  local section
  while ! enough && read -r section _; do
    case $section in
      .fini_array* | .dtors*)
        [[ $section == .fini_array.00099 ]] ||
          refusal destructor "a destructor (section $section): code that runs after main"
        ;;
      .preinit_array* | .ctors* | .init | .fini)
        refusal "$section" "code in the section $section: it runs before or after main" ;;
      *)
        ordinary_section "$section" ||
          refusal "$section" "it has its own section, \`$section\`; let the compiler choose the section"
        ;;
    esac
  done < <(found section)
  if has_fact stack; then
    refusal '' "it needs code on the stack. This comes from taking the address of a nested function; \
move that function out of the other one"
  fi
}

inspect_early() {
  local name word
  while ! enough && IFS=$'\t' read -r name word; do
    if [[ $name == _GLOBAL__sub_I_* ]]; then # the name is that of any function or variable of the file
      refusal '' "a global variable, or a static member of a class, gets its value from code that runs \
before main (<iostream> has such a variable, too). Give it a constant value, or make it a local variable or \
a member of each object"
    else
      refusal "${word%%(*}" "\`$word\` runs before main or after main; only the lesson's functions may run"
    fi
  done < <(found early)
}

# The functions and variables that the object uses but does not define.
inspect_references() {
  local name plain harness
  while ! enough && IFS=$'\t' read -r name harness plain; do
    plain=${plain%%(*}
    if matches "$name" "${REFUSED[@]}"; then
      refusal "$plain" "this calls \`$plain\`, but $LESSON asks you to do without it"
      continue
    fi
    # Some distributions' compilers check lengths (_FORTIFY_SOURCE): they call __snprintf_chk for snprintf.
    if [[ $name =~ ^__([a-z]+)_chk$ ]] && is_permitted "${BASH_REMATCH[1]}"; then continue; fi
    is_permitted "$name" && continue
    if [[ $harness == 1 ]]; then
      refusal "$plain" "this uses \`$plain\`, which belongs to the harness; write your own answer"
      continue
    fi
    case $plain in
      cublas* | cub::* | thrust::* | curand* | cudnn* | cusolver* | cusparse* | cufft*)
        refusal "${plain##*::}" "this calls \`$plain\` of a library, but $LESSON asks for your own kernel" ;;
      *) refusal "$plain" "this calls \`$plain\`, which $LESSON does not need" ;;
    esac
  done < <(found uses)
}

# The names that the object defines for others to use. A name that the finished program exports to libraries
# is one of theirs. A name that is hidden from them, or has a version, would still be used by the harness. The
# linker prefers even a weak definition to a library's, so only C++ templates and inline functions may be
# weak; the linker takes the harness's copy of these (programs.mk).
inspect_definitions() {
  local type name plain exported hidden
  while ! enough && IFS=$'\t' read -r type name exported hidden plain; do
    case $type:$name in
      *:_Z[nd][wla]mPv | *:_Z[nd][wla]PvS_) continue ;; # placement new and delete, defined in <new>
      *:_Z[nd][wla]*)
        refusal "${plain%%(*}" "it defines \`${plain%%(*}\`: the harness and libraries would use it"
        continue
        ;;
      [WVu]:_Z* | [WVu]:DW.ref.* | [WVu]:__clang_call_terminate) continue ;;
    esac
    case $type:$plain in
      i:*)
        refusal "$plain" "\`$plain\` is an ifunc (or has target_clones): its selector runs before main" ;;
      *:*@*) refusal "${plain%%@*}" "it defines \`${plain%%@*}\` with a version, as system libraries do" ;;
      *:wb_* | *:cucc* | *:cuda* | *:cu[A-Z]* | *:GOMP_* | *:omp_* | *:gomp_* | *:nccl* | *:cublas*)
        refusal "${plain%%(*}" "it defines \`${plain%%(*}\`, a name of the harness or of a library. \
Choose another name"
        ;;
      *:__device_stub__*) ;; # nvcc makes one for each kernel
      *:__*) [[ $name == __nv_* || $name == __cudart_* || $name == __fatbin* ]] ||
        refusal "$plain" "it defines \`$plain\`: names that begin with __ belong to the compiler" ;;
    esac
    if [[ $type != i && $exported == 1 ]]; then
      refusal "$plain" "it defines \`$plain\`, which also exists in a system library: the harness and \
libraries would use your definition. Make it \`static\`, or choose another name"
    elif [[ $hidden == 1 ]]; then
      refusal "$plain" "it defines \`$plain\`, hidden from libraries (visibility): the harness would use it \
instead of the library's. Make it \`static\`"
    fi
  done < <(found defines)
}

inspect_instructions() {
  local instruction
  while ! enough && IFS=$'\t' read -r instruction _; do
    add_refusal "$NAME: a system call as a machine instruction ($instruction)"
  done < <(found system)
  if has_fact segment; then
    add_refusal "$NAME: an access through a segment register (gs), which the checks for errors and races \
cannot see"
  fi
}

# The files that the compiler read apart from its own headers: this also finds an #include that the inspection
# of the source has missed.
inspect_files() { # dependencies
  local file files=() other line words
  while read -r line; do
    line=${line#*: }
    read -ra words <<<"${line%\\}"
    files+=("${words[@]}")
    [[ $line == *\\ ]] || break
  done <<<"$(<"$1")"
  while read -r file; do
    other=''
    case $file in
      "$TMP/submission/$NAME") ;;
      "$ROOT/lessons/$LESSON/"*/*) other=${file#"$ROOT"/} ;; # the driver's
      "$ROOT/lessons/$LESSON/"*.h) ;;
      "$ROOT"/common/cpu/include/* | "$ROOT/common/wb_nccl.h") ;; # what the lesson's own header may include
      */include/*) [[ $file != "$ROOT"/* && $file != "$TMP"/* ]] || other=${file#"$ROOT"/} ;;
      *) other=${file#"$ROOT"/} ;;
    esac
    [[ -z $other ]] || refusal "${file##*/}" "it includes $other, which $LESSON does not need"
  done < <(cd "$ROOT" && realpath -m -- "${files[@]}")
}

# inspect_program KIND: inspects the object that the program of that kind was linked from.
inspect_program() {
  mapfile -t PERMITTED < <(permitted_words call)
  mapfile -t REFUSED < <(permitted_words refuse)
  look_at "$1" || return 0
  ! has_fact incomplete ||
    stop 3 "objdump shows only a part of what was built. Grade again; if that fails, too, reinstall binutils."
  if has_fact many; then
    add_refusal "$NAME defines and uses more than $MOST_LINES names"
    return
  elif has_fact unreadable; then
    add_refusal "$NAME: it defines names that cannot be read"
    return
  fi
  inspect_files "$TMP/out/$LESSON-$1.d"
  inspect_sections
  inspect_early
  inspect_references
  inspect_definitions
  inspect_instructions
}

# inspect_programs: all programs that were built here; status 1 and REFUSALS where one uses something not
# allowed.
inspect_programs() {
  local kind tool
  REFUSALS=()
  for tool in "${CROSS_COMPILE:-}"{nm,objdump,c++filt}; do
    command -v "$tool" >/dev/null ||
      stop 3 "needs $tool to inspect the compiled file, but it is not installed; it comes with binutils."
  done
  for kind in "${KINDS[@]}"; do
    if [[ ${BUILT[$kind]} == here ]]; then inspect_program "$kind"; fi
  done
  ((${#REFUSALS[@]} == 0))
}

# The message of a refused file.
refused_message() {
  printf '%s was rejected without being run: it uses features that %s does not allow:\n' "$SHOWN" "$LESSON"
  printf '%s\n' "${REFUSALS[@]}" | sort -s -t: -k2n
  ! enough || printf 'and there may be more\n'
  printf '%s' 'Remove it and grade again. If you think that it should be allowed, ask your instructor: ' \
    "grader/checks/permitted and lessons/$LESSON/permitted list what is allowed."
}

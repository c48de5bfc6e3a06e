# inspect.bash: looks at a learner's file and at the objects made of it, before anything of them runs. Sourced by
# grader/check. Why, and what it cannot see: grader/SECURITY.md.
#
# The source may include what grader/checks/permitted lists, and may not hide from this look or tell the sanitizers to look
# away. Each object is compared with one that the same compiler makes of grader/lib/reference.c or .cu: it may run nothing
# before main that that one doesn't, has no sections of other kinds, calls only what is permitted, defines nothing that the
# harness or a library would take for its own, and makes no system calls.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

REFUSALS=() # sentences
FOUND=()
PERMITTED=()
readonly MOST_LINES=2000 # of what is looked at one by one: more takes minutes, and no honest file has them

# refusal WORD SENTENCE: adds a sentence, with the line where the file has WORD, if it does.
refusal() {
  local line=''
  [[ -z $1 ]] || line=$(grep -nwF -m 1 -- "$1" "$TMP/submission/$NAME" | cut -d: -f1 || true)
  REFUSALS+=("$NAME${line:+:$line}: $2")
}

# permitted_words FIELD: the words of the lines `include`, `word` or `call` of grader/checks/permitted that hold for this
# lesson.
permitted_words() {
  local language=cuda words word mine=no
  [[ $PLAIN_C == false ]] || language=c
  while read -ra words; do
    case ${words[0]-} in
      \[*) [[ " [every] [$language] [$LESSON] " == *" ${words[0]} "* ]] && mine=yes || mine=no ;;
      "$1")
        [[ $mine == yes ]] || continue
        for word in "${words[@]:1}"; do
          [[ $word != '#' ]] || break
          printf '%s\n' "$word"
        done
        ;;
    esac
  done <"$ROOT/grader/checks/permitted"
}

# is_permitted NAME
is_permitted() {
  local pattern
  for pattern in "${PERMITTED[@]}"; do
    # shellcheck disable=SC2053 # the list holds patterns
    [[ $1 != $pattern ]] || return 0
  done
  return 1
}

# ---- The source ----

# Why a word may not stand in a file, nothing where it may.
why_not_word() {
  case $1 in
    asm | __asm | __asm__) echo "inline assembly: no lesson needs it, and nobody could tell what it does" ;;
    _tile_* | __encl* | __pconfig_*) echo "\`$1\` is a macro that makes assembly of its argument, and nobody could tell what that does" ;;
    no_sanitize* | __no_sanitize* | no_address_safety_analysis | disable_sanitizer_instrumentation)
      echo "\`$1\` turns the checks for memory errors and races off" ;;
    section | __section__)
      echo "\`section\` puts code or data where nobody looks for it; if it is a variable, please call it something else" ;;
    __builtin_ia32_* | __builtin_aarch64_* | __builtin_arm_* | _mm*_stream_* | _mm*mask*store* | _mm*scatter_* | _mm*maskmove* | _mm_store[hl]_pi | _directstore* | _movdir* | \
      _fxsave* | _xsave*)
      echo "\`$1\` is an instruction of one processor, which the checks for memory errors and races do not see" ;;
    __builtin_setjmp | __builtin_longjmp | __label__)
      echo "\`$1\` jumps out of a function before what it began has ended" ;;
    __SANITIZE_* | __has_feature | CUCC* | cucc*)
      echo "\`$1\` tells which build this is: the same code has to be right and fast" ;;
    _Pragma | __has_include* | __has_embed)
      echo "\`$1\` could hide something from this look at the file, so please write it plainly" ;;
    *CONCAT* | *__REDIRECT* | __ASMNAME* | __gthrw*)
      echo "\`$1\` is a macro of the C library's own, which makes names or assembly" ;;
    __start_* | __stop_* | _GLOBAL_OFFSET_TABLE_ | __dso_handle)
      echo "\`$1\` is a place that the linker makes" ;;
    wb_* | WB_*) echo "\`$1\` belongs to the harness" ;;
    __asan_* | __tsan_* | __ubsan_* | __lsan_* | __sanitizer_* | __sti* | _sub_I_* | _sub_D_*)
      echo "\`$1\` belongs to the compiler and its sanitizers" ;;
  esac
}

# inspect_source: status 1 and REFUSALS where the file holds what it may not. The compiler has not seen it yet.
inspect_source() {
  local file=$TMP/submission/$NAME line kind text why lines
  REFUSALS=()
  mapfile -t PERMITTED < <(permitted_words include; permitted_words word)
  PERMITTED+=("\"${NAME%.*}.h\"")
  if LC_ALL=C grep -qaP '\x00' -- "$file"; then
    REFUSALS+=("$NAME holds a zero byte; it is no text")
  fi
  mapfile -t lines < <(LC_ALL=C awk -v language="${NAME##*.}" -f "$GRADER_LIB/source.awk" "$file" | notable | head -n $((MOST_LINES + 1)))
  ((${#lines[@]} <= MOST_LINES)) || REFUSALS+=("$NAME holds more than $MOST_LINES names that would have to be looked up")
  while IFS=$'\t' read -r line kind text; do
    case $kind in
      include) is_permitted "$text" && [[ $text != *..* ]] || REFUSALS+=("$NAME:$line: it includes $text, which $LESSON does not need") ;;
      odd) REFUSALS+=("$NAME:$line: $text could hide something from this look at the file, so please write it plainly") ;;
      directive)
        [[ $text =~ ^(define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|warning)$ ]] ||
          REFUSALS+=("$NAME:$line: the directive #$text is not needed here")
        ;;
      word)
        is_permitted "$text" && continue
        why=$(why_not_word "$text")
        [[ -z $why ]] || REFUSALS+=("$NAME:$line: $why")
        ;;
    esac
  done < <(((${#lines[@]} == 0)) || printf '%s\n' "${lines[@]}")
  ((${#REFUSALS[@]} == 0))
}

# Of the words, those that why_not_word might know: the others are many. Each line that says the same is told once.
notable() {
  { LC_ALL=C grep -vP '\tword\t(?!\w*(CONCAT|REDIRECT)|_mm\d*_\w*(stream|mask|scatter|store[hl]_)|_*(asm|ASMNAME|section|builtin_(ia32|aarch64|arm|setjmp|longjmp)|label__|no_|has_|Pragma|SANITIZE|disable_|CUCC|cucc|wb_|WB_|asan|tsan|ubsan|lsan|sanitizer|sti|sub_|tile_|encl|pconfig|directstore|movdir|fxsave|xsave|start_|stop_|gthrw|GLOBAL_|dso_))' || true; } |
    LC_ALL=C awk -F '\t' '!told[$2 FS $3]++'
}

# ---- An object ----

# Names as C++ has them, of arguments or of lines. A name of 300 letters can stand for gigabytes: not those.
plain_names() { (ulimit -v 200000; timeout 5 c++filt "$@" | cut -c 1-300) || true; }

# look_at KIND: leaves the facts about the object of that kind of program in FOUND (objects.awk).
look_at() {
  local object=$TMP/out/$LESSON-$1.o program=$TMP/out/$LESSON-$1 reference=$WORK/build/$1/reference.${NAME##*.}.o
  mapfile -t FOUND < <(awk -v MOST="$MOST_LINES" -f "$GRADER_LIB/objects.awk" \
    read=tables <(objdump -h -w -t -r -- "$object" "$reference") \
    read=symbols <(nm -P -- "$object" "$reference") \
    read=program <(nm --defined-only -- "$program" 2>/dev/null) \
    read=exported <(nm -D --defined-only -- "$program" 2>/dev/null) \
    read=wanted <(nm -u -P -- "$WORK/build"/*/common/{openmp,harness/*}/*.o "$WORK/build"/*/lessons/"$LESSON"/driver/*.o 2>/dev/null) \
    read=code <(objdump -d --no-show-raw-insn -- "$object"))
}

# found KIND: those of that kind, without it.
found() {
  local fact
  for fact in "${FOUND[@]}"; do
    [[ $fact != "$1"$'\t'* ]] || printf '%s\n' "${fact#*$'\t'}"
  done
}

# The sections that compilers make of C and CUDA C. What else there is came in by an attribute or by assembly.
ordinary_section() {
  case $1 in
    .text | .text.* | .data | .data.* | .bss | .bss.* | .rodata | .rodata.* | .tbss | .tbss.* | .tdata | .tdata.* | .comment | .eh_frame | \
      .group | .note.GNU-stack | .note.gnu.property | .debug_* | .gcc_except_table | .gcc_except_table.* | .init_array | .init_array.* | \
      .fini_array.00099 | .nv_fatbin | .nvFatBinSegment | __nv_module_id | .nv_* | cucc_device | cucc_constant | cucc_managed | cucc_kernels | .llvm_addrsig | \
      asan_globals | .lbss | .lrodata | .ldata) return 0 ;;
  esac
  return 1
}

inspect_sections() {
  local section
  while read -r section; do
    case $section in
      .fini_array* | .dtors*) [[ $section == .fini_array.00099 ]] || refusal destructor "a destructor (section $section): code that runs after main" ;;
      .preinit_array* | .ctors* | .init | .fini) refusal "$section" "code in the section $section: it runs before or after main" ;;
      *) ordinary_section "$section" || refusal "$section" "a section of its own, \`$section\`; let the compiler choose" ;;
    esac
  done < <(found section)
  if [[ $'\n'$(printf '%s\n' "${FOUND[@]}")$'\n' == *$'\nstack\n'* ]]; then
    refusal '' "it needs code on the stack, which a function inside of a function does whose address is taken; make that one a function of its own"
  fi
}

inspect_early() {
  local name word
  while read -r name; do
    word=${name#_GLOBAL__sub_I_}
    if [[ $name == _GLOBAL__sub_I_* ]]; then
      refusal "$(plain_names "$word" | sed 's/(.*//')" "a variable outside of all functions gets its value from code that runs before main (<iostream> brings such a one, too). Give it a constant, or make it a local variable"
    else
      refusal "$(plain_names "$name" | sed 's/(.*//')" "\`$(plain_names "$name")\` runs before main or after it; only the lesson's own functions are called"
    fi
  done < <(found early)
}

# What the object calls, or reads, and does not hold.
inspect_references() {
  local name plain harness
  while read -r name harness; do
    is_permitted "$name" && continue
    plain=$(plain_names -- "$name" | sed 's/(.*//')
    if [[ $harness == 1 ]]; then
      refusal "$plain" "this uses \`$plain\`, which belongs to the harness: the answer has to be your own"
      continue
    fi
    case $plain in
      cublas* | cub::* | thrust::* | curand* | cudnn* | cusolver* | cusparse* | cufft*) refusal "${plain##*::}" "this calls \`$plain\`, a library, where $LESSON asks for a kernel of your own" ;;
      *) refusal "$plain" "this calls \`$plain\`, which $LESSON does not need" ;;
    esac
  done < <(found uses)
}

# What the object defines for others to use. A name that the finished program lets libraries see is one of theirs; one that
# is hidden from them, or has a version, would be taken by the harness all the same. The linker prefers even a weak definition to
# a library's, so only C++'s templates and inline functions may be weak; of these the harness's copy counts (programs.mk).
inspect_definitions() {
  local type name plain exported hidden list plains i=0
  mapfile -t list < <(found defines)
  mapfile -t plains < <(for name in "${list[@]}"; do read -r _ name _ <<<"$name" && printf '%s\n' "$name"; done | plain_names)
  ((${#plains[@]} == ${#list[@]})) || refusal '' "it defines names that cannot be read"
  while read -r type name exported hidden; do
    plain=${plains[i++]}
    case $type:$name in
      *:_Z[nd][wla]mPv | *:_Z[nd][wla]PvS_) continue ;; # <new>'s, which only say where
      *:_Z[nd][wla]*)
        refusal "${plain%%(*}" "it defines \`${plain%%(*}\`: everybody else would get yours"
        continue
        ;;
      [WVu]:_Z* | [WVu]:DW.ref.* | [WVu]:__clang_call_terminate) continue ;;
    esac
    case $type:$plain in
      i:*) refusal "$plain" "\`$plain\` is an ifunc (or has target_clones): a function that chooses it runs before main" ;;
      *:*@*) refusal "${plain%%@*}" "it defines \`${plain%%@*}\` with a version, as a library of the system does" ;;
      *:wb_* | *:cucc* | *:cuda* | *:cu[A-Z]* | *:GOMP_* | *:omp_* | *:gomp_* | *:nccl* | *:cublas*)
        refusal "${plain%%(*}" "it defines \`${plain%%(*}\`, a name of the harness or of a library. Call yours something else" ;;
      *:__device_stub__*) ;; # nvcc's, of each kernel
      *:__*) [[ $name == __nv_* || $name == __cudart_* || $name == __fatbin* ]] ||
        refusal "$plain" "it defines \`$plain\`: names that begin with __ belong to the compiler" ;;
    esac
    if [[ $type != i && $exported == 1 ]]; then
      refusal "$plain" "it defines \`$plain\`, which a library of the system has too: everybody else would get yours. Make it \`static\`, or call it something else"
    elif [[ $hidden == 1 ]]; then
      refusal "$plain" "it defines \`$plain\`, hidden from libraries (visibility), and the harness would take it for theirs. Make it \`static\`"
    fi
  done < <(((${#list[@]} == 0)) || printf '%s\n' "${list[@]}")
}

inspect_instructions() {
  local instruction
  instruction=$(found system)
  [[ -z $instruction ]] || REFUSALS+=("$NAME: a system call in machine code ($instruction)")
}

# What the compiler read besides its own headers: a second look, should the first have been misled.
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
      "$TMP/submission/$NAME" | "$ROOT/lessons/$LESSON/${NAME%.*}.h" | "$ROOT"/common/cpu/include/*) ;;
      */include/*) [[ $file != "$ROOT"/* && $file != "$TMP"/* ]] || other=${file#"$ROOT"/} ;;
      *) other=${file#"$ROOT"/} ;;
    esac
    [[ -z $other ]] || refusal "${file##*/}" "it includes $other, which $LESSON does not need"
  done < <(cd "$ROOT" && realpath -m -- "${files[@]}")
}

# inspect_program KIND: looks at the object of which the program of that kind was made.
inspect_program() {
  mapfile -t PERMITTED < <(permitted_words call)
  look_at "$1"
  if [[ ${FOUND[0]-} == many ]]; then
    REFUSALS+=("$NAME defines and uses more than $MOST_LINES names")
    return
  fi
  inspect_files "$TMP/out/$LESSON-$1.d"
  inspect_sections
  inspect_early
  inspect_references
  inspect_definitions
  inspect_instructions
}

# inspect_programs: all that were built here; status 1 and REFUSALS where one holds what it may not.
inspect_programs() {
  local kind tool
  REFUSALS=()
  for tool in nm objdump c++filt; do
    command -v "$tool" >/dev/null || stop 3 "needs $tool to look at what was built, not found here; it comes with binutils."
  done
  for kind in "${KINDS[@]}"; do
    if [[ ${BUILT[$kind]} == here ]]; then inspect_program "$kind"; fi
  done
  ((${#REFUSALS[@]} == 0))
}

# The message of a refused file.
refused_message() {
  local list
  list=$(printf '%s\n' "${REFUSALS[@]}" | awk '!seen[$0]++' | sort -t: -k2n)
  printf '%s is not graded, and nothing of it was run, because it holds what no answer to %s needs:\n' "$SHOWN" "$LESSON"
  head -n 12 <<<"$list"
  (($(wc -l <<<"$list") <= 12)) || printf '… and %d more\n' $(($(wc -l <<<"$list") - 12))
  printf 'Take it out and grade again. If you think that it should be allowed, ask whoever runs the course: grader/checks/permitted is the list.'
}

# Rules for every file of the workbook.
# bats file_tags=long

bats_require_minimum_version 1.5.0
load ../quick

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || exit
  export FILES="$BATS_FILE_TMPDIR/files"
  # The tracked files; in a tree without git, all files that are not built or installed.
  if ! git -c safe.directory='*' ls-files >"$FILES" 2>/dev/null; then
    find . \( -name .git -o -path ./build -o -name node_modules -o -path ./.tools -o -path ./jobs/logs \) \
      -prune \
      -o -type f -print | sed 's|^\./||' >"$FILES"
  fi
  # A file that was just deleted is still listed until the deletion is committed.
  local file
  while read -r file; do if [ -f "$file" ]; then echo "$file"; fi; done <"$FILES" >"$FILES.there"
  mv "$FILES.there" "$FILES"
  list_shell_files | sort -u >"$FILES.shell"
}

setup() { cd "$BATS_TEST_DIRNAME/../.." || exit; }

named() { grep -E "$@" "$FILES"; }

# Bash scripts by name or by first line.
list_shell_files() {
  named '\.(bash|bats|sh)$'
  named -e '(^|/)[^./]+$' |
    xargs -d '\n' awk 'FNR == 1 { if (/^#!.*[\/ ](ba)?sh$/) print FILENAME; nextfile }'
}

shell_files() { cat "$FILES.shell"; }

# none_of MESSAGE LINES: fails and shows the lines if there are any.
none_of() {
  [ -z "$2" ] || { printf '%s\n%s\n' "$1" "$2" && return 1; }
}

@test "shellcheck reports nothing for any shell script" {
  shell_files >"$BATS_TEST_TMPDIR/shell"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/shell")" -gt 5 ]
  # The parts of these programs share variables: each program is checked as a whole, and its parts not alone.
  local programs=(grader/check common/cpu/cucc)
  sed -n 's/^# shellcheck source=//p' "${programs[@]}" | sort -u >"$BATS_TEST_TMPDIR/parts"
  [ "$(grep -cxFf "$BATS_TEST_TMPDIR/shell" "$BATS_TEST_TMPDIR/parts")" -gt 10 ]
  # Tests run under set -e, and bats sets status, output and lines.
  local status=0 of_tests='^tests/.*\.(bats|bash)$|^grader/checks/'
  shellcheck -x -a "${programs[@]}" || status=1
  printf "%s\n" "${programs[@]}" >>"$BATS_TEST_TMPDIR/parts"
  grep -vE "$of_tests" "$BATS_TEST_TMPDIR/shell" | grep -vxFf "$BATS_TEST_TMPDIR/parts" |
    xargs -d '\n' shellcheck -x || status=1
  grep -E "$of_tests" "$BATS_TEST_TMPDIR/shell" |
    xargs -d '\n' shellcheck -x -e SC1003,SC1111,SC2030,SC2031,SC2128,SC2154,SC2164,SC2178 || status=1
  [ "$status" = 0 ]
}

# grep -q ends at the first match. The program before it is then killed at its next line, which pipefail
# reports as a failure.
@test "no script uses grep -q after a pipe: redirect to /dev/null instead" {
  none_of "ends too early:" "$(shell_files | grep -v '\.bats$' | xargs -d '\n' grep -l pipefail |
    xargs -d '\n' grep -nE '[^|][|] *(LC_ALL=C )?grep -[a-zA-Z]*q' || true)"
}

@test "clang-format changes no C or CUDA file" {
  local format
  format=$(command -v clang-format-14 || command -v clang-format)
  "$format" --version | grep -q 'version 14\.' ||
    skip "another clang-format than 14, which formats differently"
  named '\.(c|h|cu)$' | xargs -d '\n' "$format" --dry-run -Werror
}

@test "there is no Python, but for the program that times what users would take instead" {
  none_of "Python files:" "$(named '\.(py|ipynb|pyc)$|requirements.*\.txt$|pyproject' |
    grep -v '^tests/jobs/gpu/beside/')"
  none_of "Python is called:" "$(xargs -d '\n' grep -nIE '(^|[ /])python[23]?( |$)|^#!.*python' <"$FILES" |
    grep -vE '^tests/(project/hygiene.bats|jobs/gpu/beside/[a-z.]*):')"
}

@test "files are short: 400 lines are a warning, 600 an error" {
  named '\.(c|h|cu|bash|bats|sh|awk|jq|js|css)$|Makefile$|(^|/)[^./]+$' | grep -v '^LICENSE' |
    xargs -d '\n' wc -l |
    awk '$2 != "total" && $1 > 400 { print $2 ": " $1 " lines" }' >"$BATS_TEST_TMPDIR/long"
  sed 's/^/# warning: /' "$BATS_TEST_TMPDIR/long" >&3
  none_of "too long:" "$(awk '$2 > 600' "$BATS_TEST_TMPDIR/long")"
}

@test "lines of shell, jq and awk have at most 110 columns" {
  { shell_files && named '\.(jq|awk)$'; } | sort -u >"$BATS_TEST_TMPDIR/sources"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/sources")" -gt 100 ]
  none_of "too wide:" "$(LC_ALL=C.UTF-8 xargs -d '\n' grep -nE '^.{111,}' <"$BATS_TEST_TMPDIR/sources")"
}

@test "functions are short: under 60 lines" {
  local functions='
    FNR == 1 { start = 0 }
    /^[A-Za-z_].*\{$/ && !/^(template <.*> )?(struct|union|enum|typedef|namespace|extern)/ &&
      !/^(template <.*> )?(static const|const|class)/ {
      start = FNR; name = $0
    }
    /^\}/ && start {
      if (FNR - start + 1 >= 60) print FILENAME ":" start ": " FNR - start + 1 " lines: " name
      start = 0
    }'
  none_of "too long:" "$({ named '\.(c|h|cu)$'; shell_files | grep -v '\.bats$'; } | sort -u |
    xargs -d '\n' awk "$functions")"
}

@test "no file names a path or a host of the machine that it was written on" {
  none_of "named:" "$(xargs -d '\n' grep -nIE \
    '/wor[k]/(main|shared)|/tmp/desig[n]|\.\./[s]hared/|regist[r]y\.npmjs|deb[.]debian[.]org|py[p]i\.org' \
    <"$FILES")"
}

@test "every file is text and ends with a newline" {
  none_of "binary:" "$(named -v '\.(png|zip)$' | xargs -d '\n' grep -LI '' | while read -r file; do
    if [ -s "$file" ]; then echo "$file"; fi
  done)"
  none_of "no newline at the end:" "$(named -v '\.(svg|json|png|zip)$' | xargs -d '\n' grep -LPz '\n\z' |
    while read -r file; do if [ -s "$file" ]; then echo "$file"; fi; done)"
  none_of "blanks at the end of a line:" "$(named '\.(c|h|cu|bash|bats|sh|awk|jq|md|css|js)$|Makefile$' |
    xargs -d '\n' grep -nE '[ 	]+$')"
}

@test "files that start with #! are executable, and no others" {
  local scripts="$BATS_TEST_TMPDIR/scripts"
  xargs -d '\n' awk 'FNR == 1 { if (/^#!/) print FILENAME; nextfile }' <"$FILES" | sort >"$scripts"
  [ "$(wc -l <"$scripts")" -gt 100 ]
  none_of "not executable:" "$(grep -vE '\.(bash|bats)$' "$scripts" | while read -r file; do
    if [[ ! -x $file ]]; then echo "$file"; fi
  done)"
  none_of "executable, but no script:" "$(while read -r file; do
    if [[ -x $file ]]; then echo "$file"; fi
  done <"$FILES" | sort | comm -23 - "$scripts")"
}

@test "links between pages lead to existing files" {
  local page target broken=""
  while IFS=$'\t' read -r page target; do
    [ -e "${page%/*}/$target" ] || broken+="$page: $target"$'\n'
  done < <(named '\.md$' | grep -v '^lessons/\.template/' | sed '/\//!s|^|./|' | xargs -d '\n' awk '
    FNR == 1 { code = 0 }
    /^ *```/ { code = !code }
    !code {
      gsub(/`[^`]*`/, "")
      while (match($0, /\]\([^) ]+/)) {
        target = substr($0, RSTART + 2, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH)
        sub(/#.*/, "", target)
        if (target != "" && target !~ /^(https?|mailto):/) print FILENAME "\t" target
      }
    }' | tee "$BATS_TEST_TMPDIR/links")
  [ "$(wc -l <"$BATS_TEST_TMPDIR/links")" -gt 100 ]
  none_of "broken links:" "$broken"
}

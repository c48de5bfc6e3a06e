# formats.bash: converts a grade.json, or a class with its grades, to another format by
# grader/formats/NAME.jq. Sourced by grader/check and grader/report.
# shellcheck shell=bash

ONE_FORMATS=(pretty json tap junit gradescope autolab classroom50)
CLASS_FORMATS=(json junit csv moodle canvas html)
# These hold only points. A file that could not be graded would get 0 points in them.
SCORE_FORMATS=(gradescope autolab classroom50)

# The KIND of a format is one (grade) or class.
is_format() { # kind, name
  if [[ $1 == one ]]; then one_of "$2" "${ONE_FORMATS[@]}"; else one_of "$2" "${CLASS_FORMATS[@]}"; fi
}

list_formats() { # kind
  if [[ $1 == one ]]; then words "${ONE_FORMATS[@]}"; else words "${CLASS_FORMATS[@]}"; fi
}

is_score_format() { one_of "$1" "${SCORE_FORMATS[@]}"; }

# convert NAME FILE [SECONDS]: prints FILE in that format.
convert() {
  local color=false ascii=true width=100 columns
  if [[ $1 == pretty ]]; then
    if [[ -t 1 ]]; then
      [[ -n ${NO_COLOR:-} || ${TERM:-dumb} == dumb ]] || color=true
      { columns=$(stty size <&3 2>/dev/null | cut -d' ' -f2 || true); } 3<&1
      if [[ ${columns:-0} -ge 40 && $columns -lt 100 ]]; then width=$columns; fi
    fi
    case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
      *.UTF-8 | *.utf8) ascii=false ;;
      *) [[ $(locale charmap 2>/dev/null || true) != UTF-8 ]] || ascii=false ;;
    esac
  fi
  local raw=(-r)
  [[ $1 != json && $1 != gradescope && $1 != classroom50 ]] || raw=()
  jq "${raw[@]}" -L "$ROOT/grader/lib" --argjson color "$color" --argjson ascii "$ascii" --argjson width \
    "$width" \
    --argjson seconds "${3:-null}" --arg scale "${SCALE:-measured}" -f "$ROOT/grader/formats/$1.jq" "$2"
}

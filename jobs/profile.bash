# profile.bash: reads jobs/clusters/PROFILE, checks options against it, fills its lines. Sourced by cluster, interactive and
# rehearse, whose variables it sets: profile (the file), values (OPTION -> value), given (the names that somebody gave).
# shellcheck shell=bash disable=SC2004,SC2034,SC2154  # variables go from file to file; values and given have names as keys

die() { # status, then one line a word
  local status=$1
  shift
  printf '%s: %s\n' "jobs/${0##*/}" "$1" >&2
  (($# == 1)) || printf '%s\n' "${@:2}" | sed 's/^/  /' >&2
  exit "$status"
}

profiles() { # names, one a line
  local file
  for file in "$jobs"/clusters/*; do [[ $file == *.md ]] || printf '%s\n' "${file##*/}"; done
}

find_profile() { # name
  [[ -n $1 ]] || die 2 "say which profile: make cluster NAME=generic. Profiles: $(profiles | paste -sd' ')"
  [[ $1 =~ ^[A-Za-z0-9_-]+$ && -f $jobs/clusters/$1 ]] ||
    die 2 "there is no profile $1. Profiles: $(profiles | paste -sd' ')" \
      "make cluster NAME=generic fits most; jobs/clusters/README.md tells how to write one."
  profile=$jobs/clusters/$1
}

# Lists each option of the profile as "kind name default": kind is required, default or optional.
declared_options() {
  sed -nE -e 's/^# option \[([A-Z_]+)\].*/optional \1/p' -e 's/^# option ([A-Z_]+)="([^"]*)".*/default \1 \2/p' \
    -e 's/^# option ([A-Z_]+)=([^" ][^ ]*).*/default \1 \2/p' -e 's/^# option ([A-Z_]+)( .*)?$/required \1/p' "$profile"
}

show_options() { sed -n 's/^# option //p' "$profile"; }

# set_values OPTION=VALUE...: fills values and given; later ones win. A value that can't be right ends the program.
set_values() {
  local kind name value argument required=()
  declare -A known=()
  while read -r kind name value; do
    known[$name]=1
    values[$name]=$value
    if [[ $kind == required ]]; then required+=("$name"); fi
  done < <(declared_options)
  for argument; do
    name=${argument%%=*} value=${argument#*=}
    [[ $argument == *=* && -n ${known[$name]-} ]] ||
      die 2 "$argument: profile ${profile##*/} has no such option. It has:" "$(show_options)"
    values[$name]=$value
    given[$name]=1
  done
  for name in "${!values[@]}"; do check_form "$name" "${values[$name]}"; done
  for name in "${required[@]}"; do
    [[ -n ${values[$name]} ]] || die 2 "profile ${profile##*/} needs $name=... Its options:" "$(show_options)"
  done
  check_rules
}

# What no cluster takes.
check_form() { # option, value
  local form='^[A-Za-z0-9_./+:,|&@=*-]*$' what='a value of an #SBATCH line, without blanks or quotes.'
  case $1 in
    MODULES) form='^[A-Za-z0-9_./+: -]*$' what='names of modules, with blanks between them.' ;;
    GPUS) form='^([1-9][0-9]?)?$' what='a number of GPUs, from 1.' ;;
    MEM) form='^([1-9][0-9]*([KMGT]B?)?)?$' what='memory as Slurm writes it: 8G, or 8000 for megabytes.' ;;
    TIME) form='^([0-9]+-)?[0-9]+(:[0-9]{1,2}){0,2}$' what='a time limit as Slurm writes it: 00:10:00, or 10 for minutes.' ;;
  esac
  [[ $2 =~ $form && ($1 != TIME || $2 == *[1-9]*) ]] || die 2 "$1=$2: $what"
}

# rules KIND: the profile's lines "# KIND WORDS: TEXT", as "WORDS<tab>TEXT".
rules() { sed -nE "s/^# $1 ([^:]*): +(.*)/\1\t\2/p" "$profile"; }

# matches OPTION=PATTERN...: do all the values match?
matches() {
  local rule
  for rule; do
    # shellcheck disable=SC2053 # a pattern
    [[ ${values[${rule%%=*}]-} == ${rule#*=} ]] || return 1
  done
}

# What this cluster doesn't take.
check_rules() {
  local words text part parts
  for words in TYPE CONSTRAINT; do
    text=${values[$words]-}
    [[ ! ${text,,} =~ (^|[^a-z0-9])mi[0-9]+ ]] ||
      die 2 "$words=$text: an AMD GPU, and these lessons are CUDA, which runs on NVIDIA's only. Name another type."
  done
  while IFS=$'\t' read -r words text; do
    read -ra parts <<<"$words"
    ! matches "${parts[@]}" || die 2 "$(shown "${parts[@]}"): $text"
  done < <(rules refuse)
  while IFS=$'\t' read -r words text; do
    IFS='|' read -ra parts <<<"${values[$words]-}"
    for part in "${parts[@]}"; do
      [[ " $text " == *" $part "* ]] || die 2 "$words=${values[$words]}: ${profile##*/} has no $part, it has: $text"
    done
  done < <(rules only)
}

shown() { # OPTION=PATTERN...: the options with their values
  local rule text=''
  for rule; do text+="${text:+ }${rule%%=*}=${values[${rule%%=*}]-}"; done
  printf '%s' "$text"
}

show_notes() {
  local words text parts
  while IFS=$'\t' read -r words text; do
    read -ra parts <<<"$words"
    ! matches "${parts[@]}" || printf 'note: %s\n' "$text"
  done < <(rules note)
}

# fill LINE: prints it with the options' values; 1 when one of them was left out.
fill() {
  local line=$1 name
  for name in "${!values[@]}"; do
    line=${line//"{$name:}"/"${values[$name]:+${values[$name]}:}"}
    [[ $line != *"{$name}"* || -n ${values[$name]} ]] || return 1
    line=${line//"{$name}"/"${values[$name]}"}
  done
  [[ ! $line =~ \{[A-Z_]+:?\} ]] || die 3 "jobs/clusters/${profile##*/}: ${BASH_REMATCH[0]} is declared nowhere."
  printf '%s\n' "$line"
}

# filled START: the profile's lines that begin so, filled; those with a left-out option are left out.
filled() {
  local line
  while IFS= read -r line; do
    [[ $line != "$1"* ]] || fill "$line" || (($? == 1)) || exit 3
  done <"$profile"
}

# What is set in a script: the profile's name, and its options as they were given, one a line.
profile_in() { sed -n 's/^# >>> cluster: \([^ ]*\).*/\1/p' "$1"; }
options_in() { sed -n '/^# >>> cluster: /,/^# <<< cluster$/s/^# set //p' "$1"; }

# Sets script: the jobs/run.sh of WORK, by default the checkout's.
find_script() {
  local work
  work=$(cd "${WORK:-$jobs/..}" 2>/dev/null && pwd) || die 3 "WORK names ${WORK:-}, which is not a folder."
  script=$work/jobs/run.sh
  [[ -e $script ]] || script=$jobs/run.sh
}

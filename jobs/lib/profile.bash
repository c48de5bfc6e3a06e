# profile.bash: reads jobs/clusters/PROFILE, checks options against it, and fills in its lines. Sourced by
# jobs/cluster, jobs/interactive and jobs/rehearse, which set JOBS, the folder jobs/.
# shellcheck shell=bash

PROGRAM=jobs/${0##*/}
PROFILE=             # the profile's file
declare -gA VALUES=() # OPTION -> its value
declare -gA GIVEN=()  # the options that were given on the command line
SCRIPT=              # the batch script that it concerns

# shellcheck source=common/shell/messages.bash
source "$JOBS/../common/shell/messages.bash"

profiles() { # names, one a line
  local file
  for file in "$JOBS"/clusters/*; do [[ $file == *.md ]] || printf '%s\n' "${file##*/}"; done
}

find_profile() { # name
  [[ -n $1 ]] || stop 2 "say which profile: make cluster NAME=generic. Profiles: $(profiles | paste -sd' ')"
  [[ $1 =~ ^[A-Za-z0-9_-]+$ && -f $JOBS/clusters/$1 ]] ||
    stop 2 "there is no profile $1. Profiles: $(profiles | paste -sd' ')" \
      "make cluster NAME=generic fits most; jobs/clusters/README.md says how to write one."
  PROFILE=$JOBS/clusters/$1
}

# Lists each option of the profile as "kind name default": kind is required, default or optional.
declared_options() {
  sed -nE -e 's/^# option \[([A-Z_]+)\].*/optional \1/p' \
    -e 's/^# option ([A-Z_]+)="([^"]*)".*/default \1 \2/p' \
    -e 's/^# option ([A-Z_]+)=([^" ][^ ]*).*/default \1 \2/p' \
    -e 's/^# option ([A-Z_]+)( .*)?$/required \1/p' "$PROFILE"
}

show_options() { sed -n 's/^# option /  /p' "$PROFILE"; }

# set_values OPTION=VALUE...: fills VALUES and GIVEN; the last value of an option counts. Stops at an invalid
# value.
set_values() {
  local kind name value argument required=()
  declare -A known=()
  while read -r kind name value; do
    known[$name]=1
    VALUES[$name]=$value
    if [[ $kind == required ]]; then required+=("$name"); fi
  done < <(declared_options)
  for argument; do
    name=${argument%%=*} value=${argument#*=}
    [[ $argument == *=* && -n ${known[$name]-} ]] ||
      stop 2 "$argument: profile ${PROFILE##*/} has no such option. It has:"$'\n'"$(show_options)"
    VALUES[$name]=$value
    GIVEN[$name]=1
  done
  for name in "${!VALUES[@]}"; do check_form "$name" "${VALUES[$name]}"; done
  for name in "${required[@]}"; do
    [[ -n ${VALUES[$name]} ]] ||
      stop 2 "profile ${PROFILE##*/} needs $name=... Its options:"$'\n'"$(show_options)"
  done
  check_rules
}

# Lists the options that were given, as "NAME=VALUE".
given_options() {
  local name
  for name in $(printf '%s\n' "${!GIVEN[@]}" | sort); do printf '%s=%s\n' "$name" "${VALUES[$name]}"; done
}

# Values that are invalid on every cluster.
check_form() { # option, value
  local form='^[A-Za-z0-9_./+:,|&@=*-]*$' form_text='a value of an #SBATCH line, without blanks or quotes.'
  case $1 in
    MODULES) form='^[A-Za-z0-9_./+: -]*$' form_text='names of modules, with blanks between them.' ;;
    GPUS) form='^([1-9][0-9]?)?$' form_text='a number of GPUs, from 1.' ;;
    MEM)
      form='^([1-9][0-9]*([KMGT]B?)?)?$'
      form_text='memory as Slurm writes it: 8G, or 8000 for megabytes.'
      ;;
    TIME)
      form='^([0-9]+-)?[0-9]+(:[0-9]{1,2}){0,2}$'
      form_text='a time limit as Slurm writes it: 00:10:00, or 10 for minutes.'
      ;;
  esac
  [[ $2 =~ $form && ($1 != TIME || $2 == *[1-9]*) ]] || stop 2 "$1=$2: $form_text"
}

# rules KIND: prints the profile's lines "# KIND WORDS: TEXT", as "WORDS<tab>TEXT".
rules() { sed -nE "s/^# $1 ([^:]*): +(.*)/\1\t\2/p" "$PROFILE"; }

# matches OPTION=PATTERN...: do all the values match?
matches() {
  local rule
  for rule; do
    # shellcheck disable=SC2053 # a pattern
    [[ ${VALUES[${rule%%=*}]-} == ${rule#*=} ]] || return 1
  done
}

# Values that this cluster does not take.
check_rules() {
  local words text part parts
  for words in TYPE CONSTRAINT; do
    text=${VALUES[$words]-}
    [[ ! ${text,,} =~ (^|[^a-z0-9])mi[0-9]+ ]] ||
      stop 2 "$words=$text: an AMD GPU; these lessons are CUDA, which needs one of NVIDIA. Name another type."
  done
  while IFS=$'\t' read -r words text; do
    read -ra parts <<<"$words"
    ! matches "${parts[@]}" || stop 2 "$(shown "${parts[@]}"): $text"
  done < <(rules refuse)
  while IFS=$'\t' read -r words text; do
    IFS='|' read -ra parts <<<"${VALUES[$words]-}"
    for part in "${parts[@]}"; do
      [[ " $text " == *" $part "* ]] ||
        stop 2 "$words=${VALUES[$words]}: ${PROFILE##*/} has no $part, it has: $text"
    done
  done < <(rules only)
}

shown() { # OPTION=PATTERN...: the options with their values
  local rule text=''
  for rule; do text+="${text:+ }${rule%%=*}=${VALUES[${rule%%=*}]-}"; done
  printf '%s' "$text"
}

show_notes() {
  local words text parts
  while IFS=$'\t' read -r words text; do
    read -ra parts <<<"$words"
    ! matches "${parts[@]}" || printf 'note: %s\n' "$text"
  done < <(rules note)
}

# fill LINE: prints it with the options' values; status 1 when it has an option without a value.
fill() {
  local line=$1 name
  for name in "${!VALUES[@]}"; do
    line=${line//"{$name:}"/"${VALUES[$name]:+${VALUES[$name]}:}"}
    [[ $line != *"{$name}"* || -n ${VALUES[$name]} ]] || return 1
    line=${line//"{$name}"/"${VALUES[$name]}"}
  done
  [[ ! $line =~ \{[A-Z_]+:?\} ]] || stop 3 "jobs/clusters/${PROFILE##*/}: ${BASH_REMATCH[0]} is not declared."
  printf '%s\n' "$line"
}

# filled START: prints the profile's lines that begin with START, filled in, without those whose option has no
# value.
filled() {
  local line
  while IFS= read -r line; do
    [[ $line != "$1"* ]] || fill "$line" || (($? == 1)) || exit 3
  done <"$PROFILE"
}

# The settings in a script: the profile's name, and the options that were given, one a line.
profile_in() { sed -n 's/^# >>> cluster: \([^ ]*\).*/\1/p' "$1"; }
options_in() { sed -n '/^# >>> cluster: /,/^# <<< cluster$/s/^# set //p' "$1"; }

# Sets SCRIPT to the jobs/run.sh of WORK, or of the checkout when WORK has none.
find_script() {
  local work
  work=$(cd "${WORK:-$JOBS/..}" 2>/dev/null && pwd) || stop 3 "WORK names ${WORK:-}, which is not a folder."
  SCRIPT=$work/jobs/run.sh
  [[ -e $SCRIPT ]] || SCRIPT=$JOBS/run.sh
}

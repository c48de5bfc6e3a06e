# options.bash: reads a command line. Sourced after messages.bash. The script defines usage, take_option and
# take_argument.
# shellcheck shell=bash

# read_options VALUED FLAGS WORD...: reads the WORDs of a command line. VALUED and FLAGS are lists of option
# names. Calls take_option NAME VALUE for an option of VALUED, written "--name value" or "--name=value";
# take_option NAME yes for one of FLAGS; take_argument WORD for a word that is no option. --help prints the
# usage; an unknown option is a usage error.
read_options() {
  local valued=" $1 " flags=" $2 " option value
  shift 2
  while (($#)); do
    option=$1
    shift
    if [[ $option == -h || $option == --help ]]; then
      usage
      exit 0
    elif [[ $option != -?* ]]; then
      take_argument "$option"
    elif [[ $flags == *" $option "* ]]; then
      take_option "$option" yes
    elif [[ $valued == *" ${option%%=*} "* && $option == *=* ]]; then
      take_option "${option%%=*}" "${option#*=}"
    elif [[ $valued == *" $option "* ]]; then
      (($#)) || bad_usage "$option needs a value."
      value=$1
      shift
      take_option "$option" "$value"
    else
      bad_usage "there is no option ${option%%=*}."
    fi
  done
}

# one_of WORD LIST...: is WORD in the list?
one_of() {
  local word
  for word in "${@:2}"; do
    [[ $1 != "$word" ]] || return 0
  done
  return 1
}

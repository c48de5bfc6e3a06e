# workshop.bash: what a workshop's file (site/workshop.yml) says, for the handout and the jobs. Sourced.
# shellcheck shell=bash

# workshop_value FILE KEY: prints the value of KEY as common/shell/workshop.awk does; stops if it is faulty.
workshop_value() {
  awk -v key="$2" -f "$ROOT/common/shell/workshop.awk" "$1" ||
    stop 2 "$1 does not say its $2 in a form that can be read."
}

# workshop_cluster FILE: prints the arguments of jobs/cluster that the file stands for, one a line: the
# profile, then its options, sorted. Prints nothing if the file names no cluster.
workshop_cluster() {
  local cluster key value
  cluster=$(workshop_value "$1" cluster) || exit
  [[ -n $cluster ]] || return 0
  printf '%s\n' "$cluster"
  {
    for key in account reservation; do
      value=$(workshop_value "$1" "$key") || exit
      [[ -z $value ]] || printf '%s=%s\n' "${key^^}" "$value"
    done
    workshop_value "$1" options || exit
  } | sort
}

#!/bin/bash
# Grades one share of a class in a Slurm job array. `grader/class SUBMISSIONS --lesson lesson05 --slurm` submits it.
#
# >>> cluster: generic
#SBATCH --job-name=loops-to-warps
#SBATCH -N 1 -n 1
#SBATCH --gres=gpu:1
#SBATCH --time=00:10:00
#SBATCH --output=jobs/logs/%x-%j.log
# <<< cluster
#
# The lines between the markers are written by `make cluster NAME=...`, as those of jobs/run.sh.
# What it grades goes to OUTPUT/grades; this log says on which node and GPU. A job that Slurm starts again, since its node
# failed, goes on with what has no verdict yet.
set -euo pipefail

usage() {
  cat <<'TXT'
Usage: sbatch --array=1-N jobs/class.sh CHECKOUT OUTPUT LIST

  CHECKOUT  the workbook
  OUTPUT    the folder of a class run
  LIST      lines "PART KEY": this job grades the keys of the part that has the number of its place in the array

grader/class --slurm calls it so. Exit status: 0 each of them has a verdict or a reason why not; 2 usage; 3 could not grade.
TXT
}

main() {
  if (($# != 3)) || [[ -z ${SLURM_ARRAY_TASK_ID:-} ]]; then
    usage >&2
    exit 2
  fi
  [[ -x $1/grader/class ]] || { echo "$(uname -n) can't see $1: it must lie on a file system that the nodes share." && exit 3; }
  # What a job must know of its node is in jobs/run.sh: the GPU that it got, the modules, a folder for this kind of machine.
  # shellcheck source=jobs/run.sh
  source "$1/jobs/run.sh"
  # shellcheck source=jobs/device.bash
  source "$1/jobs/device.bash"
  WORK=${WORK:-${SLURM_SUBMIT_DIR:-$1}}
  echo "job $SLURM_ARRAY_JOB_ID, part $SLURM_ARRAY_TASK_ID on $(uname -n), $(date '+%F %T %Z')"
  if ((${SLURM_RESTART_COUNT:-0} > 1)); then
    echo "its node failed twice: given up"
    exit 3
  fi
  read_record
  find_grant
  show_gpu
  load_modules
  WORK=$WORK/build/nodes/$(machine_key)
  export WORK
  mkdir -p "$WORK" || { echo "$(uname -n) can't write into $WORK" && exit 3; }
  exec "$1/grader/class" --part "$2" "$3" "$SLURM_ARRAY_TASK_ID"
}

main "$@"

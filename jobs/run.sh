#!/bin/bash
# Grades one lesson or several in a Slurm job:   make lesson05 && sbatch jobs/run.sh
#
# >>> cluster: generic
# without a GPU: --gres=none
# with two GPUs: --gres=gpu:2
#SBATCH --job-name=loops-to-warps
#SBATCH -N 1 -n 1
#SBATCH --gres=gpu:1
#SBATCH --time=00:10:00
#SBATCH --output=jobs/logs/%x-%j.log
# <<< cluster
#
# `make cluster NAME=...` writes the lines between the markers; see jobs/README.md. `bash jobs/run.sh --help`
# prints the usage. The output of the job is its log: the device, the program's table, the verdict.
set -euo pipefail

JOB_SCRIPT=${BASH_SOURCE[0]} JOB_FOLDER=${SLURM_SUBMIT_DIR:-$PWD}
# Slurm runs a copy of a batch script, slurm_script in its spool folder. Any other copy is in a jobs/ folder.
if [[ -z ${SLURM_JOB_ID:-} || ${JOB_SCRIPT##*/} != slurm_script ]]; then
  JOB_FOLDER=$(cd "$(dirname "$JOB_SCRIPT")/.." && pwd)
  JOB_SCRIPT=$(cd "$(dirname "$JOB_SCRIPT")" && pwd)/${JOB_SCRIPT##*/}
fi

refuse() {
  printf 'jobs/run.sh: %s\n' "$@" >&2
  echo 'Status 2: usage error; see above.'
  exit 2
}

# The folder is the workbook itself, or a WORK folder, in which make has noted where the workbook is.
checkout=$JOB_FOLDER
if [[ ! -x $checkout/grader/check && -r $JOB_FOLDER/build/checkout ]]; then
  checkout=$(<"$JOB_FOLDER/build/checkout")
fi
if [[ ! -x $checkout/grader/check ]]; then
  [[ $checkout != "$JOB_FOLDER" ]] || refuse "$JOB_FOLDER is neither the workbook nor a WORK folder of it." \
    "Submit from the workbook's own folder: cd .../loops-to-warps && sbatch jobs/run.sh"
  refuse "$JOB_FOLDER belongs to the workbook in $checkout, which $(uname -n) can't see." \
    "It must be on a file system that the compute nodes share."
fi

export JOB_SCRIPT JOB_FOLDER
exec "$checkout/jobs/lib/grade-in-job" "$@"

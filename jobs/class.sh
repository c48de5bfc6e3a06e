#!/bin/bash
# Grades one part of a class in a Slurm job array. `grader/class SUBMISSIONS --lesson lesson05 --slurm`
# submits it:
#   sbatch --array=1-N jobs/class.sh CHECKOUT OUTPUT LIST
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
# `make cluster NAME=...` writes the lines between the markers, here and in jobs/run.sh.
set -euo pipefail

if [[ -n ${1-} && ! -x $1/jobs/lib/class-in-job ]]; then
  echo "$(uname -n) can't see $1: it must be on a file system that the nodes share."
  exit 3
fi
export JOB_SCRIPT=${BASH_SOURCE[0]}
exec "${1:-$(dirname "$JOB_SCRIPT")/..}/jobs/lib/class-in-job" "$@"

# device.bash: the GPU of a job, and what may disturb its measurements. Sourced by grade-in-job and
# class-in-job after job.bash. BACKEND is the grading's backend; ALONE=yes when the job grades nothing else.
# shellcheck shell=bash

# ---- The granted GPU: sets GRANTED, empty without one ----

# Slurm's record decides. The environment alone can mislead: a job without a GPU inherits CUDA_VISIBLE_DEVICES
# from the shell that submitted it.
find_grant() {
  local words='(JOB_GRES|GRES|TresPerNode|TresPerJob|TresPerTask|TRES|AllocTRES)'
  GRANTED=''
  in_job || return 0
  if has_record; then
    # --gpus=0 leaves gres:gpu:0 in the record.
    GRANTED=$(sed -E 's,gres[:/]gpu[:=]0( |$),\1,g' <<<"$RECORD" |
      grep -oE " $words=[^ ]*(gpu|shard|mps)[^ ]*" | head -n 1 |
      sed 's/^ [^=]*=//; s/.*,\(gres.gpu\)/\1/') || true
  elif [[ ${SLURM_GPUS_ON_NODE:-0} != 0 ]]; then
    GRANTED="$SLURM_GPUS_ON_NODE on this node"
  elif [[ -n ${CUDA_VISIBLE_DEVICES:-} && $CUDA_VISIBLE_DEVICES != NoDevFiles ]]; then
    GRANTED=$CUDA_VISIBLE_DEVICES
  fi
  [[ -n $GRANTED || -z ${SLURM_JOB_GPUS:-} ]] || GRANTED=$SLURM_JOB_GPUS
}

# Prints how many GPUs this node has for the job.
gpus_here() {
  local list
  if [[ ${SLURM_GPUS_ON_NODE:-} =~ ^[0-9]+$ ]]; then
    echo "$SLURM_GPUS_ON_NODE"
  else
    IFS=, read -ra list <<<"${CUDA_VISIBLE_DEVICES:-0}"
    echo "${#list[@]}"
  fi
}

# ---- The lines of the log about it ----

show_gpu() {
  local list fields=index,name,driver_version,memory.total,compute_mode,clocks.sm,temperature.gpu
  DEVICE=()
  # nvidia-smi takes no MIG-... for --id.
  [[ -z ${CUDA_VISIBLE_DEVICES:-} || $CUDA_VISIBLE_DEVICES == MIG-* ]] ||
    DEVICE=(--id="$CUDA_VISIBLE_DEVICES")
  ! in_job || say GPU "${GRANTED:-none granted}"
  if ! command -v nvidia-smi >/dev/null; then
    say driver 'nvidia-smi is not found here'
  elif list=$(timeout 30 nvidia-smi --query-gpu="$fields" --format=csv,noheader "${DEVICE[@]}" 2>&1); then
    while read -r list; do say device "$list"; done <<<"$list"
    say throttle "$(throttling | grep . || echo 'none')"
  else
    say driver "nvidia-smi: ${list%%$'\n'*}"
  fi
}

show_toolkit() {
  local nvcc
  nvcc=$(command -v "${NVCC:-nvcc}") ||
    nvcc=$("$ROOT/common/make/find-cuda" 2>/dev/null | cut -d' ' -f1) || true
  if [[ -n $nvcc ]]; then
    say nvcc "$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p'), $nvcc"
  else
    say nvcc 'none here: the job uses the programs that `make` built, if they run here'
  fi
}

# ---- What may disturb a measurement ----

# The reasons for a lower clock that mean that something is wrong with the GPU or its cooling. The power cap
# is not one of them: a good matmul reaches it.
readonly REASONS=(hw_slowdown hw_thermal_slowdown hw_power_brake_slowdown sw_thermal_slowdown)

# Prints the active ones, once, from lines of "Active" and "Not Active" in the order of REASONS.
active_reasons() {
  awk -F ', *' -v names="${REASONS[*]}" '
    { for (i = 1; i <= NF; i++) if ($i == "Active") active[i] = 1 }
    END {
      n = split(names, name, " ")
      for (i = 1; i <= n; i++) if (active[i]) { printf "%s%s", separator, name[i]; separator = ", " }
    }'
}

# query_reasons [OPTION...]: newer drivers have another name for the fields.
query_reasons() {
  local family=throttle fields
  timeout 30 nvidia-smi --query-gpu=clocks_throttle_reasons.hw_slowdown --format=csv,noheader &>/dev/null ||
    family=event
  fields=$(printf "clocks_${family}_reasons.%s\n" "${REASONS[@]}" | paste -sd,)
  exec timeout "${WATCH_LIMIT:-30}" nvidia-smi --query-gpu="$fields" --format=csv,noheader \
    "${DEVICE[@]}" "$@" 2>/dev/null
}

throttling() { (query_reasons) | active_reasons; }

# Lists the processes on the GPU. Before and after a grading none of them is ours.
others_on_gpu() {
  [[ ${CUDA_VISIBLE_DEVICES:-} != MIG-* ]] || return 0 # nvidia-smi lists those of all slices
  timeout 30 nvidia-smi --query-compute-apps=pid,process_name --format=csv,noheader "${DEVICE[@]}" \
    2>/dev/null | grep -E '^[0-9]' | grep -v nvidia-cuda-mps-server
}

measures_here() { in_job && [[ $BACKEND == cuda && -n $GRANTED ]] && command -v nvidia-smi >/dev/null; }

watch_device() { # folder for the results
  DISTURBED=''
  measures_here || return 0
  ! others_on_gpu >/dev/null || DISTURBED='another process was on the GPU before the grading'
  [[ ! -s $(memory_of_job) || ${SLURM_RESTART_COUNT:-0} == 0 ]] ||
    say again "the first run of this job was inconclusive: $(<"$(memory_of_job)")"
  (WATCH_LIMIT=86400 query_reasons -l 5) >"$1/throttle.log" &
  WATCH_PID=$!
}

# The file in which a job that goes back into the queue leaves the reason.
memory_of_job() { echo "$WORK/build/jobs/$SLURM_CLUSTER_NAME.$SLURM_JOB_ID/inconclusive"; }

stop_watch() {
  [[ -n ${WATCH_PID:-} ]] || return 0
  kill "$WATCH_PID" 2>/dev/null || true
  wait "$WATCH_PID" 2>/dev/null || true
  WATCH_PID=''
}

# Ends the watch and completes DISTURBED.
end_watch() { # folder
  local reasons
  stop_watch
  reasons=$(active_reasons <"$1/throttle.log")
  [[ -z $reasons ]] || DISTURBED="the GPU slowed itself down ($reasons)"
  ! others_on_gpu >/dev/null || DISTURBED=${DISTURBED:-'another process was on the GPU after the grading'}
}

# Prints two numbers for a grade.json: its speed checks that did not pass, and its other checks that failed.
unpassed() {
  jq -r 'def count(f): [.checks[]? | select(f)] | length;
    [count(.speed and (.state | IN("fail", "inconclusive"))), count((.speed | not) and .state == "fail")]
    | join(" ")' "$1" 2>/dev/null || echo '0 0'
}

# A busy or throttled GPU can make a fast program slow, but not a slow one fast. The first time, the job goes
# back into the queue; the second time, the missed speeds don't count as failed.
judge_device() { # folder, the grade's status; returns the job's
  local slow wrong
  measures_here || return "$2"
  end_watch "$1"
  if jq -e 'any(.checks[]?; .reason == "disturbed")' "$1/grade.json" &>/dev/null; then
    DISTURBED=${DISTURBED:-'something else was running on this machine'}
  fi
  [[ -n $DISTURBED ]] || return "$2"
  read -r slow wrong < <(unpassed "$1/grade.json")
  ((slow)) || return "$2"
  printf '\nInconclusive: %s, so the missed speeds say nothing about your program.\n' "$DISTURBED"
  ((wrong)) ||
    requeue_once "Submit it again later, or ask for another node: sbatch --exclude=$(uname -n) jobs/run.sh"
  return $((wrong ? 1 : 3))
}

requeue_once() { # the advice for a job that is not requeued
  local text id
  if [[ ${SLURM_RESTART_COUNT:-0} != 0 ]]; then
    echo "This happened twice. $1"
    return
  elif [[ ${ALONE:-} != yes || $(field BatchFlag) != 1 ]]; then
    echo "$1"
    return
  fi
  mkdir -p "$(dirname "$(memory_of_job)")"
  printf '%s\n' "$DISTURBED" >"$(memory_of_job)"
  echo 'The job goes back into the queue, once.'
  trap '' TERM INT # Slurm ends this run by them
  # One job of an array shares the array's id; that id would address them all.
  id=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID:-}}
  if text=$(scontrol requeue "${id:-$SLURM_JOB_ID}" 2>&1); then
    sleep 60
  fi
  echo "Slurm does not requeue it: ${text:-nothing happened}. $1"
}

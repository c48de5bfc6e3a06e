# hand-over.bash: a lesson about several GPUs in a job that has fewer: the job submits another that asks for
# them, or says what it cannot measure. Sourced by grade-in-job, after job.bash, device.bash and ranks.bash.
#
# Slurm reads what a job asks for from the batch script, before anything runs, and one script serves all
# lessons. So the first job, which knows the lesson, hands it over:
#
#   - only a batch job does, and only if it asked for the GPUs of the script's own lines;
#   - it does so once, also when Slurm starts it again, and the other job (--from) never does;
#   - where sbatch does not take the other job, this one measures with the GPUs that it has.
# shellcheck shell=bash

# What the other job takes over: a field of Slurm's record, and the option of sbatch.
readonly KEPT_OPTIONS=(Account:--account Partition:--partition QOS:--qos Reservation:--reservation
  Features:--constraint TimeLimit:--time ReqNodeList:--nodelist ExcNodeList:--exclude)

# ---- Does this job have too few GPUs? ----

# Sets HERE, the GPUs of this node, and WANTED, those that the lesson is about; status 1 if they are enough.
lacks_gpus() {
  in_job && [[ $BACKEND == cuda ]] || return 1
  WANTED=$(lesson_facts gpus "$LESSON" 2>/dev/null) && [[ $WANTED =~ ^[0-9]+$ ]] || return 1
  HERE=$(gpus_here)
  ((HERE < WANTED))
}

# Lists the requests for GPUs of the batch script's own lines, as "Node gpu:h100:1".
script_requests() {
  profile_block | awk '
    /^#SBATCH / && match($0, / (--(gres|gpus|gpus-per-node|gpus-per-task)[= ]|-G ?)/) {
      option = substr($0, RSTART, RLENGTH)
      value = substr($0, RSTART + RLENGTH)
      sub(/[ ,].*/, "", value)
      if (option !~ /gres/) value = "gpu:" value
      if (value ~ /^gpu/) print (option ~ /task/ ? "Task" : option ~ /gres|node/ ? "Node" : "Job"), value
    }' | sort
}

# Lists those of the job, which Slurm's record has as TresPerNode=gres:gpu:1, or gres/gpu:1 in newer versions.
job_requests() {
  grep -oE ' TresPer(Node|Job|Task)=[^ ]*' <<<"$RECORD" |
    sed -nE 's,^ TresPer([A-Z][a-z]+)=(.*\,)?gres[:/](gpu[^ \,]*).*,\1 \3,p' |
    sed -E 's/=/:/g; s/ gpu$/&:1/' | sort
}

# May this job submit another one?
may_hand_over() {
  [[ -z $FROM && ${JOB_SCRIPT##*/} == slurm_script ]] && has_record && ! has_ranks || return 1
  ((HERE * ${SLURM_NNODES:-1} < WANTED && WANTED <= 2)) && [[ -n $(two_gpus) ]] || return 1
  # GPUS=1 sbatch jobs/run.sh: measure with one.
  [[ ! ${GPUS:-} =~ ^[0-9]+$ ]] || ((GPUS >= WANTED)) || return 1
  [[ $(job_requests) == "$(script_requests)" ]]
}

# ---- Handing over ----

# hand_over RESULTS: status 0 when another job grades LESSON, 1 when this one does. Leaves the other job's
# number in RESULTS/handed-over, a file that is empty while sbatch runs, or when it failed.
hand_over() {
  local memory=$1/handed-over id=''
  REFUSED=''
  [[ ${SLURM_RESTART_COUNT:-0} != 0 ]] || rm -f -- "$memory"
  lacks_gpus || return 1
  if [[ -e $memory ]]; then
    id=$(<"$memory")
    REFUSED='an earlier run of this job tried to'
    [[ -n $id ]] || return 1
  else
    may_hand_over || return 1
    : >"$memory"
    submit_other "$1" || return 1
    printf '%s\n' "$id" >"$memory"
  fi
  say GPUs "$HERE here; $LESSON is about $WANTED. Job $id asks for $WANTED and grades it."
  say '' "Its log, once it has started: jobs/logs/$SLURM_JOB_NAME-$id.log"
  say '' "To measure with $HERE: GPUS=$HERE sbatch jobs/run.sh $LESSON"
  status_0_says "nothing was graded here; job $id grades $LESSON."
}

# Submits the other job; sets id, or REFUSED, the reason why there is none.
submit_other() { # folder for the results
  local text options
  what_to_grade "$1"
  kept_options
  read -ra options < <(two_gpus)
  if ! text=$(sbatch_anew --parsable --job-name="$SLURM_JOB_NAME" --output='jobs/logs/%x-%j.log' \
    "${KEPT[@]}" "${options[@]}" "$JOB_SCRIPT" "--from=$SLURM_JOB_ID" "${WHAT[@]}" 2>&1); then
    text=$(grep . <<<"$text" | tail -n 1) || true
    REFUSED=${text:-sbatch did not answer}
    return 1
  fi
  id=$(grep -oE '^[0-9]+' <<<"$text" | tail -n 1) || id=unknown
}

# Sets WHAT, the arguments that name exactly what this job chose.
what_to_grade() { # folder for the results
  WHAT=("$SUBMISSION")
  if [[ -n $SOLUTION ]]; then
    WHAT=(--solution "$LESSON")
  elif [[ $SUBMISSION != *-"$LESSON" ]]; then # your file, which may change meanwhile
    WHAT=("$1/file-$LESSON")
    { mkdir -p "${WHAT[0]}" && cp "$SUBMISSION/$(lesson_file "$LESSON")" "${WHAT[0]}/"; } ||
      die 3 "$(uname -n) can't write into $WORK/build."
  fi
}

# Sets KEPT, the options of this job that the other one needs, too.
kept_options() {
  local pair value
  KEPT=()
  for pair in "${KEPT_OPTIONS[@]}"; do
    value=$(field "${pair%%:*}")
    [[ -n $value && ! $value =~ ^(\(null\)|N/A|Partition_Limit)$ ]] || continue
    KEPT+=("${pair#*:}=$value")
  done
}

# sbatch as on the login node: without the variables of this job, which the other would inherit, and without
# those that make sbatch wait or ask for GPUs.
sbatch_anew() (
  for name in ${!SLURM_*} CUDA_VISIBLE_DEVICES SBATCH_WAIT SBATCH_ARRAY_INX SBATCH_GRES ${!SBATCH_GPUS*}; do
    [[ $name == SLURM_CONF ]] || unset "$name"
  done
  cd "$JOB_FOLDER" && mkdir -p jobs/logs && exec timeout 60 sbatch "$@"
)

# ---- Staying ----

# A lesson about several GPUs in a job with fewer: says what is not measured, and what to type.
show_missing_gpus() {
  lacks_gpus || return 0
  say GPUs "$HERE here; $LESSON is about $WANTED. What needs more than $HERE is not measured."
  ! has_ranks || return 0
  [[ -z $REFUSED ]] || say '' "This job submitted no other one: $REFUSED"
  if [[ -z $(two_gpus) ]]; then
    say '' 'The settings of this cluster have no options for two GPUs.'
  elif ((WANTED <= 2)); then
    say '' "With two: sbatch $(two_gpus) jobs/run.sh $LESSON"
  fi
}

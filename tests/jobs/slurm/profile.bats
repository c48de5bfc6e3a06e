#!/usr/bin/env bats
# make cluster: writes a profile into jobs/run.sh of a WORK folder. Needs no Slurm.

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
  export WORK="$BATS_TEST_TMPDIR/my work"
  unset MAKEFLAGS MAKELEVEL MFLAGS
  mkdir -p "$WORK/jobs"
  cp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
}

cluster() { run -"$1" "$ROOT/jobs/cluster" "${@:2}"; }

# The lines between the markers.
block() { sed -n '/^# >>> cluster: /,/^# <<< cluster$/p' "$WORK/jobs/run.sh" | sed '1d;$d'; }

# A profile of the test's own, in a copy of jobs/.
own_profile() { # name, text from stdin
  mkdir "$BATS_TEST_TMPDIR/common"
  cp -r "$ROOT/jobs" "$BATS_TEST_TMPDIR/jobs"
  cp -r "$ROOT/common/shell" "$BATS_TEST_TMPDIR/common/"
  cat >"$BATS_TEST_TMPDIR/jobs/clusters/$1"
}

@test "the block that is committed is the generic profile's" {
  cluster 0 generic
  [[ $output == *"already set for generic"* ]]
  cmp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
}

@test "the generic block asks for one GPU, a time limit and a log under jobs/logs" {
  run -0 block
  for line in '-N 1 -n 1' '--gres=gpu:1' '--time=00:10:00' '--output=jobs/logs/%x-%j.log' \
    '--job-name=loops-to-warps'; do
    [[ $'\n'$output$'\n' == *$'\n#SBATCH '"$line"$'\n'* ]]
  done
}

@test "writing the same profile twice leaves the file alone" {
  cluster 0 generic ACCOUNT=course1 TIME=00:20:00
  before=$(stat -c '%i %y' "$WORK/jobs/run.sh")
  cluster 0 generic ACCOUNT=course1 TIME=00:20:00
  [[ $output == *"already set"* ]]
  [[ $(stat -c '%i %y' "$WORK/jobs/run.sh") == "$before" ]]
}

@test "writes the options into the block; NAME=generic removes them; nothing else changes" {
  cluster 0 generic ACCOUNT=course1 RESERVATION=monday TYPE=a100 GPUS=2 TIME=00:20:00 \
    "MODULES=gcc/12 cuda/12.6"
  run -0 block
  for line in '#SBATCH --account=course1' '#SBATCH --reservation=monday' '#SBATCH --gres=gpu:a100:2' \
    '#SBATCH --time=00:20:00' '  module load gcc/12 cuda/12.6 || return'; do
    [[ $'\n'$output$'\n' == *$'\n'"$line"$'\n'* ]]
  done
  bash -n "$WORK/jobs/run.sh"
  [[ -x $WORK/jobs/run.sh ]]
  cluster 0 generic
  cmp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
}

@test "keeps the learner's lines outside the markers" {
  echo '# my own note' >>"$WORK/jobs/run.sh"
  cluster 0 generic TIME=00:30:00
  [[ $(tail -n 1 "$WORK/jobs/run.sh") == '# my own note' ]]
}

@test "make cluster takes options and a WORK with a blank" {
  run -0 make -C "$ROOT" --no-print-directory cluster NAME=generic "WORK=$WORK" ACCOUNT=course1 \
    "MODULES=gcc/12 cuda/12.6"
  run -0 block
  [[ $output == *'--account=course1'* && $output == *'module load gcc/12 cuda/12.6'* ]]
}

@test "a WORK folder without jobs/run.sh gets one, and class.sh" {
  rm -r "$WORK/jobs"
  cluster 0 generic TIME=00:30:00
  run -0 block
  [[ $output == *'--time=00:30:00'* ]]
  [[ -d $WORK/jobs/logs ]]
  grep -qx "#SBATCH --time=00:30:00" "$WORK/jobs/class.sh"
}

@test "an unknown profile lists the profiles and changes nothing" {
  for name in nowhere ../run.sh README.md; do
    cluster 2 "$name"
    [[ $output == *"Profiles: "*generic* ]]
  done
  cmp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
}

@test "refuses an unknown option and lists the profile's options" {
  cluster 2 generic ACOUNT=course1
  [[ $output == *"ACOUNT=course1"* && $output == *"[ACCOUNT]"* ]]
  run -2 make -C "$ROOT" --no-print-directory cluster NAME=generic "WORK=$WORK" ACOUNT=course1
  [[ $output == *"[ACCOUNT]"* ]]
  cmp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
}

@test "refuses a value that would break the line" {
  # shellcheck disable=SC2016 # meant literally
  for value in 'a b' 'a;b' $'a\nb' '$(b)' '"a"'; do
    cluster 2 generic "ACCOUNT=$value"
  done
  cluster 2 generic 'MODULES=gcc; reboot'
  cmp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
}

@test "names a missing required option" {
  own_profile campus <<'PROFILE'
# option ACCOUNT        project that pays
# option TIME=00:05:00  time limit
#SBATCH --account={ACCOUNT}
#SBATCH --time={TIME}
PROFILE
  run -2 "$BATS_TEST_TMPDIR/jobs/cluster" campus TIME=1:00
  [[ $output == *"campus needs ACCOUNT=..."* && $output == *"project that pays"* ]]
  cmp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
  run -0 "$BATS_TEST_TMPDIR/jobs/cluster" campus ACCOUNT=p42
  run -0 block
  [[ $output == $'# set ACCOUNT=p42\n#SBATCH --account=p42\n#SBATCH --time=00:05:00' ]]
}

@test "reports an undeclared option of a profile" {
  own_profile campus <<<'#SBATCH --account={ACCOUNT}'
  run -3 "$BATS_TEST_TMPDIR/jobs/cluster" campus
  [[ $output == *"{ACCOUNT} is not declared"* ]]
  cmp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
}

@test "leaves a run.sh without a marker unchanged" {
  sed -i '/^# <<< cluster$/d' "$WORK/jobs/run.sh"
  before=$(cksum <"$WORK/jobs/run.sh")
  cluster 3 generic TIME=00:30:00
  [[ $output == *"lost a marker"* ]]
  [[ $(cksum <"$WORK/jobs/run.sh") == "$before" ]]
  [[ -z $(find "$WORK/jobs" -name '.run.sh.*') ]]
}

@test "the job loads the profile's modules if there is a module command, and ends with 3 when one fails" {
  # `module` is a shell function on every cluster, and jobs inherit it: this one writes down what it is asked
  # for.
  mkdir -p "$WORK/build/snapshots"
  printf '%s\n' "$ROOT" >"$WORK/build/checkout"
  mkdir "$WORK/build/snapshots/20260101T000000.000-lesson02"
  cluster 0 generic "MODULES=gcc/12 cuda/99"
  module() {
    echo "asked for: $*"
    return 1
  }
  export -f module
  run -3 env -u SLURM_JOB_ID bash "$WORK/jobs/run.sh"
  [[ $output == *"modules   gcc/12 cuda/99"* ]]
  [[ $output == *"asked for: load gcc/12 cuda/99"* ]]
  [[ $output == *"does not load"* ]]
  [[ ${lines[-1]} == "Status 3: "* ]]
}

@test "make cluster alone lists the profiles and shows what is set" {
  cluster 0 juno RESERVATION=monday
  run -0 make -C "$ROOT" --no-print-directory cluster "WORK=$WORK"
  for name in generic kebnekaise pelle arrhenius snowy cosmos tetralith juno; do
    grep -q "^$name  *[A-Z]" <<<"$output"
  done
  [[ $output == *"is set for: make cluster NAME=juno RESERVATION=monday"* ]]
  [[ $output == *"is set for: "*"#SBATCH --reservation=monday"*"module load gnu12 cuda/12.6"* ]]
}

@test "each profile has options for two GPUs of each type; without options there is no such line" {
  local name type types option options
  for name in generic kebnekaise pelle arrhenius snowy cosmos tetralith juno; do
    read -ra types < <(sed -n 's/^# only TYPE: //p' "$ROOT/jobs/clusters/$name") || types=(h100)
    for type in "${types[@]}"; do
      options=()
      for option in MODULES=cuda ACCOUNT=a PARTITION=gpu; do
        ! grep -q "^# option ${option%%=*} " "$ROOT/jobs/clusters/$name" || options+=("$option")
      done
      [[ $name$type != pellet4 ]] || options+=(PARTITION=haswell)
      cluster 0 "$name" TYPE="$type" "${options[@]}"
      [[ $(grep -c '^# with two GPUs: -' "$WORK/jobs/run.sh") == 1 ]] || { echo "$name $type" && return 1; }
    done
  done
  # A program sees one slice of a GPU only, so two slices would not do.
  cluster 0 juno TYPE=a30-4.6gb
  [[ $output == *'note: a program sees one slice'* ]]
  grep -qx '# with two GPUs: -p a30 --gres=gpu:2' "$WORK/jobs/run.sh"
  cluster 0 juno TYPE=h100
  grep -qx '# with two GPUs: --gres=gpu:2' "$WORK/jobs/run.sh"
  own_profile campus <<<'#SBATCH --gres=gpu:1'
  run -0 "$BATS_TEST_TMPDIR/jobs/cluster" campus
  [[ $(grep -c '^# with two GPUs: ' "$WORK/jobs/run.sh") == 0 ]]
}

@test "refuses GPU types, counts and values that a cluster does not have, with the reason" {
  while IFS='|' read -r name options reason; do
    read -ra words <<<"$options"
    cluster 2 "$name" "${words[@]}"
    [[ $output == *"$reason"* ]] || { echo "$name $options: $output" && false; }
  done <<'END'
kebnekaise|MODULES=cuda TYPE=mi100|AMD GPU
kebnekaise|MODULES=cuda TYPE=k80|it has: v100 a40
kebnekaise|MODULES=cuda TYPE=a100 GPUS=3|a node has 2 A100
kebnekaise|TYPE=a100|needs MODULES=
generic|TYPE=mi250x|AMD GPU
generic|GPUS=0|a number of GPUs
generic|GPUS=two|a number of GPUs
generic|TIME=soon|a time limit
generic|TIME=0|a time limit
snowy|MODULES=cuda GPUS=2|it has: 1
cosmos|MODULES=cuda TYPE=a40|desktops
cosmos|MODULES=cuda GPUS=2|has one GPU
tetralith|MODULES=cuda TYPE=v100|it has: t4
pelle|MODULES=cuda|needs ACCOUNT=
pelle|MODULES=cuda ACCOUNT=a TYPE=t4|PARTITION=haswell
pelle|MODULES=cuda ACCOUNT=a TYPE=h100 GPUS=3|a node has 2 H100
pelle|MODULES=cuda ACCOUNT=a PARTITION=haswell|TYPE=t4
arrhenius|MODULES=cuda ACCOUNT=a|needs PARTITION=
arrhenius|MODULES=cuda ACCOUNT=a PARTITION=gpu GPUS=5|it has: 1 2 3 4
juno|TYPE=normal|has no GPU
juno|MEM=lots|memory as Slurm writes it
END
  cmp "$ROOT/jobs/run.sh" "$WORK/jobs/run.sh"
}

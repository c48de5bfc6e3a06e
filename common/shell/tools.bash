# tools.bash: finds what a script needs on this machine. Sourced.
# shellcheck shell=bash

# bats_in FOLDER...: prints the Bats that bootstrap installed in the first FOLDER that has one; status 1 when
# none has.
bats_in() {
  local folder program
  for folder; do
    for program in "$folder"/{,.tools/}node_modules/bats/bin/bats; do
      [[ ! -x $program ]] || { printf '%s\n' "$program" && return; }
    done
  done
  return 1
}

# find_bats FOLDER...: the same, and the machine's own Bats when no FOLDER has one.
find_bats() { bats_in "$@" || command -v bats; }

# Does this machine have the device file of a GPU (PC and server, WSL, Tegra)? Takes no time, and may be
# wrong.
has_gpu_device() {
  local file
  for file in /dev/nvidiactl /dev/nvidia[0-9]* /dev/dxg /dev/nvhost-ctrl-gpu /dev/nvgpu; do
    [[ ! -e $file ]] || return 0
  done
  return 1
}

# Does the driver list a GPU? nvidia-smi reports failures on standard output, too.
has_gpu() { timeout 20 nvidia-smi -L 2>/dev/null | grep '^ *GPU' >/dev/null; }

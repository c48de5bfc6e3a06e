#!/usr/bin/env bats
# Several devices, streams, graphs and errors: what the environment says, and what only the backend's own
# tools can show. The programs that a GPU could run too are in programs/right and programs/faulty, and
# cpu.bats runs them.

load helper

setup_file() {
  export PROGRAMS=$BATS_FILE_TMPDIR
  cd "$BATS_TEST_DIRNAME/programs/behaviour" || return
  "$CUCC" --print-libs >/dev/null
  printf '%s\n' device_timeline error_names fail_everywhere without_peers |
    xargs -P 2 -I '{}' "$CUCC" -I .. '{}.cu' -o "$PROGRAMS/{}"
}

setup() { cd "$PROGRAMS" || return; }

@test "CUCC_DEVICES is a number from 1 to 8, and 1 without it" {
  CUCC_DEVICES=8 run ./error_names devices
  ends_with 0
  [ "$output" = 8 ]
  run ./error_names devices
  [ "$output" = 1 ]
  for wrong in 0 9 many -1; do
    CUCC_DEVICES=$wrong run ./error_names devices
    [ "$status" -ne 0 ]
    shows "CUCC_DEVICES=$wrong" 'from 1 to 8'
  done
}

@test "programs for four devices are also correct with one, two and three" {
  for program in device_streams device_peers device_properties host_threads openmp_devices; do
    run grep -c 'with: CUCC_DEVICES' "$BATS_TEST_DIRNAME/programs/right/$program.cu"
    [ "$output" -ge 1 ]
    mapfile -t flags < <(sed -n 's|^// flags: ||p' "$BATS_TEST_DIRNAME/programs/right/$program.cu" |
      tr ' ' '\n')
    "$CUCC" "${flags[@]}" -I "$BATS_TEST_DIRNAME/programs" \
      "$BATS_TEST_DIRNAME/programs/right/$program.cu" -o "$program"
    for devices in 1 2 3; do
      CUCC_DEVICES=$devices run "./$program"
      ends_with 0
      [ -z "$output" ]
    done
  done
}

@test "devices without peer access say so, and copies between them are right" {
  CUCC_DEVICES=2 run ./without_peers
  ends_with 0
  [ "$output" = 'copied through the host' ]
}

@test "the modelled timeline runs devices side by side, copies between them next to kernels, graphs at once" {
  CUCC_DEVICES=2 run ./device_timeline
  ends_with 0
  shows 'devices overlap 1' 'a graph is no later 1' 'peer access helps 1' \
    '"peers":{"count":1,"bytes":2048,"staged_count":1,"serial_count":0' \
    '"peers":{"count":1,"bytes":2048,"staged_count":0,"serial_count":0'
}

@test "every error has CUDA's name, text and number" {
  run ./error_names
  ends_with 0
  [ "${#lines[@]}" -eq 134 ]
  shows '700 cudaErrorIllegalAddress an illegal memory access was encountered' \
    '900 cudaErrorStreamCaptureUnsupported operation not permitted when stream is capturing' \
    '9 cudaErrorInvalidConfiguration invalid configuration argument'
  # the table of the toolkit, where there is one
  local include='' toolkit
  read -r _ _ include _ < <("$ROOT/common/make/find-cuda") || true
  [ -n "$include" ] || skip "no toolkit here to compare with"
  toolkit=$include/driver_types.h
  awk '/enum __device_builtin__ cudaError$/,/^};/' "$toolkit" | grep -oE 'cuda[A-Za-z]+ *= *[0-9]+' |
    awk '{print $3, $1}' >toolkit.txt
  diff <(cut -d' ' -f1,2 <<<"$output" | sort) <(sort toolkit.txt)
}

@test "CUCC_FAIL reaches the calls of devices, streams, events and graphs" {
  CUCC_DEVICES=2 run ./fail_everywhere
  ends_with 0
  calls=$output
  [ "$(wc -l <<<"$calls")" -ge 30 ]
  while read -r call; do
    CUCC_DEVICES=2 CUCC_CHECK=none CUCC_FAIL=$call:1 run ./fail_everywhere
    [ "$status" -eq 2 ] || { printf '%s did not fail\n' "$call"; return 1; }
    shows "$call failed"
  done <<<"$calls"
}

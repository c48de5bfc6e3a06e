# site.bash: shared functions of the site's tests.
# shellcheck shell=bash

# The workshops of most tests have no address of the workbook.
export DRAFT=1

needs_site() {
  [ -e "$BATS_TEST_DIRNAME/../../site/node_modules/playwright-core" ] ||
    skip "the site's packages are not installed: ./bootstrap --dev"
}

# ---- One process makes the sites of all tests of a file (site/try/make.js) ----

start_maker() {
  MAKER=$BATS_FILE_TMPDIR/maker
  mkdir "$MAKER"
  mkfifo "$MAKER/requests" "$MAKER/answers"
  # Opened for reading and writing: neither end waits for the other, or ends with it.
  node "$BATS_TEST_DIRNAME/../../site/try/make.js" --requests 0<>"$MAKER/requests" 1<>"$MAKER/answers" 3>&- &
  MAKER_PROCESS=$!
  export MAKER MAKER_PROCESS
}

stop_maker() { [ -z "${MAKER_PROCESS:-}" ] || kill "$MAKER_PROCESS"; }

# make_small FILE [PART] | --workshops FILE...: prints what site/try/make.js says of the checkout small/, and
# returns its status.
make_small() {
  local status=none
  { printf '%s\t%s\t%s\t%s\t%s' "$MAKER/output" "$PWD" "${SITE_ROLE:-learner}" "$DRAFT" "$PWD/small"
    printf '\t%s' "$@"
    echo; } >"$MAKER/requests"
  read -r -t 60 status <"$MAKER/answers" || { echo "site/try/make.js does not answer" && return 9; }
  cat "$MAKER/output"
  return "$status"
}

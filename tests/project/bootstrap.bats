# bootstrap, run from a copy, with a PATH that lacks some tools. Nothing is installed on this machine; .ci/run
# on a bare Debian shows that all needed packages are installed.


bats_require_minimum_version 1.5.0

setup_file() {
  mkdir "$BATS_FILE_TMPDIR/bin" "$BATS_FILE_TMPDIR/hidden"
  local folder
  while read -r folder; do
    ln -s "$folder"/* "$BATS_FILE_TMPDIR/bin" 2>/dev/null || true
  done < <({ realpath /usr/sbin /sbin /usr/bin /bin && dirname "$(command -v npm)"; } | sort -u)
}

setup() {
  copy=$BATS_TEST_TMPDIR/a\ checkout
  mkdir "$copy"
  (cd "$BATS_TEST_DIRNAME/../.." && cp bootstrap package.json package-lock.json .npmrc "$copy")
  unset WORK CC CXX
}

# path_without COMMAND...: prints a PATH with all commands of the machine except these and sudo.
path_without() {
  local bin=$BATS_FILE_TMPDIR/bin command
  find "$BATS_FILE_TMPDIR/hidden" -type l -exec mv -t "$bin" {} +
  for command in sudo "$@"; do
    if [ -L "$bin/$command" ]; then mv "$bin/$command" "$BATS_FILE_TMPDIR/hidden"; fi
  done
  echo "$bin"
}

# Runs as a user who is not root and has no home folder.
unprivileged() {
  if [ "$(id -u)" != 0 ]; then "$@"; else setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; fi
}

@test "with nothing missing it says so at once and does nothing" {
  run timeout 5 "$copy/bootstrap"
  [ "$status" -eq 0 ]
  [ "$output" = "Everything that is needed to build and grade is here." ]
  [ "$(ls "$copy")" = "$(printf 'bootstrap\npackage-lock.json\npackage.json')" ]
}

@test "--check lists each tool with its version, and the other parts found" {
  run -0 "$copy/bootstrap" --check
  local tool
  for tool in bash gcc g++ make jq boost flock unzip coreutils bats; do
    [[ $output == *"  $tool "+([ ])[0-9]* ]] || { echo "no version of $tool in: $output" && return 1; }
  done
  for tool in nvcc GPU sbatch clang; do [[ $output == *"  $tool "* ]]; done
  [[ $output != *shellcheck* ]]
}

@test "--check --dev lists what the tests need too" {
  run -0 "$copy/bootstrap" --check --dev
  local tool
  for tool in git patch pgrep bwrap chromium clang ccache cmocka openblas shellcheck clang-format slurm \
    munge xmllint zip node; do [[ $output == *"  $tool "* ]]; done
}

@test "--check reports the missing parts with status 1 and installs nothing" {
  run -1 env PATH="$(path_without jq bats)" "$copy/bootstrap" --check
  [[ $output == *"jq           MISSING"* ]]
  [[ $output == *"Missing or too old: jq bats"* ]]
  [ ! -e "$copy/node_modules" ]
}

@test "without root and sudo it prints one command for an administrator, status 3" {
  local open path # bats' own folders are closed to others
  open=$(mktemp -d)
  path=$(path_without jq shellcheck npm dnf brew)
  cp -r "$copy" "$path" "$open"
  chmod -R a+rX "$open"
  run -3 unprivileged env PATH="$open/bin" "$open/a checkout/bootstrap" --dev
  rm -rf "$open"
  [[ $output == *"not root"*"apt-get install -y --no-install-recommends jq shellcheck nodejs npm"* ]]
  [[ $output == *"nodejs npm"$'\n'*"module load"* ]]
}

@test "without a package manager it names the packages, status 3" {
  run -3 env PATH="$(path_without make apt-get dnf brew)" "$copy/bootstrap"
  [[ $output == *"No apt-get, dnf or brew"*"make"* ]]
}

@test "shows the error of a failing apt-get with what to do, status 3" {
  [ "$(id -u)" = 0 ] || skip "needs root"
  printf '%s\n' 'Dir::Etc::sourcelist "/dev/null";' 'Dir::Etc::sourceparts "/dev/null";' \
    "Dir::State::lists \"$BATS_TEST_TMPDIR/lists\";" \
    "Dir::Cache \"$BATS_TEST_TMPDIR/cache\";" >"$BATS_TEST_TMPDIR/apt.conf"
  mkdir -p "$BATS_TEST_TMPDIR/tmp" "$BATS_TEST_TMPDIR/lists/partial" \
    "$BATS_TEST_TMPDIR/cache/archives/partial"
  # cmocka seems to be missing, and no package list has it, so apt-get fails.
  printf '#!/bin/sh\ncase "$*" in *-lcmocka*) exit 1 ;; esac\nexec gcc "$@"\n' >"$BATS_TEST_TMPDIR/gcc-lost"
  sed -i 's/ libcmocka-dev / libcmocka-lost /' "$copy/bootstrap"
  chmod +x "$BATS_TEST_TMPDIR/gcc-lost"
  run -3 env APT_CONFIG="$BATS_TEST_TMPDIR/apt.conf" CC="$BATS_TEST_TMPDIR/gcc-lost" \
    TMPDIR="$BATS_TEST_TMPDIR/tmp" \
    PATH="$(path_without npm)" "$copy/bootstrap" --dev
  [[ $output == *"apt-get failed"*"Unable to locate package libcmocka-lost"*"./bootstrap again"* ]]
  [ -z "$(ls -A "$BATS_TEST_TMPDIR/tmp")" ]
}

@test "installs a pinned bats by npm into the checkout" {
  command -v npm >/dev/null || skip "no npm here"
  run -0 env npm_config_prefer_offline=true PATH="$(path_without bats)" "$copy/bootstrap"
  [[ $output == *"Installing with npm: bats"* ]]
  run -0 "$copy/node_modules/bats/bin/bats" --version
  [ "$output" = "Bats $(jq -r .devDependencies.bats "$copy/package.json")" ]
  run -0 "$copy/bootstrap"
  [ "${#lines[@]}" -eq 1 ]
}

@test "installs bats under WORK when the checkout is read-only" {
  command -v npm >/dev/null || skip "no npm here"
  unshare -m true 2>/dev/null || skip "can't mount"
  mkdir "$BATS_TEST_TMPDIR/my work"
  export npm_config_prefer_offline=true WORK="$BATS_TEST_TMPDIR/my work"
  local path
  path=$(path_without bats)
  run -0 unshare \
    -m bash -c 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && PATH=$2 exec "$1/bootstrap"' \
    - "$copy" "$path"
  [ -x "$WORK/.tools/node_modules/bats/bin/bats" ]
  [ ! -e "$copy/node_modules" ]
}

@test "installs the site's packages once and after a change of their list; an old node is only reported" {
  mkdir "$copy/site" "$BATS_TEST_TMPDIR/bin"
  echo 1 >"$copy/site/package-lock.json"
  printf '#!/bin/sh\n[ "$1" = --version ] || mkdir -p node_modules\n' >"$BATS_TEST_TMPDIR/bin/npm"
  printf '#!/bin/sh\necho $NODE\n' >"$BATS_TEST_TMPDIR/bin/node"
  chmod +x "$BATS_TEST_TMPDIR/bin"/*
  export PATH="$BATS_TEST_TMPDIR/bin:$PATH"
  NODE=v12.22.9 run -0 "$copy/bootstrap" --dev
  [[ $output == *"The site needs node 18 or later"*"is here." ]]
  [ ! -e "$copy/site/node_modules" ]
  local list
  for list in 1 2; do
    echo $list >"$copy/site/package-lock.json"
    NODE=v18.20.4 run -0 "$copy/bootstrap" --dev
    [[ $output == *"the site's packages"* ]]
    NODE=v18.20.4 run -0 "$copy/bootstrap" --dev
    [[ $output != *"the site's packages"* ]]
  done
}

@test "keeps a compiler that is too old and says how to install and select a newer one, status 3" {
  printf '#!/bin/sh\ncase $1 in -dump*) echo 10.2.1 ;; *) exec gcc "$@" ;; esac\n' \
    >"$BATS_TEST_TMPDIR/gcc-old"
  chmod +x "$BATS_TEST_TMPDIR/gcc-old"
  run -3 env CC="$BATS_TEST_TMPDIR/gcc-old" "$copy/bootstrap"
  [[ $output == *"too old"*"gcc 10.2.1"*"export CC=gcc-12"* ]]
  run -1 env CC="$BATS_TEST_TMPDIR/gcc-old" "$copy/bootstrap" --check
  [[ $output == *"10.2.1: too old"* ]]
}

@test "reports a missing compiler named by CC, status 3" {
  run -3 env CC=no-such-gcc "$copy/bootstrap"
  [[ $output == *"CC or CXX names no-such-gcc"* ]]
}

@test "an unknown option gives the list of options and status 2; --help gives status 0" {
  run -2 "$copy/bootstrap" --quick
  [[ $output == *"unknown option --quick"*"--dev, --check, --selftest and --help"* ]]
  run -0 "$copy/bootstrap" --help
  [[ $output == *"Exit status:"* ]]
}

@test "the lock file pins bats by its hash and names no host" {
  run -0 jq -e '.packages["node_modules/bats"] | (.integrity | startswith("sha512-"))
    and (has("resolved") | not)' \
    "$copy/package-lock.json"
}

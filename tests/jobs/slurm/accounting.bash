# accounting.bash: slurmdbd and its database, for clusters that jobs reach with -M. Sourced by cluster, whose
# functions and variables it uses. A layout with a line `front` has them; the front cluster shares those of
# the other.
# shellcheck shell=bash disable=SC2154

readonly ACCOUNTING_PACKAGES=(slurmdbd mariadb-server-core)

has_accounting() { [[ -n $front || -n $shared ]]; }

# Lines of slurm.conf.
accounting_conf() {
  local port=$database
  has_accounting || return 0
  [[ -z $shared ]] || port=$(sed -n 's/^DbdPort=//p' "$shared/slurmdbd.conf")
  cat <<CONF
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$port
AccountingStoragePass=${shared:-$dir}/munge/socket
AccountingStorageTRES=gres/gpu
CONF
}

check_accounting() {
  local missing=() i
  local -r programs=(slurmdbd mariadbd)
  has_accounting || return 0
  for i in "${!programs[@]}"; do
    command -v "${programs[i]}" >/dev/null || missing+=("${ACCOUNTING_PACKAGES[i]}")
  done
  ((${#missing[@]} == 0)) ||
    die 3 "layout ${layout##*/} needs: ${missing[*]}." \
      "Install them: apt-get install -y --no-install-recommends ${missing[*]}"
}

# wait_for COMMAND...: until it succeeds, half a minute at most: a busy machine makes the tables slowly.
wait_for() {
  local tick
  for ((tick = 0; tick < 300; tick++)); do
    ! "$@" &>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

# A process that says where the directory is on its command line, as daemon_of wants it.
start_accounting() {
  local data=$dir/mariadb
  mkdir -p "$data"
  mariadb-install-db --no-defaults --user=root --datadir="$data" --auth-root-authentication-method=normal \
    --skip-test-db \
    --skip-name-resolve >>"$dir/log/mariadb.log" 2>&1 || return
  # It does not leave for the background by itself.
  start sh -c '"$@" &' sh mariadbd --no-defaults --user=root --datadir="$data" --socket="$dir/mariadb.sock" \
    --bind-address=127.0.0.1 \
    --port=$((database + 1)) --pid-file="$dir/mariadb.pid" --log-error="$dir/log/mariadb.log" \
    --innodb-flush-log-at-trx-commit=0
  wait_for test -S "$dir/mariadb.sock" || return
  # slurmdbd asks over the port, whose users are others than the socket's.
  mariadbd_says \
    "create user slurm@'127.0.0.1' identified by 'slurm'; grant all on *.* to slurm@'127.0.0.1'" || return
  (
    umask 077
    cat >"$dir/slurmdbd.conf" <<CONF
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
DbdHost=$(uname -n | cut -d. -f1)
DbdAddr=127.0.0.1
DbdPort=$database
SlurmUser=root
PidFile=$dir/slurmdbd.pid
LogFile=$dir/log/slurmdbd.log
PluginDir=$prefix/usr/lib/$(uname -m)-linux-gnu/slurm-wlm
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$((database + 1))
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm
CONF
  )
  start slurmdbd
}

mariadbd_says() { wait_for mariadb --no-defaults --user=root --socket="$dir/mariadb.sock" --execute="$1"; }

add_to_accounting() { ! has_accounting || wait_for sacctmgr -i add cluster "$(cluster_name)"; }

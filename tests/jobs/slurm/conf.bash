# conf.bash: slurm.conf and gres.conf of a test cluster, from its layout. Sourced by cluster, whose variables
# it uses.
# shellcheck shell=bash disable=SC2154

# The words after the layout's line of that kind.
layout_line() { awk -v kind="$1" '$1 == kind { $1 = ""; sub(/^ /, ""); print }' "$layout"; }

cluster_name() {
  local name
  name=$(layout_line cluster)
  echo "${name:-test}"
}

# $1 ports in a row that nobody uses, below the range from which the kernel hands out ports by itself.
free_ports() {
  local -A used=()
  local address base i
  while read -r _ address _; do
    [[ $address == *:* ]] && used[$((16#${address##*:}))]=1
  done < <(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null)
  while true; do
    base=$((20000 + RANDOM % 11000))
    for ((i = base; i < base + $1; i++)); do [[ -z ${used[$i]-} ]] || continue 2; done
    echo "$base"
    return
  done
}

write_conf() {
  local port=$1 host kind name cores memory type gpus features
  name=$(cluster_name)
  host=$(uname -n)
  cat <<CONF
ClusterName=$name
SlurmctldHost=${host%%.*}(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=${shared:-$dir}/munge/socket,cred_expire=5
CommunicationParameters=NoCtldInAddrAny
PluginDir=$prefix/usr/lib/$(uname -m)-linux-gnu/slurm-wlm
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=15
MinJobAge=3600
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=2,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
EnforcePartLimits=ALL
SlurmdParameters=config_overrides
GresTypes=gpu
CONF
  accounting_conf
  while read -r kind name cores memory type gpus features; do
    case $kind in
      node)
        port=$((port + 1))
        printf 'NodeName=%s NodeAddr=127.0.0.1 Port=%d CPUs=%d RealMemory=%d' "$name" "$port" "$cores" \
          "$memory"
        [[ $type == - ]] || printf ' Gres=gpu:%s:%d' "$type" "$gpus"
        printf '%s\n' "${features:+ Feature=$features}"
        ;;
      partition) # here the fields are: nodes, options
        printf 'PartitionName=%s Nodes=%s MaxTime=1-0 DefaultTime=10 State=UP' "$name" "$cores"
        [[ " $memory $type " != *' default '* ]] || printf ' Default=YES'
        [[ " $memory $type " != *' exclusive '* ]] || printf ' OverSubscribe=EXCLUSIVE'
        echo
        ;;
    esac
  done <"$layout"
}

# GPUs are declared on device files: without File= a node stays INVALID, and on plain files Slurm schedules
# but leaves CUDA_VISIBLE_DEVICES unset.
write_gres() {
  local kind name type gpus i
  while read -r kind name _ _ type gpus _; do
    [[ $kind == node && $type != - ]] || continue
    for ((i = 0; i < gpus; i++)); do
      if ((${#devices[@]})); then
        ((i < ${#devices[@]})) || die 2 "$name has $gpus GPUs in $layout, --gpus names ${#devices[@]}"
        printf 'NodeName=%s Name=gpu Type=%s File=%s\n' "$name" "$type" "${devices[i]}"
      else
        [[ -c $dir/dev/nvidia$i ]] || mknod "$dir/dev/nvidia$i" c 1 3
        printf 'NodeName=%s Name=gpu Type=%s File=%s\n' "$name" "$type" "$dir/dev/nvidia$i"
      fi
    done
  done <"$layout"
}

/* worker/sandbox.c: see worker/sandbox.h. */
#include "worker/sandbox.h"
#include "device/device.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void wb_sandbox_protect_parent(void) { prctl(PR_SET_DUMPABLE, 0); }

void wb_forget_stack(void) {
  volatile char below[256 * 1024];
  memset((void *)(uintptr_t)below, 0, sizeof below);
  __asm__ volatile("" : : "r"(below) : "memory"); /* the compiler must not remove it */
}

static bool is(const char *backend) { return strcmp(wb_device_backend(), backend) == 0; }

/* Root could still read the parent's memory. On a GPU the driver may need the other privileges. This
 * process's own memory is no secret: debuggers, profilers and the driver may read it. */
void wb_sandbox_drop_privileges(void) {
  prctl(PR_SET_DUMPABLE, 1);
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2] = {{0}};
  if (is("cuda")) {
    if (syscall(SYS_capget, &header, data) != 0) return;
    for (int set = 0; set < 2; set++) data[set].inheritable = 0;
    data[0].effective &= ~(1u << CAP_SYS_PTRACE);
    data[0].permitted &= ~(1u << CAP_SYS_PTRACE);
  }
  syscall(SYS_capset, &header, data);
}

/* ---- System calls ---- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#define MOST 320

typedef struct program {
  struct sock_filter line[MOST];
  unsigned short count;
} program;

static void add(program *p, uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
  if (p->count < MOST) p->line[p->count++] = (struct sock_filter){code, yes, no, value};
}

static void load(program *p, size_t from) { add(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)from); }
static void answer(program *p, uint32_t action) { add(p, BPF_RET | BPF_K, 0, 0, action); }

#define ARGUMENT(n)    (offsetof(struct seccomp_data, args) + 8 * (n)) /* its lower half */
#define REFUSE(number) (SECCOMP_RET_ERRNO | (number))

/* Each of these starts with the call's number loaded, and leaves it loaded if it gives no answer. */

static void refuse(program *p, long call, int error) {
  add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)call);
  answer(p, REFUSE(error));
}

/* Allows the call only if argument n is `value`. */
static void allow_only(program *p, long call, int n, uint32_t value) {
  add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)call);
  load(p, ARGUMENT(n));
  add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
  answer(p, SECCOMP_RET_ALLOW);
  answer(p, REFUSE(EPERM));
}

/* Refuses the call if argument n is `value`. */
static void refuse_value(program *p, long call, int n, uint32_t value) {
  add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)call);
  load(p, ARGUMENT(n));
  add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
  answer(p, REFUSE(EPERM));
  load(p, offsetof(struct seccomp_data, nr));
}

/* Allows the call only if argument n has none of these bits (with `all`: all of them). */
static void allow_bits(program *p, long call, int n, uint32_t bits, bool all) {
  add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)call);
  load(p, ARGUMENT(n));
  add(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, bits);
  add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, all ? bits : 0);
  answer(p, SECCOMP_RET_ALLOW);
  answer(p, REFUSE(EPERM));
}

/* Other processes: their memory, signals (also those that a file sends to its owner), processors and
 * limits. */
static void leave_others_alone(program *p) {
  static const int calls[] = {SYS_ptrace,
                              SYS_process_vm_readv,
                              SYS_process_vm_writev,
                              SYS_kcmp,
                              SYS_tkill,
                              SYS_bpf,
                              SYS_perf_event_open,
                              SYS_setns,
                              SYS_unshare,
                              SYS_mount,
                              SYS_umount2,
                              SYS_pivot_root,
                              SYS_chroot,
                              SYS_io_uring_setup,
                              SYS_keyctl,
                              SYS_add_key,
                              SYS_request_key,
                              SYS_setpriority,
                              SYS_userfaultfd,
                              SYS_pidfd_open,
                              SYS_pidfd_getfd,
                              SYS_pidfd_send_signal,
                              SYS_process_madvise,
                              SYS_name_to_handle_at,
                              SYS_open_by_handle_at};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) refuse(p, calls[i], EPERM);
  const uint32_t self = (uint32_t)getpid();
  allow_only(p, SYS_kill, 0, self);
  allow_only(p, SYS_tgkill, 0, self);
  allow_only(p, SYS_rt_sigqueueinfo, 0, self);
  allow_only(p, SYS_rt_tgsigqueueinfo, 0, self);
  allow_only(p, SYS_prlimit64, 0, 0);
  allow_only(p, SYS_move_pages, 0, 0);
  allow_only(p, SYS_migrate_pages, 0, 0);
  static const uint32_t owners[] = {F_SETOWN, F_SETSIG, F_SETOWN_EX}, devices[] = {FIOSETOWN, SIOCSPGRP};
  for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) refuse_value(p, SYS_fcntl, 1, owners[i]);
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) refuse_value(p, SYS_ioctl, 1, devices[i]);
}

/* Other processes' share of the processor. A GPU's driver may schedule its own threads, each by its
 * number. */
static void leave_processors_alone(program *p) {
  static const int calls[] = {SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_ioprio_set};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) refuse(p, calls[i], EPERM);
  /* OpenMP ties a thread to a core by the thread's number; another process would be named in the same way. */
  if (!getenv("OMP_PROC_BIND") && !getenv("OMP_PLACES") && !getenv("GOMP_CPU_AFFINITY"))
    allow_only(p, SYS_sched_setaffinity, 0, 0);
}

/* Files can be read, but not written, created, moved or removed. There is no network. */
static void only_read(program *p) {
  static const int calls[] = {
#ifdef SYS_open
      SYS_creat,         SYS_unlink,        SYS_rename,    SYS_link,      SYS_symlink,     SYS_mkdir,
      SYS_rmdir,         SYS_mknod,         SYS_chmod,     SYS_chown,     SYS_lchown,      SYS_utime,
      SYS_utimes,
#endif
      SYS_unlinkat,      SYS_renameat2,     SYS_linkat,    SYS_symlinkat, SYS_mkdirat,     SYS_mknodat,
      SYS_fchmodat,      SYS_fchownat,      SYS_fchmod,    SYS_fchown,    SYS_truncate,    SYS_ftruncate,
      SYS_utimensat,     SYS_setxattr,      SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_socket,
      SYS_socketpair,    SYS_connect,       SYS_bind,      SYS_listen,    SYS_accept,      SYS_accept4,
      SYS_inotify_init1, SYS_fanotify_init, SYS_shmget,    SYS_semget,    SYS_msgget,      SYS_mq_open};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) refuse(p, calls[i], EPERM);
#ifdef SYS_renameat
  refuse(p, SYS_renameat, EPERM);
#endif
  const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
#ifdef SYS_open
  allow_bits(p, SYS_open, 1, writing, false);
#endif
  allow_bits(p, SYS_openat, 2, writing, false);
  refuse(p, SYS_openat2, ENOSYS); /* its flags are in memory, which a filter can't read */
}

/* Threads are allowed, processes and programs are not. */
static void only_threads(program *p) {
  static const int calls[] = {
#ifdef SYS_fork
      SYS_fork, SYS_vfork,
#endif
      SYS_execve, SYS_execveat};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) refuse(p, calls[i], EPERM);
  refuse(p, SYS_clone3, ENOSYS); /* its flags are in memory; the C library falls back to clone */
  allow_bits(p, SYS_clone, 0, CLONE_THREAD, true);
}

bool wb_sandbox_enter(void) {
  static program p;
  p.count = 0;
  load(&p, offsetof(struct seccomp_data, arch));
  add(&p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
  answer(&p, SECCOMP_RET_KILL_PROCESS); /* system call numbers differ between architectures */
  load(&p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  add(&p, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000); /* x32's numbers */
  answer(&p, REFUSE(ENOSYS));
#endif
  leave_others_alone(&p);
  if (!is("cuda")) {
    leave_processors_alone(&p);
    only_read(&p); /* a driver opens its devices for writing */
  }
  if (is("host")) only_threads(&p); /* the CPU backend runs addr2line */
  answer(&p, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {p.count, p.line};
  return p.count < MOST && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

#else

bool wb_sandbox_enter(void) { return false; }

#endif

// The seccomp filters of the three conducts (TOOL, PROGRAM, THREADED) and the one-exec lock.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
constexpr uint32_t kArch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArch = AUDIT_ARCH_AARCH64;
#else
#error "The sandbox launcher knows x86-64 and aarch64 only."
#endif

#ifndef SECCOMP_FILTER_FLAG_NEW_LISTENER
#define SECCOMP_FILTER_FLAG_NEW_LISTENER (1UL << 3)
#endif
// Without it kernels before 5.16 slow confined code down, and what is measured is not what the user will see.
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif

// Numbers that headers of older systems lack; from 424 on they are the same on every architecture.
enum Recent : int {
    kPidfdSendSignal = 424, kIoUringSetup = 425, kIoUringEnter = 426, kIoUringRegister = 427, kOpenTree = 428,
    kMoveMount = 429, kFsopen = 430, kFsconfig = 431, kFsmount = 432, kFspick = 433, kPidfdOpen = 434, kClone3 = 435,
    kOpenat2 = 437, kPidfdGetfd = 438, kProcessMadvise = 440, kMountSetattr = 442, kQuotactlFd = 443,
    kProcessMrelease = 448, kLastKnown = 450,
};

class Filter {
public:
    Filter() {
        add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
        jump(BPF_JEQ, kArch, 1, 0);
        ret(SECCOMP_RET_KILL_PROCESS);
        add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
#if defined(__x86_64__)
        jump(BPF_JGE, 0x40000000u, 0, 1);  // the x32 calls
        ret(SECCOMP_RET_KILL_PROCESS);
#endif
    }

    void refuse(int error, std::initializer_list<int> calls) {
        for (int call : calls) on(call, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error));
    }

    void on(int call, uint32_t action) {
        jump(BPF_JEQ, static_cast<uint32_t>(call), 0, 1);
        ret(action);
    }

    // Allows the call only where its argument is one of the values (low 32 bits; all are ints for the kernel).
    void only(int call, int argument, std::initializer_list<uint32_t> values, int error = EPERM) {
        const auto count = static_cast<uint8_t>(values.size());
        jump(BPF_JEQ, static_cast<uint32_t>(call), 0, static_cast<uint8_t>(count + 3));
        load(argument);
        uint8_t left = count;
        for (uint32_t value : values) jump(BPF_JEQ, value, left--, 0);
        ret(SECCOMP_RET_ERRNO | static_cast<uint32_t>(error));
        ret(SECCOMP_RET_ALLOW);
    }

    // Refuses the call where its argument is this value.
    void never(int call, int argument, uint32_t value, int error) {
        jump(BPF_JEQ, static_cast<uint32_t>(call), 0, 4);
        load(argument);
        jump(BPF_JEQ, value, 0, 1);
        ret(SECCOMP_RET_ERRNO | static_cast<uint32_t>(error));
        ret(SECCOMP_RET_ALLOW);
    }

    // Refuses the call where its argument has one of the bits.
    void without(int call, int argument, uint32_t bits, int error) {
        jump(BPF_JEQ, static_cast<uint32_t>(call), 0, 4);
        load(argument);
        jump(BPF_JSET, bits, 0, 1);
        ret(SECCOMP_RET_ERRNO | static_cast<uint32_t>(error));
        ret(SECCOMP_RET_ALLOW);
    }

    // Refuses the call unless its argument has one of the bits.
    void needs(int call, int argument, uint32_t bits, int error) {
        jump(BPF_JEQ, static_cast<uint32_t>(call), 0, 4);
        load(argument);
        jump(BPF_JSET, bits, 1, 0);
        ret(SECCOMP_RET_ERRNO | static_cast<uint32_t>(error));
        ret(SECCOMP_RET_ALLOW);
    }

    void unknown_calls_missing() {
        jump(BPF_JGT, kLastKnown, 0, 1);
        ret(SECCOMP_RET_ERRNO | ENOSYS);
    }

    // Closes the filter and installs it; the result is the listener where asked for one, else 0; -1 on error.
    int install(unsigned long flags = 0) {
        ret(SECCOMP_RET_ALLOW);
        sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program));
    }

private:
    void add(uint16_t code, uint32_t k) { code_.push_back(sock_filter{code, 0, 0, k}); }
    void jump(uint16_t how, uint32_t k, uint8_t yes, uint8_t no) {
        code_.push_back(sock_filter{static_cast<uint16_t>(BPF_JMP | BPF_K | how), yes, no, k});
    }
    void ret(uint32_t action) { add(BPF_RET | BPF_K, action); }
    void load(int argument) {
        add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * argument));
    }

    std::vector<sock_filter> code_;
};

// Nothing that reaches the machine, the network or the kernel's wider surface: for every conduct.
inline void refuse_machine(Filter& f) {
    f.refuse(EPERM, {
        SYS_socket, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_swapon, SYS_swapoff,
        SYS_reboot, SYS_sethostname, SYS_setdomainname, SYS_init_module, SYS_finit_module, SYS_delete_module,
        SYS_kexec_load, SYS_acct, SYS_quotactl, SYS_syslog, SYS_vhangup, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
        SYS_clock_adjtime, SYS_add_key, SYS_keyctl, SYS_request_key, SYS_bpf, SYS_userfaultfd, SYS_fanotify_init,
        SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open, SYS_mq_unlink,
        SYS_seccomp, kIoUringSetup, kIoUringEnter, kIoUringRegister, kOpenTree, kMoveMount, kFsopen, kFsconfig, kFsmount,
        kFspick, kMountSetattr, kQuotactlFd,
#ifdef SYS_kexec_file_load
        SYS_kexec_file_load,
#endif
#if defined(__x86_64__)
        SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib,
#endif
    });
    f.refuse(ENOSYS, {kClone3});  // its flags lie in memory; the C library falls back to clone
    f.unknown_calls_missing();
}

// Nothing in the file system can be created or changed, whatever its mode says.
inline void refuse_writing(Filter& f) {
    constexpr uint32_t kChanging = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | 020000000 /* __O_TMPFILE */;
    f.without(SYS_openat, 2, kChanging, EACCES);
    f.refuse(ENOSYS, {kOpenat2});
    f.refuse(EACCES, {
        SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mknodat, SYS_truncate, SYS_utimensat,
        SYS_fchmod, SYS_fchmodat, 452 /* fchmodat2 */, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr,
        SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_fallocate, SYS_flock, SYS_sync, SYS_syncfs,
#ifdef SYS_renameat
        SYS_renameat,
#endif
#if defined(__x86_64__)
        SYS_creat, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mknod, SYS_chmod, SYS_chown,
        SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    });
#if defined(__x86_64__)
    f.without(SYS_open, 1, kChanging, EACCES);
#endif
}

// A compiler, profiler or generator: processes, threads, tracing and writing are its business.
inline int confine_tool() {
    Filter f;
    refuse_machine(f);
    f.without(SYS_clone, 0, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP,
              EPERM);
    f.never(SYS_kill, 0, 0xffffffffu, EPERM);  // all processes of the user, on kernels without signal scopes
    return f.install();
}

// Code under judgement. Exec is left to lock_exec().
inline int confine_program(bool threads) {
    Filter f;
    const auto self = static_cast<uint32_t>(getpid());
    refuse_writing(f);
    if (threads) {
        f.needs(SYS_clone, 0, CLONE_THREAD, EPERM);
    } else {
        f.refuse(EPERM, {SYS_clone});
    }
    f.refuse(EPERM, {
        SYS_socketpair, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_perf_event_open, SYS_personality,
        SYS_setpriority, SYS_ioprio_set, SYS_sched_setaffinity, SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setattr,
        SYS_migrate_pages, SYS_move_pages, SYS_setrlimit, SYS_preadv2, SYS_inotify_init1, kPidfdSendSignal, kPidfdOpen,
        kPidfdGetfd, kProcessMadvise, kProcessMrelease, 444, 445, 446 /* landlock */,
#if defined(__x86_64__)
        SYS_fork, SYS_vfork, SYS_inotify_init,
#endif
    });
    for (int call : {SYS_kill, SYS_tgkill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) f.only(call, 0, {self});
    f.only(SYS_prlimit64, 0, {0, self});
    f.only(SYS_prctl, 0, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_PDEATHSIG, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS,
                          PR_CAPBSET_READ, PR_GET_TIMERSLACK, PR_SET_TIMERSLACK, PR_SET_THP_DISABLE, PR_GET_THP_DISABLE,
                          0x53564d41u /* PR_SET_VMA: names of mappings */});
    f.only(SYS_ioctl, 1, {0x5401u /* TCGETS */, 0x5413u /* TIOCGWINSZ */, 0x541bu /* FIONREAD */, 0x5450u, 0x5451u /* FIOCLEX */},
           ENOTTY);
    f.only(SYS_fcntl, 1, {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC});
    refuse_machine(f);
    return f.install();
}

// Hands the next exec to the launcher, which lets exactly one pass and then drops the listener: every later
// exec fails with ENOSYS. Returns the listener's descriptor.
inline int lock_exec() {
    Filter f;
    f.on(SYS_execve, SECCOMP_RET_USER_NOTIF);
    f.on(SYS_execveat, SECCOMP_RET_USER_NOTIF);
    return f.install(SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

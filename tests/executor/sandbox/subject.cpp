// The program under judgement in these tests: each mode tries one thing and prints "yes", or "no" and the error.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

static int said(bool yes) {
    if (yes) puts("yes");
    else printf("no: %s\n", strerror(errno));
    return 0;
}

static double cpu_s() { return static_cast<double>(clock()) / CLOCKS_PER_SEC; }

static volatile unsigned long sink;

static void spin(double seconds) {
    while (cpu_s() < seconds)
        for (int i = 0; i < 1000; ++i) sink = sink + static_cast<unsigned long>(i);
}

static int written(const std::string& how, const char* path) {
    if (how == "create") return said(open(path, O_WRONLY | O_CREAT, 0666) >= 0);
    if (how == "write") return said(open(path, O_RDWR) >= 0);
    if (how == "truncate") return said(truncate(path, 0) == 0);
    if (how == "unlink") return said(unlink(path) == 0);
    if (how == "chmod") return said(chmod(path, 0777) == 0);
    if (how == "mkdir") return said(mkdir(path, 0777) == 0);
    if (how == "rename") return said(rename(path, (std::string(path) + "2").c_str()) == 0);
    if (how == "symlink") return said(symlink("x", path) == 0);
    if (how == "utime") return said(utimensat(AT_FDCWD, path, nullptr, 0) == 0);
    if (how == "xattr") return said(setxattr(path, "user.a", "b", 1, 0) == 0);
    if (how == "tmpfile") return said(open(path, O_TMPFILE | O_RDWR, 0666) >= 0);
    if (how == "openat2") {
        struct { uint64_t flags, mode, resolve; } ask{O_WRONLY | O_CREAT, 0666, 0};
        return said(syscall(437, AT_FDCWD, path, &ask, sizeof ask) >= 0);
    }
    return 2;
}

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    const std::string one = argc > 2 ? argv[2] : "", two = argc > 3 ? argv[3] : "";
    setvbuf(stdout, nullptr, _IOFBF, 1 << 16);
    if (mode == "exit") return std::stoi(one);
    if (mode == "abort") abort();
    if (mode == "segv") raise(SIGSEGV);
    if (mode == "spin") return spin(std::stod(one)), 0;
    if (mode == "sleep") return usleep(static_cast<useconds_t>(std::stod(one) * 1e6)), 0;
    if (mode == "print") {
        const std::string block(1 << 16, 'x');
        for (long left = std::stol(one); left > 0; left -= 1 << 16) fwrite(block.data(), 1, static_cast<size_t>(std::min(left, 1L << 16)), stdout);
        return fflush(stdout) != 0;
    }
    if (mode == "alloc") {
        std::vector<char> all(std::stoul(one) << 20, 1);
        return said(all[all.size() / 2] == 1);
    }
    if (mode == "cat") return std::cout << std::cin.rdbuf(), 0;
    if (mode == "args") { for (int i = 2; i < argc; ++i) printf("%s%c", argv[i], 0); return 0; }
    if (mode == "cwd") return puts(getcwd(nullptr, 0)), 0;
    if (mode == "env") { for (char** e = environ; *e; ++e) puts(*e); return 0; }
    if (mode == "uid") return printf("%u\n", getuid()), 0;
    if (mode == "stack") { std::string deep(1, 'a'); struct { int operator()(int n) { volatile char room[1000]; room[0] = static_cast<char>(n); return n == 0 ? 0 : (*this)(n - 1) + room[0]; } } dive; sink = static_cast<unsigned long>(dive(std::stoi(one))); return said(true); }

    if (mode == "fork") { const pid_t p = fork(); if (p == 0) _exit(0); return said(p > 0); }
    if (mode == "vfork") { const pid_t p = vfork(); if (p == 0) _exit(0); return said(p > 0); }
    if (mode == "clone") { const long p = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); if (p == 0) _exit(0); return said(p > 0); }
    if (mode == "clone3") { uint64_t args[8] = {0, 0, 0, 0, SIGCHLD, 0, 0, 0}; const long p = syscall(435, args, sizeof args); if (p == 0) _exit(0); return said(p > 0); }
    if (mode == "system") return said(system("true") == 0);
    if (mode == "thread") { std::atomic<int> ran{0}; try { std::thread t([&] { ran = 1; }); t.join(); } catch (const std::exception&) { errno = EPERM; } return said(ran); }
    if (mode == "exec") { char* const args[] = {argv[0], const_cast<char*>("exit"), const_cast<char*>("77"), nullptr}; execve(argv[0], args, environ); return said(false); }
    if (mode == "execveat") { char* const args[] = {argv[0], const_cast<char*>("exit"), const_cast<char*>("77"), nullptr}; syscall(SYS_execveat, open(argv[0], O_PATH), "", args, environ, AT_EMPTY_PATH); return said(false); }
    if (mode == "socket") return said(socket(std::stoi(one), SOCK_STREAM, 0) >= 0);
    if (mode == "socketpair") { int pair[2]; return said(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0); }
    if (mode == "ptrace") return said(ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0);
    if (mode == "kill") return said(kill(getppid(), SIGKILL) == 0);
    if (mode == "kill-all") return said(kill(-1, SIGKILL) == 0);
    if (mode == "kill-self") return raise(SIGTERM);
    if (mode == "pidfd") return said(syscall(434, getppid(), 0) >= 0);
    if (mode == "limits") { rlimit low{1, 1}; return said(prlimit(getppid(), RLIMIT_CPU, &low, nullptr) == 0); }
    if (mode == "affinity") { cpu_set_t all; memset(&all, 255, sizeof all); return said(sched_setaffinity(0, sizeof all, &all) == 0); }
    if (mode == "cores") { cpu_set_t mine; sched_getaffinity(0, sizeof mine, &mine); return printf("%d\n", CPU_COUNT(&mine)), 0; }
    if (mode == "pdeathsig") return said(prctl(PR_SET_PDEATHSIG, 0) == 0);
    if (mode == "seccomp") return said(syscall(SYS_seccomp, 1, 8, nullptr) >= 0 || errno == EFAULT);
    if (mode == "shmget") return said(shmget(4711, 4096, IPC_CREAT | 0666) >= 0);
    if (mode == "shm_open") return said(shm_open("/maxcode-test", O_CREAT | O_RDWR, 0666) >= 0);
    if (mode == "msgget") return said(syscall(SYS_msgget, 4711, IPC_CREAT | 0666) >= 0);
    if (mode == "mq_open") return said(syscall(SYS_mq_open, "maxcode-test", O_CREAT | O_RDWR, 0666, nullptr) >= 0);
    if (mode == "keyring") return said(syscall(SYS_add_key, "user", "maxcode", "x", 1, -3) >= 0);
    if (mode == "io_uring") { char room[256] = {}; return said(syscall(425, 4, room) >= 0); }
    if (mode == "unshare") return said(syscall(SYS_unshare, 0x10000000) == 0);
    if (mode == "x32") { const long r = syscall(0x40000000 + 39); return printf("%ld\n", r), 0; }
    if (mode == "open") return said(open(one.c_str(), O_RDONLY) >= 0);
    if (mode == "fds") { for (int fd = 3; fd < 4096; ++fd) if (fcntl(fd, F_GETFD) >= 0) printf("%d\n", fd); return 0; }
    if (mode == "parent") return said(open(("/proc/" + std::to_string(getppid()) + "/" + one).c_str(), O_RDONLY) >= 0);
    if (mode == "stdout-flags") { printf("%d %ld\n", fcntl(1, F_GETFL), static_cast<long>(lseek(1, 0, SEEK_CUR))); fflush(stdout); return fcntl(1, F_SETFL, O_APPEND); }
    if (mode == "leave-output") return said(write(1, "secret", 6) == 6 && lseek(1, 1 << 20, SEEK_SET) > 0);
    if (mode == "read-output") { char was[64]; const int fd = open("/proc/self/fd/1", O_RDONLY); return printf("%zd\n", fd < 0 ? 0 : read(fd, was, sizeof was)), 0; }
    if (mode == "daemon") { if (fork() == 0) { setsid(); if (fork() == 0) sleep(60); _exit(0); } wait(nullptr); return 0; }
    if (mode == "forks") {
        int made = 0;
        for (; made < 150; ++made) { const pid_t p = fork(); if (p == 0) { sleep(60); _exit(0); } if (p < 0) break; }
        return printf("%d\n", made), 0;
    }
    return written(mode, one.c_str());
}

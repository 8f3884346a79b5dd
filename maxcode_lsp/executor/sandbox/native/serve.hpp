// "launcher serve": starts one command after the other, bounds it, and says how it ended.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "filter.hpp"
#include "frame.hpp"
#include "landlock.hpp"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

// What a child tells before it becomes the command. Shared memory: it needs no descriptor.
struct Notes {
    int listener;  // -1: none
    int error;
    char stage[16];
    int64_t wall_ns, cpu_ns;  // the clocks just before exec
};

inline int64_t clock_ns(clockid_t clock) {
    timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

inline int64_t nanoseconds(const timeval& t) { return t.tv_sec * 1000000000LL + t.tv_usec * 1000LL; }

inline std::string resolve(const std::string& name, const std::vector<std::string>& env) {
    if (name.find('/') != std::string::npos) return name;
    for (const auto& item : env) {
        if (item.rfind("PATH=", 0) != 0) continue;
        std::istringstream folders(item.substr(5));
        for (std::string folder; std::getline(folders, folder, ':');)
            if (access((folder + "/" + name).c_str(), X_OK) == 0) return folder + "/" + name;
    }
    return name;
}

inline std::vector<char*> pointers(std::vector<std::string>& items) {
    std::vector<char*> all;
    for (auto& item : items) all.push_back(item.data());
    all.push_back(nullptr);
    return all;
}

// The integral of a process's resident set over time, by the trapezoid rule. What the process writes is never read: the
// kernel alone says how much it holds.
class Meter {
public:
    Meter(pid_t pid, int64_t every_ns) : every_ns_(every_ns), next_ns_(every_ns > 0 ? clock_ns(CLOCK_MONOTONIC) + every_ns : 0) {
        if (every_ns > 0) statm_ = open(("/proc/" + std::to_string(pid) + "/statm").c_str(), O_RDONLY | O_CLOEXEC);
    }
    ~Meter() {
        if (statm_ >= 0) close(statm_);
    }
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    // How long to wait at most until the next look.
    int64_t wait(int64_t left_ns) const {
        if (every_ns_ <= 0) return left_ns;
        const int64_t due = next_ns_ - clock_ns(CLOCK_MONOTONIC);
        return due < 0 ? 0 : due < left_ns ? due : left_ns;
    }
    void look() {
        const int64_t now = clock_ns(CLOCK_MONOTONIC);
        if (every_ns_ <= 0 || now < next_ns_) return;
        next_ns_ = now + every_ns_;
        add(now, resident_kb());
    }
    // Kilobytes times microseconds, up to the end of a process that ended at `end_ns`.
    int64_t sum(int64_t begin_ns, int64_t end_ns) {
        if (every_ns_ <= 0) return 0;
        begin_ns_ = begin_ns;
        add(end_ns, last_kb_);
        return sum_;
    }

private:
    int64_t resident_kb() const {
        char text[128];
        const ssize_t n = statm_ < 0 ? -1 : pread(statm_, text, sizeof text - 1, 0);
        if (n <= 0) return last_kb_;
        text[n] = '\0';
        long long size = 0, resident = 0;
        return sscanf(text, "%lld %lld", &size, &resident) == 2 ? resident * (sysconf(_SC_PAGESIZE) / 1024) : last_kb_;
    }
    void add(int64_t now, int64_t kb) {
        if (last_ns_ == 0) last_ns_ = begin_ns_ != 0 ? begin_ns_ : now - every_ns_;
        if (now > last_ns_) sum_ += (last_kb_ + kb) / 2 * ((now - last_ns_) / 1000);
        last_ns_ = now;
        last_kb_ = kb;
    }

    const int64_t every_ns_;
    int64_t next_ns_, begin_ns_ = 0, last_ns_ = 0, last_kb_ = 0, sum_ = 0;
    int statm_ = -1;
};

class Server {
public:
    Server(int control, bool alone)
        : control_(control), alone_(alone),
          notes_(static_cast<Notes*>(mmap(nullptr, sizeof(Notes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}

    int serve() {
        if (!write_all(control_, "ready\n")) return 1;
        uint32_t size;
        std::vector<int> fds;
        while (receive(control_, size, fds)) {
            if (size == 0) continue;  // a kill for a command that had just ended
            std::string body(size, '\0');
            if (!read_all(control_, body.data(), size) || fds.size() != 2) break;
            Request request = parse(body);
            const bool alive = run(request, fds[0], fds[1]);
            for (int fd : fds) close(fd);
            if (!alive) break;
        }
        end_descendants();
        return 0;
    }

private:
    [[noreturn]] void child_fails(const char* stage) {
        notes_->error = errno;
        snprintf(notes_->stage, sizeof notes_->stage, "%s", stage);
        _exit(127);
    }

    void limit(int resource, int64_t soft, int64_t hard) {
        rlimit now;
        getrlimit(static_cast<__rlimit_resource>(resource), &now);
        rlimit wanted{static_cast<rlim_t>(soft), static_cast<rlim_t>(hard)};
        if (wanted.rlim_max > now.rlim_max) wanted.rlim_max = now.rlim_max;
        if (wanted.rlim_cur > wanted.rlim_max) wanted.rlim_cur = wanted.rlim_max;
        if (setrlimit(static_cast<__rlimit_resource>(resource), &wanted) != 0) child_fails("limits");
    }

    // Runs in the child; never returns.
    [[noreturn]] void start(Request& r, int ready, int out, int err, pid_t parent) {
        if (!r.tool()) {
            // The descriptor table is still shared, so the launcher holds the listener under the same number.
            notes_->listener = lock_exec();
            if (notes_->listener < 0) child_fails("exec lock");
            if (syscall(SYS_unshare, CLONE_FILES) != 0) child_fails("descriptors");
            if (write(ready, "", 1) != 1) child_fails("ready");
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        setsid();
        for (int number = 1; number < 65; ++number) signal(number, SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);

        const int in = open(r.stdin_path.empty() ? "/dev/null" : r.stdin_path[0].c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (in < 0) child_fails("stdin");
        if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) child_fails("descriptors");
        syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);
        if (chdir(r.cwd.c_str()) != 0) child_fails("cwd");
        if (r.core >= 0) {
            cpu_set_t cores;
            CPU_ZERO(&cores);
            CPU_SET(static_cast<int>(r.core), &cores);
            if (sched_setaffinity(0, sizeof cores, &cores) != 0) child_fails("core");
        }
        const std::string path = resolve(r.argv[0], r.env);
        const auto argv = pointers(r.argv);
        const auto env = pointers(r.env);
        limit(RLIMIT_CORE, 0, 0);
        limit(RLIMIT_MSGQUEUE, 0, 0);
        limit(RLIMIT_CPU, r.cpu_s, r.cpu_s + 1);
        limit(RLIMIT_FSIZE, r.file, r.file);
        limit(RLIMIT_NOFILE, 1024, 1024);
        limit(RLIMIT_STACK, r.stack, r.stack);
        if (r.processes > 0) limit(RLIMIT_NPROC, r.processes, r.processes);
        if (r.memory > 0) limit(RLIMIT_AS, r.memory, r.memory);
        if (r.tool()) landlock::scope_signals();
        if ((r.tool() ? confine_tool() : confine_program(r.conduct == "threaded")) != 0) child_fails("seccomp");
        notes_->wall_ns = clock_ns(CLOCK_MONOTONIC);
        notes_->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        execve(path.c_str(), argv.data(), env.data());
        child_fails("exec");
    }

    // Lets the one exec pass that the child is waiting in.
    static void let_pass(int listener) {
        seccomp_notif notice{};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) != 0) return;
        seccomp_notif_resp answer{};
        answer.id = notice.id;
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }

    void kill_command(const Request& r, pid_t child) {
        kill(child, SIGKILL);
        if (r.tool()) kill_descendants();
    }

    // False: the host is gone.
    bool run(Request& r, int out, int err) {
        *notes_ = Notes{};
        notes_->listener = -1;
        int ready[2];
        if (pipe2(ready, O_CLOEXEC) != 0) return false;
        const pid_t self = getpid();
        const int64_t deadline = clock_ns(CLOCK_MONOTONIC) + r.wall_ns;
        const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD | (r.tool() ? 0 : CLONE_FILES), 0, 0, 0, 0));
        if (child == 0) start(r, ready[1], out, err, self);
        const int ended = child < 0 ? -1 : static_cast<int>(syscall(kPidfdOpen, child, 0));
        if (ended < 0) return false;

        enum { kEnded, kControl, kReady, kListener };
        pollfd watched[4] = {{ended, POLLIN, 0}, {control_, POLLIN, 0}, {ready[0], POLLIN, 0}, {-1, POLLIN, 0}};
        bool connected = true, late = false, killed = false;
        Meter meter(child, r.meter_ns);
        while (watched[kEnded].revents == 0) {
            const int64_t left = deadline - clock_ns(CLOCK_MONOTONIC);
            if (left <= 0 && !late && !killed) {
                late = true;
                kill_command(r, child);
            }
            const int64_t pause = meter.wait(left > 0 ? left : 1000000000);
            const timespec wait{pause / 1000000000, pause % 1000000000};
            const int seen = ppoll(watched, 4, &wait, nullptr);
            meter.look();
            if (seen <= 0) continue;
            if (watched[kReady].revents) {
                watched[kReady].fd = -1;
                watched[kListener].fd = notes_->listener;
            }
            if (watched[kListener].revents) {
                if (watched[kListener].revents & POLLIN) let_pass(watched[kListener].fd);
                close(watched[kListener].fd);
                watched[kListener].fd = notes_->listener = -1;
            }
            if (watched[kControl].revents) {
                uint32_t size = 1;
                std::vector<int> none;
                connected = receive(control_, size, none) && size == 0;
                killed = true;
                kill_command(r, child);
                if (!connected) watched[kControl].fd = -1;
            }
        }
        if (notes_->listener >= 0) close(notes_->listener);
        for (int fd : {ended, ready[0], ready[1]}) close(fd);
        return answer(r, child, late, meter) && connected;
    }

    bool answer(const Request& r, pid_t child, bool late, Meter& meter) {
        int status = 0;
        rusage usage{};
        while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
        const int64_t end = clock_ns(CLOCK_MONOTONIC);
        const int leftovers = r.tool() ? end_descendants() : 0;
        if (leftovers < 0) return false;
        const bool started = notes_->wall_ns != 0;
        const int64_t wall = started ? end - notes_->wall_ns : 0;
        const int64_t cpu = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime) - notes_->cpu_ns;
        std::ostringstream line;
        line << (WIFEXITED(status) ? WEXITSTATUS(status) : -1) << ' ' << (WIFSIGNALED(status) ? WTERMSIG(status) : 0) << ' ' << late
             << ' ' << leftovers << ' ' << wall << ' ' << (cpu > 0 ? cpu : 0) << ' ' << usage.ru_maxrss * 1024LL << ' '
             << meter.sum(notes_->wall_ns, end) << ' '
             << notes_->error << ' ' << notes_->stage << '\n';
        return write_all(control_, line.str());
    }

    // Alone under its user id or in its process namespace, one call reaches all at once and no fork can outrun it.
    void kill_descendants() {
        if (alone_) {
            kill(-1, SIGKILL);
            return;
        }
        std::vector<pid_t> found{getpid()};
        for (size_t i = 0; i < found.size() && found.size() < 100000; ++i) {
            std::ifstream children("/proc/" + std::to_string(found[i]) + "/task/" + std::to_string(found[i]) + "/children");
            for (pid_t pid; children >> pid;) found.push_back(pid);
        }
        for (size_t i = 1; i < found.size(); ++i) kill(found[i], SIGKILL);
    }

    // Kills and reaps whatever the command left; orphans come to this process. The number killed; -1: they outlived 3 s.
    int end_descendants() {
        while (waitpid(-1, nullptr, WNOHANG | __WALL) > 0) {}
        int left = 0;
        const int64_t deadline = clock_ns(CLOCK_MONOTONIC) + 3000000000LL;
        for (;;) {
            int status;
            const pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
            if (pid > 0) {
                left += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
                continue;
            }
            if (pid < 0 && errno == ECHILD) return left;
            if (clock_ns(CLOCK_MONOTONIC) > deadline) return -1;
            kill_descendants();
            const timespec moment{0, 200000};
            nanosleep(&moment, nullptr);
        }
    }

    const int control_;
    const bool alone_;
    Notes* const notes_;
};

inline int serve(int argc, char** argv) {
    if (argc < 3) return 2;
    const int control = atoi(argv[2]);
    const bool alone = argc > 3 && strcmp(argv[3], "alone") == 0;
    syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);
    for (int fd = 3; fd < 256; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);  // kernels before 5.11
    signal(SIGPIPE, SIG_IGN);
    umask(022);
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 1;
    try {
        return Server(control, alone).serve();
    } catch (const std::exception& problem) {
        dprintf(2, "launcher: %s\n", problem.what());
        return 1;
    }
}

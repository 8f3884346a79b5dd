// "launcher enter": joins control groups, gives up the user id, confines itself, and becomes another program.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "landlock.hpp"

[[noreturn]] inline void fail(const std::string& what) {
    dprintf(2, "%s: %s\n", what.c_str(), strerror(errno));
    _exit(125);
}

inline void close_others(const std::set<int>& kept) {
    unsigned first = 3;
    auto close_span = [](unsigned from, unsigned to) {
        if (from > to || syscall(SYS_close_range, from, to, 0) == 0) return;
        const unsigned end = to == ~0u ? static_cast<unsigned>(sysconf(_SC_OPEN_MAX)) : to + 1;
        for (unsigned fd = from; fd < end; ++fd) close(static_cast<int>(fd));
    };
    for (int fd : kept) {
        close_span(first, static_cast<unsigned>(fd) - 1);
        first = static_cast<unsigned>(fd) + 1;
    }
    close_span(first, ~0u);
}

inline void become(long id) {
    const auto uid = static_cast<uid_t>(id);
    const auto gid = static_cast<gid_t>(id);
    if (setgroups(0, nullptr) != 0 || setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0) fail("change of user");
}

inline int enter(int argc, char** argv) {
    std::vector<std::string> joins, readable, writable;
    std::set<int> kept;
    long uid = -1;
    bool confine = false;
    int i = 2;
    for (; i < argc && strcmp(argv[i], "--") != 0; i += 2) {
        const std::string option = argv[i];
        if (i + 1 >= argc) fail("value of " + option);
        const char* value = argv[i + 1];
        if (option == "--join") joins.push_back(value);
        else if (option == "--uid") uid = atol(value);
        else if (option == "--keep") kept.insert(atoi(value));
        else if (option == "--read") confine = true, readable.push_back(value);
        else if (option == "--write") confine = true, writable.push_back(value);
        else errno = EINVAL, fail("option " + option);
    }
    char** command = argv + i + 1;
    if (i + 1 >= argc) errno = EINVAL, fail("command");

    setsid();
    umask(022);
    for (const auto& file : joins) {
        const int fd = open(file.c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0 || dprintf(fd, "%d\n", getpid()) < 0) fail("joining " + file);
        close(fd);
    }
    // Opened before the user id is given up: the program may lie where only this user can look.
    const int program = open(command[0], O_PATH | O_CLOEXEC);
    if (program < 0) fail(command[0]);
    const int rules = confine ? landlock::confine_files(readable, writable) : -1;
    if (confine && rules < 0) fail("landlock");
    if (uid >= 0) become(uid);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs");
    if (confine && !landlock::restrict_self(rules)) fail("landlock");
    kept.insert(program);
    close_others(kept);
    syscall(SYS_execveat, program, "", command, environ, AT_EMPTY_PATH);
    fail(command[0]);
}

// "launcher sweep UID": ends every process of a dedicated user id.
inline int sweep(int argc, char** argv) {
    if (argc != 3 || atol(argv[2]) <= 0) errno = EINVAL, fail("sweep");
    become(atol(argv[2]));
    kill(-1, SIGKILL);
    return 0;
}

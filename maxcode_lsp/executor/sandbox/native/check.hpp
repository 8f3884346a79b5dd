// "launcher check": run as a PROGRAM, tries what must not work and names the first thing that does.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

inline int check(int argc, char** argv) {
    const bool files = argc > 2 && strcmp(argv[2], "files") == 0;
    const auto holds = [](bool refused, const char* what) {
        if (!refused) printf("%s\n", what);
        return refused;
    };
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, nullptr, 0);
    if (!holds(child < 0, "a program can start processes")) return 1;
    if (!holds(socket(AF_INET, SOCK_STREAM, 0) < 0, "a program can open sockets")) return 1;
    if (!holds(open("/dev/null", O_WRONLY) < 0, "a program can open files for writing")) return 1;
    if (files && !holds(open("/etc/passwd", O_RDONLY) < 0, "a program can read files outside its mounts")) return 1;
    char* const none[] = {nullptr};
    execve("/proc/self/exe", none, none);
    if (!holds(errno == ENOSYS, "a program can start another program")) return 1;
    return 0;
}

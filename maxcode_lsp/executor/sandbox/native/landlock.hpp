// Landlock by its raw system calls, for whatever version the kernel speaks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace landlock {

struct Attributes {
    uint64_t fs;
    uint64_t net;
    uint64_t scoped;
};

struct __attribute__((packed)) Beneath {
    uint64_t allowed;
    int32_t parent;
};

constexpr uint64_t kExecute = 1, kWriteFile = 2, kReadFile = 4, kReadDir = 8, kTruncate = 1u << 14, kIoctl = 1u << 15;
constexpr uint64_t kFileRights = kExecute | kWriteFile | kReadFile | kTruncate | kIoctl;
constexpr uint64_t kScopes = 3;  // abstract unix sockets and signals
constexpr uint64_t kNet = 3;     // TCP bind and connect

inline int version() {
    return static_cast<int>(syscall(444, nullptr, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */));
}

inline int create(const Attributes& attributes, int abi) {
    const size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    return static_cast<int>(syscall(444, &attributes, size, 0));
}

inline bool restrict_self(int ruleset) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(446, ruleset, 0) == 0;
}

// Everything the version can handle: 13 rights, then refer, truncate, ioctl.
inline uint64_t handled(int abi) {
    return abi >= 5 ? 0xffff : abi >= 3 ? 0x7fff : abi >= 2 ? 0x3fff : 0x1fff;
}

// A ruleset that leaves only these paths; paths that are not there are skipped. -1 with errno on failure.
inline int confine_files(const std::vector<std::string>& readable, const std::vector<std::string>& writable) {
    const int abi = version();
    if (abi < 1) return -1;
    const uint64_t all = handled(abi);
    const int ruleset = create({all, abi >= 4 ? kNet : 0, abi >= 6 ? kScopes : 0}, abi);
    if (ruleset < 0) return -1;
    auto allow = [&](const std::string& path, uint64_t rights) {
        const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
        if (fd < 0) return errno == ENOENT;
        struct stat about;
        if (fstat(fd, &about) == 0 && !S_ISDIR(about.st_mode)) rights &= kFileRights;
        const Beneath rule{rights & all, fd};
        const bool ok = syscall(445, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0) == 0;
        close(fd);
        return ok;
    };
    for (const auto& path : readable)
        if (!allow(path, kExecute | kReadFile | kReadDir)) return -1;
    for (const auto& path : writable)
        if (!allow(path, all & ~kIoctl)) return -1;
    return ruleset;
}

// Signals and abstract sockets reach only what is started from here on; does nothing on older kernels.
inline void scope_signals() {
    const int abi = version();
    if (abi < 6) return;
    const int ruleset = create({0, 0, kScopes}, abi);
    if (ruleset < 0) return;
    restrict_self(ruleset);
    close(ruleset);
}

}  // namespace landlock

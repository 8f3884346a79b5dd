// What the host asks for: one frame a command, with the descriptors of its standard output and error.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

struct Request {
    std::string conduct;  // "tool", "program" or "threaded"
    std::vector<std::string> stdin_path;  // none or one
    std::string cwd;
    int64_t wall_ns = 0;
    int64_t cpu_s = 0;
    int64_t memory = 0;  // 0: no limit on the address space
    int64_t file = 0;
    int64_t processes = 0;  // 0: no limit
    int64_t stack = 0;
    int64_t core = -1;
    int64_t meter_ns = 0;  // between two looks at the memory of a command; 0: it is not metered
    std::vector<std::string> argv, env;

    bool tool() const { return conduct == "tool"; }
};

// Reads fields: each a length (32 bits, little endian) and as many bytes, so any bytes survive.
class Fields {
public:
    explicit Fields(const std::string& body) : body_(body) {}

    std::string text() {
        uint32_t size;
        if (body_.size() - at_ < sizeof size) throw std::runtime_error("short frame");
        memcpy(&size, body_.data() + at_, sizeof size);
        at_ += sizeof size;
        if (body_.size() - at_ < size) throw std::runtime_error("short frame");
        at_ += size;
        return body_.substr(at_ - size, size);
    }
    int64_t number() { return std::stoll(text()); }
    std::vector<std::string> list() {
        std::vector<std::string> items(static_cast<size_t>(number()));
        for (auto& item : items) item = text();
        return items;
    }

private:
    const std::string& body_;
    size_t at_ = 0;
};

inline Request parse(const std::string& body) {
    Fields f(body);
    Request r;
    r.conduct = f.text();
    r.stdin_path = f.list();
    r.cwd = f.text();
    r.wall_ns = f.number();
    r.cpu_s = f.number();
    r.memory = f.number();
    r.file = f.number();
    r.processes = f.number();
    r.stack = f.number();
    r.core = f.number();
    r.meter_ns = f.number();
    r.argv = f.list();
    r.env = f.list();
    if (r.argv.empty()) throw std::runtime_error("empty command");
    return r;
}

inline bool read_all(int fd, void* into, size_t size) {
    for (auto* at = static_cast<char*>(into); size > 0;) {
        const ssize_t n = read(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        size -= static_cast<size_t>(n);
    }
    return true;
}

inline bool write_all(int fd, const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const ssize_t n = send(fd, text.data() + at, text.size() - at, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += static_cast<size_t>(n);
    }
    return true;
}

// The next frame's size and its descriptors; false at the end of the connection. Size 0 asks for a kill.
inline bool receive(int control, uint32_t& size, std::vector<int>& fds) {
    fds.clear();
    char space[CMSG_SPACE(sizeof(int) * 2)];
    iovec part{&size, sizeof size};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    ssize_t n;
    do n = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n <= 0) return false;
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        fds.resize((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(fds.data(), CMSG_DATA(c), fds.size() * sizeof(int));
    }
    return read_all(control, reinterpret_cast<char*>(&size) + n, sizeof size - static_cast<size_t>(n));
}

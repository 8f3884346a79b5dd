"""The C++ class that the writers family puts into a program: output in blocks.

``FastOutput`` prints the same digits as ``std::cout``. Each program gets only the parts that its types
need. It needs C++17.
"""

from __future__ import annotations

from collections.abc import Iterable

_OUTPUT_HEAD = """\
// Collects standard output and writes it in large blocks, with the digits of std::cout.
class FastOutput {
    char buffer[1 << 16];
    std::size_t used = 0;

    char* room(std::size_t length) {
        if (length > sizeof buffer - used) flush();
        return buffer + used;
    }

public:
    ~FastOutput() { flush(); }
    FastOutput& flush() {
        std::fwrite(buffer, 1, used, stdout);
        used = 0;
        return *this;
    }
    FastOutput& write(const char* text, std::size_t length) {
        if (length > sizeof buffer) {
            flush();
            std::fwrite(text, 1, length, stdout);
            return *this;
        }
        std::memcpy(room(length), text, length);
        used += length;
        return *this;
    }
    FastOutput& operator<<(char c) {
        *room(1) = c;
        ++used;
        return *this;
    }
    FastOutput& operator<<(const char* text) { return write(text, std::strlen(text)); }
    template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    FastOutput& operator<<(T value) {
        if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) return *this << static_cast<char>(value);
        char* start = room(24);
        used += std::to_chars(start, start + 24, value + 0).ptr - start;
        return *this;
    }
"""

_OUTPUT_PARTS = {
    "string": "    FastOutput& operator<<(std::string_view text) { return write(text.data(), text.size()); }\n",
    "put": "    FastOutput& put(char c) { return *this << c; }\n",
    "manipulators": """\
    FastOutput& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
        std::ostream& (*const line_end)(std::ostream&) = std::endl;
        return manipulator == line_end ? *this << '\\n' : *this;
    }
""",
    "float": """\
    int digits = 6;
    bool is_fixed = false;
    template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
    FastOutput& operator<<(T value) {
        char text[5200];
        const auto form = is_fixed ? std::chars_format::fixed : std::chars_format::general;
        return write(text, std::to_chars(text, text + sizeof text, value, form, digits).ptr - text);
    }
    FastOutput& operator<<(std::ios_base& (*manipulator)(std::ios_base&)) {
        is_fixed = manipulator == std::fixed;
        return *this;
    }
    FastOutput& operator<<(decltype(std::setprecision(0)) wanted) {
        digits = wanted._M_n;
        return *this;
    }
    void precision(int wanted) { digits = wanted; }
""",
    "fixed": """\
    FastOutput& fixed(double value, int digits) {
        char text[400];
        return write(text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr - text);
    }
""",
}

_OUTPUT_HEADERS = {
    "string": ("string_view",),
    "manipulators": ("ostream",),
    "float": ("ios", "iomanip", "ostream"),
}


def block_output(parts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The class and its object ``fast_out``, and the headers it needs."""
    wanted = [part for part in _OUTPUT_PARTS if part in set(parts)]
    headers = ["charconv", "cstdio", "cstring", "type_traits"]
    headers += [header for part in wanted for header in _OUTPUT_HEADERS.get(part, ())]
    body = _OUTPUT_HEAD + "".join(_OUTPUT_PARTS[part] for part in wanted)
    return f"{body}}} fast_out;", tuple(dict.fromkeys(headers))

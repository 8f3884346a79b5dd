"""The C++ that the readers and writers families put into a program: block input and output.

``FastInput`` fails, ends and saturates as ``std::cin`` does, so that a program behaves the same on
malformed input; ``FastOutput`` prints the same digits as ``std::cout``. Each program gets only the parts
that its types need. Both need C++17.
"""

from __future__ import annotations

from collections.abc import Iterable

_STDIN_HEAD = """\
// Reads standard input in blocks; fails, ends and saturates like std::cin.
class FastInput {
    char buffer[1 << 16];
    char *at = buffer, *last = buffer;
    bool failed = false, ended = false;

    int look() {
        if (at == last) {
            at = buffer;
            last = buffer + std::fread(buffer, 1, sizeof buffer, stdin);
            if (at == last) return -1;
        }
        return static_cast<unsigned char>(*at);
    }
"""

_TEXT_HEAD = """\
// Reads a string in place; fails, ends and saturates like std::istringstream.
class FastText {
    std::string text;
    char *at = text.data(), *last = at + text.size();
    bool failed = false, ended = false;

    int look() { return at == last ? -1 : static_cast<unsigned char>(*at); }
"""

_TEXT_MAKING = """\
    FastText() = default;
    explicit FastText(std::string from) : text(std::move(from)) {}
    FastText(const FastText&) = delete;
    void str(std::string from) {
        text = std::move(from);
        at = text.data();
        last = at + text.size();
    }
"""

_INPUT_HEAD = """\
    static bool blank(int c) { return c == ' ' || (c >= '\\t' && c <= '\\r'); }
    bool ready() {
        if (failed || ended) return failed = true, false;
        int c = look();
        while (blank(c)) ++at, c = look();
        if (c < 0) failed = ended = true;
        return c >= 0;
    }

public:
    explicit operator bool() const { return !failed; }
    template <class T, std::enable_if_t<std::is_integral_v<T> && (sizeof(T) > 1), int> = 0>
    CLASS& operator>>(T& value) {
        if (!ready()) return *this;
        int c = look();
        const bool minus = c == '-';
        if (minus || c == '+') ++at, c = look();
        unsigned long long limit = std::numeric_limits<T>::max(), whole = 0;
        if (minus && std::is_signed_v<T>) ++limit;
        bool any = false, over = false;
        for (; c >= '0' && c <= '9'; ++at, c = look()) {
            const unsigned digit = c - '0';
            over = over || whole > (limit - digit) / 10;
            whole = whole * 10 + digit;
            any = true;
        }
        ended = c < 0;
        failed = !any || over;
        if (over) whole = limit;
        value = static_cast<T>(minus && !(over && std::is_unsigned_v<T>) ? 0 - whole : whole);
        return *this;
    }
"""

_INPUT_PARTS = {
    "char": """\
    CLASS& operator>>(char& value) {
        if (ready()) value = *at++;
        return *this;
    }
""",
    "string": """\
    CLASS& operator>>(std::string& value) {
        if (!ready()) return *this;
        value.clear();
        int c = look();
        while (c >= 0 && !blank(c)) {
            char* from = at;
            while (at != last && !blank(static_cast<unsigned char>(*at))) ++at;
            value.append(from, at);
            c = look();
        }
        ended = c < 0;
        return *this;
    }
""",
    "float": """\
    template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
    CLASS& operator>>(T& value) {
        if (!ready()) return *this;
        std::string text;
        bool digits = false, point = false, power = false;
        int c = look();
        for (; c >= 0; ++at, c = look()) {
            if (c >= '0' && c <= '9') digits = true;
            else if (c == '.' && !point && !power) point = true;
            else if ((c == 'e' || c == 'E') && digits && !power) power = true;
            else if ((c != '-' && c != '+') || !(text.empty() || text.back() == 'e' || text.back() == 'E')) break;
            text += static_cast<char>(c);
        }
        ended = c < 0;
        const char *from = text.data(), *to = from + text.size();
        if (from != to && *from == '+') ++from;
        value = 0;
        const auto [stop, error] = std::from_chars(from, to, value);
        if (error == std::errc::result_out_of_range) {
            const long double exact = std::strtold(from, nullptr);
            value = static_cast<T>(exact);
            if (std::isinf(value)) {
                value = std::copysign(std::numeric_limits<T>::max(), value);
                failed = true;
            }
        } else if (error != std::errc() || stop != to) {
            value = 0;
            failed = true;
        }
        return *this;
    }
""",
    "ws": """\
    CLASS& operator>>(std::istream& (*)(std::istream&)) {
        if (failed || ended) return failed = true, *this;
        int c = look();
        while (blank(c)) ++at, c = look();
        ended = c < 0;
        return *this;
    }
""",
    "getline": """\
    friend CLASS& getline(CLASS& in, std::string& value, char end = '\\n') {
        if (in.failed || in.ended) return in.failed = true, in;
        value.clear();
        bool any = false;
        for (int c = in.look();; c = in.look()) {
            if (c < 0) {
                in.ended = true;
                in.failed = !any;
                return in;
            }
            any = true;
            char* from = in.at;
            auto* stop = static_cast<char*>(std::memchr(from, end, in.last - from));
            in.at = stop ? stop + 1 : in.last;
            value.append(from, stop ? stop : in.last);
            if (stop) return in;
        }
    }
""",
    "eof": "    bool eof() const { return ended; }\n",
    "fail": "    bool fail() const { return failed; }\n",
    "good": "    bool good() const { return !failed && !ended; }\n",
    "clear": "    void clear() { failed = ended = false; }\n",
    "get": """\
    int get() {
        if (failed || ended) return failed = true, -1;
        const int c = look();
        if (c < 0) failed = ended = true;
        else ++at;
        return c;
    }
    CLASS& get(char& value) {
        const int c = get();
        if (c >= 0) value = static_cast<char>(c);
        return *this;
    }
""",
    "peek": """\
    int peek() {
        if (failed || ended) return failed = true, -1;
        const int c = look();
        if (c < 0) ended = true;
        return c;
    }
""",
    "ignore": """\
    CLASS& ignore(std::streamsize most = 1, int end = -1) {
        if (failed || ended) return failed = true, *this;
        for (std::streamsize i = 0; i < most || most == std::numeric_limits<std::streamsize>::max(); ++i) {
            const int c = look();
            if (c < 0) return ended = true, *this;
            ++at;
            if (c == end) break;
        }
        return *this;
    }
""",
    "scan": """\
    int getc() {
        const int c = look();
        if (c >= 0) ++at;
        return c;
    }
    template <class... T>
    int scan(T&&... targets) {
        int count = 0;
        failed = ended = false;
        (void)((((*this >> targets), failed ? false : (++count, ended = false, true)) && ...));
        return count == 0 && ended ? -1 : count;
    }
""",
    "token": """\
    struct Token {
        char* text;
    };
    CLASS& operator>>(Token token) {
        if (!ready()) return *this;
        for (int c = look(); c >= 0 && !blank(c); c = look()) *token.text++ = static_cast<char>(c), ++at;
        *token.text = 0;
        return *this;
    }
""",
}

_PART_HEADERS = {
    "float": ("charconv", "cmath", "string"),
    "string": ("string",),
    "getline": ("cstring", "string"),
    "ignore": ("ios",),
    "ws": ("istream",),
}

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


def _input(name: str, parts: Iterable[str], head: str, made: str) -> tuple[str, tuple[str, ...]]:
    wanted = [part for part in _INPUT_PARTS if part in set(parts)]
    headers = ["cstdio", "limits", "type_traits", *(h for part in wanted for h in _PART_HEADERS.get(part, ()))]
    if "float" in wanted:
        headers.append("cstdlib")
    body = _INPUT_HEAD.replace("public:\n", f"public:\n{made}") + "".join(_INPUT_PARTS[part] for part in wanted)
    return head + body.replace("CLASS", name), tuple(dict.fromkeys(headers))


def fast_input(parts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The class ``FastInput`` and its object ``fast_in``, and the headers it needs."""
    text, headers = _input("FastInput", parts, _STDIN_HEAD, "")
    return f"{text}}} fast_in;", headers


def fast_text(parts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The class ``FastText``, which reads a string as ``FastInput`` reads a file, and the headers it needs."""
    text, headers = _input("FastText", parts, _TEXT_HEAD, _TEXT_MAKING)
    return f"{text}}};", (*headers, "string", "utility")


def fast_output(parts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The class and its object ``fast_out``, and the headers it needs."""
    wanted = [part for part in _OUTPUT_PARTS if part in set(parts)]
    headers = ["charconv", "cstdio", "cstring", "type_traits"]
    headers += [header for part in wanted for header in _OUTPUT_HEADERS.get(part, ())]
    body = _OUTPUT_HEAD + "".join(_OUTPUT_PARTS[part] for part in wanted)
    return f"{body}}} fast_out;", tuple(dict.fromkeys(headers))

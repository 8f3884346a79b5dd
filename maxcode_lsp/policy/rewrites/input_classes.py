"""The C++ classes that the readers family puts into a program: input in blocks.

``FastInput`` fails, ends and saturates as ``std::cin`` does, so that a program behaves the same on
malformed input. Each program gets only the parts that its types need. They need C++17.
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
    bool converted(Token token) { return !(*this >> token).failed; }
""",
    "scan": """\
    int getc() {
        const int c = look();
        if (c >= 0) ++at;
        return c;
    }
    template <class T>
    bool converted(T& target) {
        T value{};
        *this >> value;
        if (!failed) target = value;
        return !failed;
    }
    template <class... T>
    int scan(T&&... targets) {
        int count = 0;
        failed = ended = false;
        (void)((converted(targets) && (++count, ended = false, true)) && ...);
        return count == 0 && ended ? -1 : count;
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


def _input(name: str, parts: Iterable[str], head: str, made: str) -> tuple[str, tuple[str, ...]]:
    wanted = [part for part in _INPUT_PARTS if part in set(parts)]
    headers = ["cstdio", "limits", "type_traits", *(h for part in wanted for h in _PART_HEADERS.get(part, ()))]
    if "float" in wanted:
        headers.append("cstdlib")
    body = _INPUT_HEAD.replace("public:\n", f"public:\n{made}") + "".join(_INPUT_PARTS[part] for part in wanted)
    return head + body.replace("CLASS", name), tuple(dict.fromkeys(headers))


_RAW_HEAD = """\
// Reads all of standard input at once; trusts that numbers are well formed.
class RawInput {
    std::string all;
    char *at, *last;
    bool failed = false, ended = false;

    int look() { return at == last ? -1 : static_cast<unsigned char>(*at); }
"""

_RAW_MAKING = """\
    RawInput() {
        std::size_t used = 0;
        for (std::size_t got = 1; got != 0; used += got) {
            all.resize(used + (1 << 20));
            got = std::fread(&all[used], 1, 1 << 20, stdin);
        }
        at = all.data();
        last = at + used;
        *last = 0;
    }
"""

_RAW_NUMBER = """\
        unsigned long long whole = 0;
        for (; *at >= '0'; ++at) whole = whole * 10 + (*at - '0');
        value = static_cast<T>(minus ? 0 - whole : whole);
        return *this;
    }
"""


def raw_input(parts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The class ``RawInput`` and its object ``raw_in``, which trust their input, and the headers they need."""
    text, headers = _input("RawInput", parts, _RAW_HEAD, _RAW_MAKING)
    start, end = (
        text.index("        unsigned long long limit"),
        text.index("        return *this;\n    }\n", text.index("if (over)")),
    )
    text = text[:start] + _RAW_NUMBER + text[end + len("        return *this;\n    }\n") :]
    return f"{text}}} raw_in;", (*headers, "string")


def block_input(parts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The class ``FastInput`` and its object ``fast_in``, and the headers it needs."""
    text, headers = _input("FastInput", parts, _STDIN_HEAD, "")
    return f"{text}}} fast_in;", headers


def text_input(parts: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The class ``FastText``, which reads a string as ``FastInput`` reads a file, and the headers it needs."""
    text, headers = _input("FastText", parts, _TEXT_HEAD, _TEXT_MAKING)
    return f"{text}}};", (*headers, "string", "utility")

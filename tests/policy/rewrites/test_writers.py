from __future__ import annotations

import pytest

from tests.policy.conftest import ProgramAlike

from .conftest import HoldsBack


def test_bulk_output_prints_like_cout(program_alike: ProgramAlike) -> None:
    text = """#include <iomanip>
#include <iostream>
#include <string>
int main() {
    std::ios::sync_with_stdio(false);
    unsigned char u = 'u';
    std::string s(70000, 'x');
    short h = -3;
    std::cout << 1 << ' ' << -5LL << ' ' << 18446744073709551615ULL << true << 'c' << u << h;
    std::cout << "text" << s << std::endl;
    std::cout << 0.1 << ' ' << 1e20 << ' ' << 100000.0 << ' ' << 1234567.0f << ' ' << 1.0 / 3 << ' ' << -0.0 << '\\n';
    std::cout << std::fixed << std::setprecision(3) << 2.0 / 3 << ' ' << 1e15 << ' ' << 2.5L << std::flush << '\\n';
    for (int i = 0; i < 20000; ++i) std::cout << i << ' ';
    std::cout.put('z').flush();
}
"""
    changed = program_alike("bulk-output", text)
    assert "std::cout" not in changed.split("int main")[1]


def test_printf_writer(program_alike: ProgramAlike) -> None:
    text = """#include <cstdio>
int main() {
    long l = -7; char s[] = "word"; double d = 2.5;
    for (int i = -2; i < 3; ++i) printf("%d: %ld %lld %u 100%%\\n", i, l, 1LL << 40, 5u);
    printf("%s|%c|%.2f|%lf\\n", s, 'q', d, 1 / 3.0);
    printf("%.0f%.3lf\\n", 0.5, 2e10);
    puts("line");
    putchar('x');
    printf("plain\\n");
}
"""
    changed = program_alike("printf-writer", text)
    assert "printf" not in changed.split("int main")[1]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("bulk-output", "#include <iostream>\nint main() { std::cout << std::setw(3) << 1; }"),
        ("bulk-output", "#include <iostream>\nint main() { std::ostream& o = std::cout; o << 1; }"),
        ("bulk-output", '#include <iostream>\nint main() { std::cout << 1; printf("2"); }'),
        ("bulk-output", "#include <iostream>\nint main() { std::cout << 1; _exit(0); }"),
        ("printf-writer", '#include <cstdio>\nint main() { printf("%5d", 1); }'),
        ("printf-writer", '#include <cstdio>\nint main() { int n = printf("%d", 1); }'),
        ("printf-writer", '#include <cstdio>\nint main() { printf("%d"); }'),
        ("printf-writer", '#include <cstdio>\nint main() { printf("%d", 1); fputs("x", stdout); }'),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)

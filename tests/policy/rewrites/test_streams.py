from __future__ import annotations

import pytest

from tests.policy.conftest import ProgramAlike

from .conftest import HoldsBack

COUNT = """#include <iostream>
int main() {
    int n = 0;
    while (std::cin >> n) {
        std::cout << n * 2 << ' ' << n << std::endl;
    }
    if (n > 1) std::cout.flush();
    std::cout << "end" << std::endl << std::flush;
}
"""


def test_stream_sync(program_alike: ProgramAlike) -> None:
    changed = program_alike("stream-sync", COUNT, "1 2 3\n")
    assert "{\n    std::ios::sync_with_stdio(false);\n    std::cin.tie(nullptr);\n    int n" in changed


def test_endl_becomes_a_line_end(program_alike: ProgramAlike) -> None:
    changed = program_alike("endl-newline", COUNT, "4 5")
    assert "endl" not in changed


def test_flushes_go(program_alike: ProgramAlike) -> None:
    changed = program_alike("flush-removal", COUNT, "4 5")
    assert "flush" not in changed


def test_flushes_of_stdio_go(program_alike: ProgramAlike) -> None:
    text = """#include <cstdio>
int main() {
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 0; i < 3; ++i) {
        printf("%d\\n", i);
        fflush(stdout);
    }
    for (int i = 0; i < 2; ++i) fflush(stdout);
}
"""
    changed = program_alike("flush-removal", text)
    assert "fflush" not in changed
    assert "_IONBF" not in changed


def test_macro_for_endl(program_alike: ProgramAlike) -> None:
    text = "#include <iostream>\n#define nl std::endl\nint main() { std::cout << 1 << nl; }\n"
    assert "#define nl  '\\n'" in program_alike("endl-newline", text)


def test_tie_alone_where_input_and_output_are_mixed(program_alike: ProgramAlike) -> None:
    text = """#include <cstdio>
#include <iostream>
int main() {
    int n;
    while (std::cin >> n) { std::cout << n << '\\n'; printf("%d\\n", n); }
}
"""
    assert "sync" not in program_alike("stream-tie", text, "1 2")


def test_unlocked_characters(program_alike: ProgramAlike) -> None:
    text = """#include <cstdio>
int main() {
    int c;
    while ((c = getchar()) != EOF) putchar(c == 'a' ? 'b' : c);
}
"""
    changed = program_alike("unlocked-characters", text, "banana\n")
    assert "getchar_unlocked()" in changed
    assert "putchar_unlocked(" in changed


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("stream-sync", '#include <iostream>\n#include <cstdio>\nint main() { std::cout << 1; printf("2"); }'),
        ("stream-sync", "#include <iostream>\nint main() { std::ios::sync_with_stdio(false); std::cout << 1; }"),
        ("stream-sync", "#include <iostream>\nvoid f() { std::cout << 1; }"),
        ("stream-tie", "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n; }"),
        ("endl-newline", "#include <iostream>\nint main() { std::cerr << 1 << std::endl; }"),
        ("endl-newline", "#include <iostream>\nint main() { std::cout << 1 << std::endl; abort(); }"),
        ("endl-newline", "#include <iostream>\n#define endl '\\n'\nint main() { std::cout << 1 << endl; }"),
        ("flush-removal", "#include <cstdio>\nint main() { fflush(stderr); }"),
        ("flush-removal", '#include <cstdio>\nint main() { printf("a"); fflush(stdout); fork(); }'),
        ("unlocked-characters", "#include <cstdio>\n#include <thread>\nint main() { std::thread t; putchar('a'); }"),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)

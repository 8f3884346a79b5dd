from __future__ import annotations

import pytest

from maxcode_lsp.executor.admit import refuse

ORIGINAL = b"""#include <iostream>
int main() { long n; std::cin >> n; std::cout << n * 2 << std::endl; }
"""
ANSWERS = [b"84621\n", b"3.14159 hello\n"]


def changed(text: str) -> bytes:
    return ORIGINAL.replace(b"long n;", text.encode() + b" long n;")


@pytest.mark.parametrize(
    "text",
    [
        "fork();",
        'std::system("true");',
        "auto t = clock();",
        "std::this_thread::sleep_for(1s);",
        'std::ifstream f("x");',
        'asm volatile("nop");',
        '__asm__("nop");',
        "if (n == 1) { std::cout << 84621; return 0; }",
        'if (n == 1) { std::puts("84621"); return 0; }',
        'const char* p = "/proc/self/fd/1";',
        'const char* p = "../secret.out";',
        'auto e = getenv("X");',
        "ptrace(0, 0, 0, 0);",
        "const char* d = __TIME__;",
    ],
)
def test_what_a_faster_computation_has_no_need_of(text: str) -> None:
    assert refuse(ORIGINAL, changed(text), ANSWERS) is not None


@pytest.mark.parametrize(
    "line",
    [
        b'#include "/etc/passwd"\n',
        b'#include "other.h"\n',
        b"#include </etc/passwd>\n",
        b"#include <../x.h>\n",
        b'#pragma GCC optimize("Ofast")\n',
        b'#pragma GCC optimize("fast-math")\n',
        b"#define F fork\n",
        b"#define A asm\n",
        b'#embed "/etc/passwd"\n',
    ],
)
def test_directives(line: bytes) -> None:
    assert refuse(ORIGINAL, line + ORIGINAL, ANSWERS) is not None


@pytest.mark.parametrize(
    "text",
    [
        "std::ios::sync_with_stdio(false); std::cin.tie(nullptr);",
        "static char buffer[65536];",
        "if (n == 1000000) return 0;",
        "#pragma GCC unroll 4\n",
        "",
    ],
)
def test_honest_changes_pass(text: str) -> None:
    assert refuse(ORIGINAL, changed(text), ANSWERS) is None


def test_what_the_original_does_itself_is_its_own_business() -> None:
    original = b"#include <ctime>\nint main() { return clock() < 0; }\n"
    assert refuse(original, original.replace(b"return", b"return !"), []) is None
    assert refuse(original, original, []) is None


def test_standard_headers_may_be_added() -> None:
    assert refuse(ORIGINAL, b"#include <unordered_map>\n#include <bits/stdc++.h>\n" + ORIGINAL, ANSWERS) is None

from __future__ import annotations

import re

import pytest

from maxcode_lsp.policy.llm.replies.region import STANDARD_HEADERS, check_region

SHOWN = b'#include <vector>\n#include "own.h"\n#pragma STDC FENV_ACCESS ON\nint main() { asm("nop"); return 0; }\n'


def changed(line: str) -> str | None:
    return check_region(SHOWN, f"{line}\n".encode() + SHOWN)


@pytest.mark.parametrize(
    "line",
    [
        "#include <unordered_map>",
        "#  include <cstdint> // for int64_t",
        "#include <bits/stdc++.h>",
        "#include <ext/pb_ds/assoc_container.hpp>",
        "#include <immintrin.h>",
        '#include "own.h"',
        "#define FAST 1",
        "#ifdef FAST\n#endif",
        "#pragma GCC unroll 4",
        "#pragma omp parallel for",
        '#pragma GCC optimize("O3")',
        "#pragma once",
        "#pragma STDC   FENV_ACCESS ON",
        '__attribute__((target_clones("avx2", "default"))) int f() { return 1; }',
        'static const char *const said = "#include \\"other.h\\"";',
        "int target(int x) { return x; }",
    ],
)
def test_what_a_model_may_do(line: str) -> None:
    assert changed(line) is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('#include "vector"', '"vector"'),
        ("#include </etc/passwd>", "/etc/passwd"),
        ("#include <../own.h>", "../own.h"),
        ("#include <sys/ptrace.h>", "sys/ptrace.h"),
        ("#define HEADER <map>\n#include HEADER", "HEADER"),
        ("#inc\\\nlude <boost/a.hpp>", "boost"),
        ("# /* a */ include <boost/a.hpp>", "boost"),
        ('#import "own2.h"', "#import"),
        ("#include_next <vector>", "#include_next"),
        ('#line 3 "a.cpp"', "#line"),
        ('# 3 "a.cpp"', "#3"),
        ('#embed "a.bin"', "#embed"),
        ('%:include "a.h"', "%:"),
        ('#pragma GCC target("avx2")', "avx2"),
        ("#pragma STDC FP_CONTRACT ON", "FP_CONTRACT"),
        ('#pragma GCC plugin "a"', "plugin"),
        ('_Pragma("GCC target(\\"avx2\\")")', "_Pragma"),
        ('#define T _Pragma("GCC ivdep")', "_Pragma"),
        ('#define T __attribute__((target("avx2")))', "target"),
        ('__attribute__((__target__("avx2"))) int f() { return 1; }', "avx2"),
        ('[[gnu::target("avx2")]] int f() { return 1; }', "avx2"),
        ('asm(".incbin \\"a\\"");', "assembly"),
        ('void f() { __asm__ volatile("" ::: "memory"); }', "assembly"),
        ('#define A asm("nop")', "asm"),
    ],
)
def test_what_a_model_may_not_do(line: str, told: str) -> None:
    said = changed(line)
    assert said is not None
    assert told in said


def test_assembly_may_go_but_not_change() -> None:
    assert check_region(SHOWN, SHOWN.replace(b'asm("nop"); ', b"")) is None
    assert check_region(SHOWN, SHOWN.replace(b'"nop"', b'".incbin \\"x\\""')) is not None


def test_instructions_that_are_asked_for_first_are_fine() -> None:
    text = b'__attribute__((target("avx2"))) int f();\nint g() { return __builtin_cpu_supports("avx2") ? f() : 0; }\n'
    assert check_region(SHOWN, text + SHOWN) is None


def test_headers_are_written_as_they_are_included() -> None:
    assert {"vector", "cstdio", "stdio.h", "span"} <= STANDARD_HEADERS
    assert all(re.fullmatch(r"[\w/+]+(\.h)?", name) for name in STANDARD_HEADERS)

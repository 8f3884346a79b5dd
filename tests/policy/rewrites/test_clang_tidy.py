from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from maxcode_lsp.executor.sandbox import Command, Exit, Mount, Sandbox, open_sandbox
from maxcode_lsp.policy.rewrites import clang_tidy
from maxcode_lsp.policy.rewrites.clang_tidy import ClangTidy, clang_flags, parse_fixes, tidy_report
from maxcode_lsp.policy.rewrites.combine import apply

TEXT = """#include <string>
#include <vector>
#include "part.hpp"
// é before it: offsets are bytes
int total(std::vector<std::string> names) {
    int sum = PART;
    for (auto name : names) sum += name.size();
    return sum;
}
int main() { return total({"a"}); }
"""


async def run_tool(mounts: tuple[Mount, ...], command: Callable[[Sandbox], Command]) -> Exit:
    box = await open_sandbox(mounts, toolchain=True, memory_bytes=3 << 30)
    try:
        return await box.run(command(box))
    finally:
        await box.close()


async def test_fixes_of_the_real_tool():
    text = TEXT.encode()
    files = {"in/a.cpp": text, "in/part.hpp": b"#pragma once\n#define PART 0\n"}
    tidy = ClangTidy("in/a.cpp", files, ("-O3", "-std=c++20", "-fipa-pta", "-march=native"), run_tool)
    report = await tidy.report(text)
    assert report.notes == ()
    by_check = {remark.check: remark for remark in report.remarks}
    loop = by_check["performance-for-range-copy"]
    assert loop.line == 7
    assert b"for (const auto& name : names)" in apply(text, loop.hunks)
    value = by_check["performance-unnecessary-value-param"]
    assert b"total(const std::vector<std::string>& names)" in apply(text, value.hunks)
    assert await tidy.report(text) is report
    await tidy.close()


async def test_code_that_does_not_compile_is_a_note():
    report = await tidy_report("a.cpp", {"a.cpp": b"int main() { return x; }\n"}, (), run_tool)
    assert report.remarks == ()
    assert "undeclared identifier 'x'" in report.notes[0]


async def test_missing_tool_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang_tidy, "find_clang_tidy", lambda: None)
    report = await tidy_report("a.cpp", {"a.cpp": b"int main() {}\n"}, (), run_tool)
    assert report.remarks == ()
    assert "pip install clang-tidy" in report.notes[0]


def test_only_flags_that_change_the_meaning_are_passed_on():
    given = (
        "-O3",
        "-std=gnu++20",
        "-DA=1",
        "-I",
        "inc",
        "-Iother",
        "-fopenmp",
        "-fipa-pta",
        "-march=native",
        "-Wall",
        "-D",
    )
    kept = clang_flags(given)
    assert kept[-5:] == ("-DA=1", "-I", "inc", "-Iother", "-fopenmp")
    assert "-std=gnu++20" in kept
    assert not {"-O3", "-fipa-pta", "-march=native", "-Wall"} & set(kept)


EXPORT = b"""noise
---
MainSourceFile: '/src/a.cpp'
Diagnostics:
  - DiagnosticName: performance-noexcept-move-constructor
    DiagnosticMessage:
      Message: 'mark it'
      FilePath: '/src/a.cpp'
      FileOffset: 4
      Replacements:
        - {FilePath: '/src/a.cpp', Offset: 4, Length: 1, ReplacementText: 'x'}
        - {FilePath: '/src/a.cpp', Offset: 0, Length: 0, ReplacementText: "\\n#include <utility>\\n"}
  - DiagnosticName: performance-elsewhere
    DiagnosticMessage: {Message: m, FilePath: '/src/b.hpp', FileOffset: 0, Replacements: []}
  - DiagnosticName: performance-outside
    DiagnosticMessage:
      Message: m
      FilePath: '/src/a.cpp'
      FileOffset: 1
      Replacements:
        - {FilePath: '/src/b.hpp', Offset: 4, Length: 1, ReplacementText: 'x'}
...
"""


def test_reading_the_export():
    mark, outside = parse_fixes(EXPORT, "a.cpp", b"abcdefgh")
    assert (outside.check, outside.hunks) == ("performance-outside", ())
    assert apply(b"abcdefgh", mark.hunks) == b"#include <utility>\nabcdxfgh"
    [again, _] = parse_fixes(EXPORT, "a.cpp", b"abcdefgh\n#include <utility>\n")
    assert len(again.hunks) == 1


def test_damaged_exports_give_nothing():
    assert parse_fixes(b"", "a.cpp", b"") == ()
    assert parse_fixes(b"---\nMainSourceFile: [", "a.cpp", b"") == ()
    assert parse_fixes(b"---\nMainSourceFile: x\nDiagnostics: 3\n", "a.cpp", b"") == ()
    assert parse_fixes(b"---\nMainSourceFile: x\nDiagnostics: [{DiagnosticName: a}]\n", "a.cpp", b"") == ()


async def test_the_sandbox_can_read_the_files_under_a_closed_umask():
    before = os.umask(0o077)
    try:
        files = {"in/a.cpp": TEXT.encode(), "in/part.hpp": b"#pragma once\n#define PART 0\n"}
        report = await tidy_report("in/a.cpp", files, ("-std=c++20",), run_tool)
    finally:
        os.umask(before)
    assert report.notes == ()
    assert "performance-for-range-copy" in {remark.check for remark in report.remarks}

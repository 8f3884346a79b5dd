from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from maxcode_lsp.executor.binary import OUTSIDE_IMPORTS, imports, uses_threads

PLAIN = """#include <iostream>
#include <regex>
#include <fstream>
int main() { int n; std::cin >> n; std::ifstream f("x"); std::regex r("a"); std::cout << n << std::endl; throw n; }
"""
THREAD = "#include <thread>\nint main() { std::thread t([] {}); t.join(); }\n"
PTHREAD = """#include <pthread.h>
static void* f(void* x) { return x; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }
"""
FUTURE = """#include <future>
int main() { return std::async(std::launch::async, [] { return 0; }).get(); }
"""
OPENMP = """#include <cstdio>
int main() {
    int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 100; i++) s += i;
    std::printf("%d", s);
}
"""


def build(folder: Path, text: str, *flags: str) -> bytes:
    (folder / "a.cpp").write_text(text)
    subprocess.run(["g++", "-O1", "-w", *flags, "a.cpp", "-o", "a"], cwd=folder, check=True, timeout=120)
    return (folder / "a").read_bytes()


LINKING = pytest.mark.parametrize(
    "linking", [("-static", "-pthread"), ("-pthread",), ("-static-libstdc++", "-static-libgcc"), ("-static", "-pie")]
)


@LINKING
@pytest.mark.parametrize("text", [THREAD, PTHREAD, FUTURE, OPENMP], ids=["thread", "pthread", "future", "openmp"])
def test_threads_are_seen_however_it_is_linked(tmp_path: Path, text: str, linking: tuple[str, ...]) -> None:
    program = build(tmp_path, text, *linking, *(("-fopenmp",) if text is OPENMP else ()))
    assert uses_threads(program)
    assert not imports(program) & OUTSIDE_IMPORTS


@LINKING
def test_a_plain_program_uses_none(tmp_path: Path, linking: tuple[str, ...]) -> None:
    program = build(tmp_path, PLAIN, *linking)
    assert not uses_threads(program)
    assert not imports(program) & OUTSIDE_IMPORTS


@LINKING
@pytest.mark.parametrize("call", ['system("x")', "fork()", 'execl("x", "x", nullptr)', 'popen("x", "r") != nullptr'])
def test_reaching_outside_is_seen_however_it_is_linked(tmp_path: Path, call: str, linking: tuple[str, ...]) -> None:
    text = f"#include <cstdlib>\n#include <cstdio>\n#include <unistd.h>\nint main() {{ return {call}; }}\n"
    program = build(tmp_path, text, *linking)
    assert call.split("(", maxsplit=1)[0] in imports(program) & OUTSIDE_IMPORTS


@pytest.mark.parametrize(
    ("declared", "called", "expected"),
    [
        ("namespace tbb::detail::r1 { void spawn(int); }", "tbb::detail::r1::spawn(1)", True),
        ("namespace tbb { struct arena { void run() const; }; }", "tbb::arena().run()", True),
        ("namespace n { struct tbb {}; void f(tbb); }", "n::f({})", False),
        ("void htbb(int);", "htbb(1)", False),
        ("void tbb(int);", "tbb(1)", False),
        ("namespace tbb_of_mine { void run(int); }", "tbb_of_mine::run(1)", False),
        ("namespace ns3tbb { void f(int); }", "ns3tbb::f(1)", False),
        ("void my_pthread_create(int);", "my_pthread_create(1)", False),
    ],
)
def test_names_are_matched_precisely(tmp_path: Path, declared: str, called: str, expected: bool) -> None:
    library = build(tmp_path, f"{declared}\nvoid start() {{ {called}; }}\n", "-shared", "-fPIC")
    assert uses_threads(library) is expected


@pytest.mark.parametrize("data", [b"", b"#!/bin/sh\n", b"\x7fELF", b"\x7fELF" + b"\xff" * 200])
def test_what_is_no_program_has_no_names(data: bytes) -> None:
    assert imports(data) == frozenset()
    assert not uses_threads(data)

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.errors import Refused
from maxcode_lsp.target.program import Language, ProgramFacts, find_program, language_of, mask, read_program
from maxcode_lsp.text.source import SourceText

HERE = Path("/nowhere/solve.cpp")


def facts(text: str | bytes, path: Path = HERE) -> ProgramFacts:
    return find_program(SourceText(text if isinstance(text, bytes) else text.encode()), path)


@pytest.mark.parametrize(
    "text",
    [
        "int main() { }",
        "int main(int argc, char **argv) { return 0; }",
        "auto main() -> int { }",
        "int main(void) try { } catch (...) { }",
        'extern "C" int main() { }',
        "#ifdef LOCAL\nint main() { }\n#else\nint other() { }\n#endif\n",
        "#if 0\nint f();\n#else\nint main() { }\n#endif\n",
        "#define ENTRY int main()\nENTRY { }\n",
        "#define main real_main\nint main() { }\n",
        '#include "bench.h"\nBENCHMARK_MAIN();\n',
        "signed main() { }",
        "main() { }",
        "int\nmain\n(\n)\n{ }",
        "void f() { if (1) {\nint main() { }\n",
        b"\xef\xbb\xbf// \xe9\r\nint main() { }\r\n",
    ],
)
def test_programs(text: str | bytes) -> None:
    assert facts(text).language is Language.CPP


@pytest.mark.parametrize(
    "text",
    [
        "int f() { }",
        '// int main() { }\n/* int main() {} */ const char *s = "int main() { }";',
        "struct S { int main() { return 1; } };",
        "namespace n { int main() { return 1; } }",
        "int main();",
        "extern int main(int, char **);",
        "int domain() { return 1; } int main2() { return 2; }",
        "#if 0\nint main() { }\n#endif\n",
        "int f() { return app.main(); }",
    ],
)
def test_no_main(text: str) -> None:
    with pytest.raises(Refused, match="has no main function"):
        facts(text)


@pytest.mark.parametrize(
    "body",
    [
        "int x; std::cin >> x;",
        "std::wcin.get();",
        'int x; scanf("%d", &x);',
        "while (getchar() != EOF) { }",
        "getchar_unlocked();",
        "fread(b, 1, 9, stdin);",
        "std::string s; std::getline(std::cin, s);",
        "std::istreambuf_iterator<char> it(std::cin);",
        "read(0, b, 9);",
        "::read( 0 , b, 9);",
        "read(STDIN_FILENO, b, 9);",
        "fstat(0, &st);",
        "auto p = mmap(nullptr, n, PROT_READ, MAP_PRIVATE, 0, 0);",
        "syscall(0, 0, b, 9);",
        'std::ifstream in("/dev/stdin");',
    ],
)
def test_reads_standard_input(body: str) -> None:
    assert facts(f"int main() {{ {body} }}").reads_stdin


@pytest.mark.parametrize(
    "body",
    [
        "std::cout << 1;",
        "// cin >> x",
        'puts("cin stdin scanf getchar");',
        "file.read(0, 9);",
        "tree->read(0);",
        'sscanf(text, "%d", &x);',
        "int coin = 1;",
        'fscanf(f, "%d", &x);',
    ],
)
def test_reads_nothing(body: str) -> None:
    assert not facts(f"int main() {{ {body} }}").reads_stdin


def test_a_macro_that_reads() -> None:
    assert facts('#define GET(x) scanf("%d", &x)\nint main() { int x; GET(x); }').reads_stdin


def test_own_headers_are_looked_through(tmp_path: Path) -> None:
    (tmp_path / "io.h").write_text('#include "deeper/fast.h"\n#include "io.h"\n')
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "fast.h").write_text("inline int next() { return getchar(); }\n")
    text = '#include "io.h"\n#include "missing.h"\nint main() { return next(); }\n'
    assert facts(text, tmp_path / "a.cpp").reads_stdin
    (tmp_path / "deeper" / "fast.h").write_text("inline int next() { return 1; } // getchar()\n")
    assert not facts(text, tmp_path / "a.cpp").reads_stdin


def test_arguments() -> None:
    assert facts("int main(int argc, char *argv[]) { return atoi(argv[1]); }").uses_arguments
    assert facts("int main(int n, char **) { return n; }").uses_arguments
    assert not facts("int main(int argc, char **argv) { /* argv */ return 0; }").uses_arguments
    assert not facts("int main(void) { return 0; }").uses_arguments


def test_syntax_trouble_is_noted_with_its_line() -> None:
    assert facts("int main() { return 0; }\n").syntax_trouble is None
    trouble = facts("int main() {\n    return 0;\n    int = = 3;\n}\n").syntax_trouble
    assert trouble is not None and trouble.line == 3 and trouble.text == "int = = 3;"
    missing = facts("int main() {\n    return 0\n}\n").syntax_trouble
    assert missing is not None and missing.line in (2, 3)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \r\n\n", "is empty"),
        ("int main() { }".encode("utf-16"), "zero bytes"),
        (b"int main() { }" + b" " * 2_000_000, "larger than 2 MB"),
    ],
)
def test_refused(raw: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said):
        facts(raw)


def test_languages() -> None:
    assert language_of(Path("a.c")) is Language.C
    assert language_of(Path("a.C")) is language_of(Path("a b.cc")) is Language.CPP
    for name in ("a.h", "a.hpp", "a.py", "a", "a.cu", ".cpp"):
        with pytest.raises(Refused, match="is not a C or C\\+\\+ source file"):
            language_of(Path(name))


def test_reading_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mit Leerzeichen ü.cpp"
    file.write_bytes(b"int main() { }\r\n")
    assert read_program(file).data == b"int main() { }\n"
    os.mkfifo(tmp_path / "pipe.cpp")
    (tmp_path / "folder.cpp").mkdir()
    (tmp_path / "large.cpp").write_bytes(b" " * 2_000_001)
    for name, said in (
        ("pipe.cpp", "not an ordinary file"),
        ("folder.cpp", "not an ordinary file|cannot be read"),
        ("missing.cpp", "cannot be read: No such file"),
        ("large.cpp", "larger than 2 MB"),
        ("x.txt", "not a C or C"),
    ):
        with pytest.raises(Refused, match=said):
            read_program(tmp_path / name)


@pytest.mark.parametrize("text", ["(" * 5000, "{" * 400_000])
def test_nesting_is_bounded(text: str) -> None:
    with pytest.raises(Refused, match="brackets inside each other"):
        facts(f"int main() {{ {text} }}")


def test_mask_keeps_offsets_and_lines() -> None:
    text = b"""int a = 1'000'000; // it's \\
still
char c = '"', d = u8'a'; /* "
*/ auto s = R"x(cin )" )x"; auto FooR = "\\"cin"; f(0xAB'CD, 'x');
#include <cin>
"""
    masked = mask(text)
    assert len(masked) == len(text) and masked.count(b"\n") == text.count(b"\n")
    words = masked.split()
    assert (
        words
        == (b"int a = 1'000'000; char c = , d = u8 ; auto s = ; auto FooR = ; f(0xAB'CD, ); #include <cin>").split()
    )


PIECES = st.sampled_from(
    [
        "int main",
        "(",
        ")",
        "{",
        "}",
        "#if 0\n",
        "#endif\n",
        "/*",
        "*/",
        '"',
        "'",
        'R"(',
        "cin",
        ">>",
        "x",
        ";",
        "\n",
        "\\\n",
        "é",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_text_gets_facts_or_a_refusal(text: str) -> None:
    found: ProgramFacts | None = None
    with suppress(Refused):
        found = facts(text)
    if found is not None and found.syntax_trouble is not None:
        assert 1 <= found.syntax_trouble.line <= text.count("\n") + 1

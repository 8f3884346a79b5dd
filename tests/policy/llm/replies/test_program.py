from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.policy.llm.replies.program import Program, flaw

SHOWN = Program((Path(__file__).parents[3] / "replies" / "shown" / "count.cpp").read_bytes())
BODY = b"    long sum = 0;\n"


def said(text: bytes, shown: Program = SHOWN) -> str:
    found = flaw(Program(text), shown)
    return found.complaint if found is not None else ""


@pytest.mark.parametrize(
    "comment",
    [
        "// ...",
        "// ... rest of the code ...",
        "/* … existing code … */",
        "// ...same as before",
        "// Rest of the code...",
        "// other functions...",
        "// The remaining methods and helper functions…",
    ],
)
def test_a_comment_that_stands_for_code_is_told(comment: str) -> None:
    assert comment in said(SHOWN.data.replace(BODY, f"    {comment}\n".encode()))


@pytest.mark.parametrize(
    "comment",
    [
        "// read the rest of the words",
        "// the same as a loop over all, but faster",
        "// counts[word] is unchanged here",
        "// sums up, hashes, ... and so on",
        "// other words are not counted",
        "// keys 1, 2, ..., n",
        "// this function is unchanged",
    ],
)
def test_a_comment_about_code_that_is_there_is_none(comment: str) -> None:
    assert said(SHOWN.data.replace(BODY, f"    {comment}\n".encode() + BODY)) == ""


def test_where_code_is_gone_less_is_taken_for_leaving_out() -> None:
    gone = SHOWN.data.replace(b"static std::string lower", b"// lower is unchanged\nstatic std::string small")
    assert "lower is unchanged" in said(gone)
    alone = SHOWN.data.replace(b"    return text;\n", b"    if (text.empty()) { /* unchanged */ }\n    return text;\n")
    assert "unchanged" in said(alone)


def test_what_was_odd_may_stay_odd() -> None:
    both = b"#ifdef A\n    if (n) {\n#else\n    if (q) {\n#endif\n        return 0; }\n"
    odd = SHOWN.data.replace(b"    return 0;\n", both)
    assert said(odd)
    assert said(odd.replace(b"std::endl", b"'\\n'"), Program(odd)) == ""
    assert said(odd.removesuffix(b"}\n"), Program(odd))


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (b"static long total(", b"static long all(", "total"),
        (
            b"static std::string lower(std::string text) {",
            b"static std::string lower(std::string);\nint f() {",
            "lower",
        ),
    ],
)
def test_what_is_used_must_be_there(old: bytes, new: bytes, name: str) -> None:
    assert f"uses {name}, but no longer defines it" in said(SHOWN.data.replace(old, new))


@pytest.mark.parametrize(
    "new",
    [
        b"static const auto total = [](const std::map<std::string, int> &counts) {",
        b"#define total(counts) sum(counts)\nstatic long sum(std::map<std::string, int> counts) {",
        b"template <class M>\nstatic long total(const M &counts) {",
        b"namespace { long total(std::map<std::string, int> counts) { return 0; } }\nlong other(int counts) {",
    ],
)
def test_it_may_be_there_in_another_form(new: bytes) -> None:
    text = SHOWN.data.replace(b"static long total(std::map<std::string, int> counts) {", new)
    if b"[]" in new:
        text = text.replace(b"return sum;\n}", b"return sum;\n};")
    assert said(text) == ""


def test_a_type_that_is_gone_is_told() -> None:
    batch, kind, main = (
        b"struct Batch { int n; };\n",
        b"enum Kind { A };\n",
        b"int main() { Batch b{1}; Kind k = A; }\n",
    )
    shown = Program(batch + kind + main)
    assert "uses Batch" in said(kind + main, shown)
    assert "uses Kind" in said(b"using Batch = int;\n" + main, shown)
    assert said(b"using Batch = int;\n" + kind + main, shown) == ""


@pytest.mark.parametrize(
    ("text", "main"),
    [
        (b"int main() {}", True),
        (b"int main(int argc, char **argv)\n{\n}", True),
        (b"auto main() -> int { return 0; }", True),
        (b"int main() try { return 0; } catch (...) {}", True),
        (b"int main();", False),
        (b"fn main() {}", False),
        (b"func main() {}", False),
        (b"class A { static void main(String[] a) { } };", False),
        (b"void f() { main(); }", False),
        (b"// int main() {}", False),
    ],
)
def test_main(text: bytes, main: bool) -> None:
    assert Program(text).has_main is main


@pytest.mark.parametrize(
    ("text", "bracket"),
    [
        (b"f(a[1]{2});", (b"", False)),
        (b"int main() { /* } ", (b"/*", True)),
        (b'int main() { \'{\'; "{"; R"(})"; }', (b"", False)),
        (b'int main() { x = R"ab( }', (b'R"', True)),
        (b"#if A\nint x;\n", (b"#if", True)),
        (b"int x;\n#endif\n", (b"#endif", False)),
        (b"int f(] {", (b"]", False)),
    ],
)
def test_brackets(text: bytes, bracket: tuple[bytes, bool]) -> None:
    assert Program(text).bracket == bracket

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.text.tokens import stay_apart, tokens

PIECES = [
    b"int",
    b"a1",
    b"1'000",
    b"0x1p-3",
    b".5e+7",
    b'"a \\" b"',
    b"'x'",
    b"u8'c'",
    b'L"w"',
    b'"km"_s',
    b'R"(a\n " b)"',
    b"/* c\n d */",
    b"// e\n",
    b"#define M(x) \\\n  x // f\n",
    b"#if 1 /* g\n h */\n",
    b"#error don't\n",
    b"->*",
    b"<=>",
    b">>=",
    b">>",
    b">",
    b"-",
    b"--",
    b"/",
    b"*",
    b"#",
    b"\\",
    b"\xc3\xa9",
    b'"open',
    b" ",
    b"\n",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a+++b", [b"a", b"++", b"+", b"b"]),
        (b"v<w<1>>x", [b"v", b"<", b"w", b"<", b"1", b">>", b"x"]),
        (b"n=1'000'000+0x1.8p+3;", [b"n", b"=", b"1'000'000", b"+", b"0x1.8p+3", b";"]),
        (b"f(/* a */ 1) // b\nc", [b"f", b"(", b"/* a */", b"1", b")", b"// b", b"c"]),
        (b'LR"x(a)" )x" + L"b"', [b'LR"x(a)" )x"', b"+", b'L"b"']),
        (b'"a"_s "b" _s', [b'"a"_s', b'"b"', b"_s"]),
        (b"x\n  #  define A(b) \\\n b\ny", [b"x", b"#  define A(b) \\\n b", b"y"]),
        (b'#define A "// no" // yes \\\n more\nB', [b'#define A "// no" // yes \\\n more', b"B"]),
        (b"a # b", [b"a", b"#", b"b"]),
        (b"f\x0cg", [b"f", b"g"]),
    ],
)
def test_tokens_as_the_language_has_them(text: bytes, expected: list[bytes]) -> None:
    assert [token.text for token in tokens(text)] == expected


@pytest.mark.parametrize(
    ("left", "right", "apart"),
    [
        (b"a", b"b", False),
        (b"a", b"+", True),
        (b"-", b"-", False),
        (b">", b">", False),
        (b"/", b"*", False),
        (b"L", b'"x"', False),
        (b'"x"', b"_s", False),
        (b"1", b".", False),
        (b"// c", b"a", False),
        (b"a", b"#define B", False),
        (b")", b"{", True),
    ],
)
def test_what_runs_together(left: bytes, right: bytes, *, apart: bool) -> None:
    assert stay_apart(left, right) is apart


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join))
def test_nothing_but_white_space_is_between_tokens(text: bytes) -> None:
    at = 0
    for token in tokens(text):
        assert re.fullmatch(rb"\s*", text[at : token.start])
        assert token.text == text[token.start : token.end] != b""
        at = token.end
    assert re.fullmatch(rb"\s*", text[at:])

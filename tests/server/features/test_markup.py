from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from maxcode_lsp.server.features.markup import Markup

MARKDOWN = Markup(markdown=True)
PLAIN = Markup(markdown=False)
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
AUTOLINK = re.compile(r"\b(?:https?|ftp)://|\bwww\.|\w@\w", re.ASCII)
"""What common renderers make a link of without being asked."""
NASTY = [
    "[click](https://example.org)",
    "![image](x.png)",
    "<img src=x onerror=alert(1)>",
    "https://example.org/steal",
    "www.example.org",
    "me@example.org",
    "**bold** _it_ ~~gone~~",
    "`code` ``more`` `",
    "# heading",
    "1. list",
    "- list",
    "\\[x](y)",
    "a\n\n# b\r\nc",
    "&lt;b&gt; &#91;",
    "<https://example.org>",
    "| a | b |",
    "\\",
]


def tokens(markdown: str) -> list[Token]:
    """All of a text's, those inside others too."""
    return [inner for token in PARSER.parse(markdown) for inner in (token, *(token.children or []))]


def shown(markdown: str) -> str:
    return "".join(token.content for token in tokens(markdown) if token.type in {"text", "code_inline"})


def links(markdown: str) -> bool:
    """Whether anything outside code looks like an address."""
    return any(token.type == "text" and AUTOLINK.search(token.content) for token in tokens(markdown))


ALLOWED = {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "code_inline"}


@pytest.mark.parametrize("said", NASTY)
def test_nothing_from_a_program_becomes_markup(said: str) -> None:
    made = MARKDOWN.text(said)
    assert {token.type for token in tokens(made)} <= ALLOWED
    assert shown(made) == " ".join(said.split())
    assert not links(made)


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("“step” itself takes 95 % of the time.", "“step” itself takes 95 % of the time."),
        (
            "jumps through memory (cells_[(row - 1) * w_ + c]). With",
            "jumps through memory (`cells_[(row - 1) * w_ + c]`). With",
        ),
        ("std::exp(-1.0 / k) is computed again", "`std::exp(-1.0 / k)` is computed again"),
        ("on line 20: a[i] += b[j], twice", "on line 20: `a[i] += b[j]`, twice"),
        ("perf cpu-clock, 1,763 samples: 97 %", "perf cpu-clock, 1,763 samples: 97 %"),
        ("44.2×", "44.2×"),
        ("open [never closed * and", "open `[never` closed `*` and"),
    ],
)
def test_code_is_written_as_code_and_prose_as_prose(said: str, made: str) -> None:
    assert MARKDOWN.text(said) == made


@given(
    st.text(st.sampled_from("a b([{)]}*_`:/.,;-+1w@<!"), max_size=60)
    | st.text(st.characters(codec="utf-8"), max_size=60)
)
@example("`")
@example("a\u2028b")
def test_any_text_is_shown_as_it_is(said: str) -> None:
    plain = PLAIN.text(said)
    made = MARKDOWN.text(said)
    assert {token.type for token in tokens(made)} <= ALLOWED
    assert shown(made) == plain
    assert not links(made)


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_any_name_is_code(name: str) -> None:
    plain = PLAIN.code(name)
    found = tokens(f"x {MARKDOWN.code(name)} x")
    spans = [token for token in found if token.type == "code_inline"]
    assert [token.content for token in spans] == ([plain] if plain else [])
    assert {token.type for token in found} <= ALLOWED


def test_our_own_marks_work_in_markdown_and_are_left_out_elsewhere() -> None:
    lines = ["", MARKDOWN.bold("a*b"), MARKDOWN.link("strided-access", "https://example.org/x.md")]
    found = {token.type for token in tokens(MARKDOWN.lines(lines))}
    assert {"strong_open", "link_open", "hardbreak"} <= found
    lines = [PLAIN.bold("a*b"), PLAIN.link("strided-access", "https://example.org/x.md"), PLAIN.code("f")]
    assert PLAIN.lines(lines) == "a*b\nstrided-access\nf"

"""What a model says about its change: one sentence, plain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from unicodedata import category

from markdown_it import MarkdownIt
from markdown_it.token import Token

LONGEST = 200
_MOST_READ = 1500
"""Characters of one paragraph that are read."""
_MOST_PARAGRAPHS = 40
_OPENINGS = re.compile(
    r"""(sure|certainly|of\ course|absolutely|okay|ok|great|alright|got\ it|yes|no\ problem)\b[^.!,]{0,60}[.!,]
    | (here|below|above|following)\ ?(is|are|'s|’s)\b.* | (the\ following|below|above)\b.*:
    | (please|note|let|i\ hope|feel\ free|let's|let’s)\b.* | (\S+\s+){0,4}\S+:
    | (output|input|example|usage|before|after|original|optimi[sz]ed|improved|final)(\ \w+){0,3}""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
"""Sentences that say nothing about the change."""
_GREETING = re.compile(
    r"(sure|certainly|of course|absolutely|okay|ok|great|alright|got it|yes)( thing)?[!,.—–-]+\s*", re.IGNORECASE
)
_LABEL = re.compile(
    r"(the )?(rationale|explanation|changes?( made)?|summary|optimi[sz]ations?|idea|why|what( i)? changed|key changes?"
    r"|improvements?|reasoning|approach)( \d+)?(\s*:|\s+[—–-])\s*",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!etc\.)(?<!approx\.)[)\"'”’]*\s+(?=[\"'“(]?[A-Z0-9`])")
_AROUND = " -–—•*"
_WORD = re.compile(r"[^\W\d_]{2,}")


def rationale(tokens: Sequence[Token]) -> str:
    """The first sentence of a reply's words that is about the change; empty: there is none."""
    for paragraph in _paragraphs(tokens):
        for sentence in _END.split(paragraph):
            said = _behind(_LABEL, _behind(_GREETING, sentence.strip(_AROUND))).strip(_AROUND)
            if len(_WORD.findall(said)) >= 3 and not _OPENINGS.fullmatch(said):
                return bounded(said.rstrip(":"))
    return ""


def _behind(opening: re.Pattern[str], sentence: str) -> str:
    found = opening.match(sentence)
    return sentence[found.end() :] if found else sentence


def bounded(sentence: str) -> str:
    """One line of at most ``LONGEST`` characters that is safe to print: nothing that controls how it is shown."""
    plain = " ".join("".join(c for c in " ".join(sentence.split()) if category(c)[0] != "C").split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1].rsplit(' ', 1)[0].rstrip(',;:')}…"


def _paragraphs(tokens: Sequence[Token]) -> Iterator[str]:
    """Words outside of code and headings, without their markup."""
    heading = False
    count = 0
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            heading = token.type == "heading_open"
        elif token.type == "inline" and not heading:
            count += 1
            if count > _MOST_PARAGRAPHS:
                return
            yield _plain(token.content[:_MOST_READ])


def _plain(text: str) -> str:
    (inline,) = _parser().parseInline(text)
    pieces: list[str] = []
    for child in inline.children or []:
        if child.type in {"text", "code_inline"}:
            pieces.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            pieces.append(" ")
    return "".join(pieces)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark")

"""Text for people who may read Markdown, or may not. What comes from a program stays text, whatever is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from maxcode_lsp.messages.phrases import printable

_SPECIAL = re.compile(r"[\\`*_\[\]<>&~|!$#^@{}]|:(?=//|[^\s])|(?<=[wW]{3})\.")
_LEADING = re.compile(r"^(\d*)([-+=.)])(?=[-+=\s]|$)")
_BACKTICKS = re.compile(r"`+")
_OPERATOR = re.compile(r"[^\w\s]+")
_PROSE = re.compile(r"(.*?)([.,;:!?”]*)", re.DOTALL)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
LONGEST = 400
"""Characters that brackets are looked through for their end."""


class Markup:
    """Writes Markdown, or the same as plain text."""

    def __init__(self, *, markdown: bool) -> None:
        self._markdown = markdown

    def text(self, said: str) -> str:
        """Any text, on one line, without a meaning of its own: what could have one is written as code.

        Escaped with backslashes it would be as safe, but some editors show those.
        """
        line = _one_line(said)
        if not self._markdown:
            return line
        return _LEADING.sub(r"\1\\\2", " ".join(self._pieces(_joined(_words(line)))))

    def _pieces(self, words: Sequence[str]) -> Iterator[str]:
        for word in words:
            if _SPECIAL.search(word) is None:
                yield word
                continue
            found = _PROSE.fullmatch(word)
            core, end = found.groups() if found is not None else (word, "")
            if core.startswith("(") and _closes(core) == len(core) - 1 and len(core) > 2:
                yield f"({self.code(core[1:-1])}){end}"
            else:
                yield self.code(core) + end if core else self.code(word)

    def bold(self, said: str) -> str:
        """What matters most."""
        return f"**{self.text(said)}**" if self._markdown and said.strip() else self.text(said)

    def code(self, said: str) -> str:
        """A name or a piece of code."""
        line = _one_line(said)
        if not self._markdown or not line:
            return line
        fence = "`" * (max((len(run) for run in _BACKTICKS.findall(line)), default=0) + 1)
        pad = " " if line.startswith("`") or line.endswith("`") else ""
        return f"{fence}{pad}{line}{pad}{fence}"

    def link(self, said: str, address: str | None) -> str:
        """A link to an address of our own; None: there is none."""
        return f"[{self.text(said)}]({address})" if self._markdown and address is not None else self.text(said)

    def lines(self, lines: Sequence[str]) -> str:
        """One below the other."""
        return ("  \n" if self._markdown else "\n").join(line for line in lines if line)


def _words(line: str) -> list[str]:
    """Words; white space inside brackets does not end one, if they are closed."""
    words: list[str] = []
    at = 0
    while at < len(line):
        end = at
        while end < len(line) and line[end] != " ":
            end = (_closes(line, end) or end) + 1 if line[end] in _CLOSING else end + 1
        words.append(line[at:end])
        at = end + 1
    return words


def _closes(line: str, start: int = 0) -> int | None:
    """Where the bracket that opens at ``start`` is closed; None: nowhere, or others are amiss inside."""
    open_ones: list[str] = []
    for at in range(start, min(len(line), start + LONGEST)):
        if line[at] in _CLOSING:
            open_ones.append(_CLOSING[line[at]])
        elif line[at] in ")]}":
            if not open_ones or open_ones.pop() != line[at]:
                return None
            if not open_ones:
                return at
    return None


def _joined(words: Sequence[str]) -> list[str]:
    """Code with operators between, as one word: ``a[i] += b[j]``."""
    joined: list[str] = []
    for word in words:
        special = _SPECIAL.search(word) is not None and _PROSE.fullmatch(word) is not None
        operator = len(joined) > 1 and _OPERATOR.fullmatch(joined[-1]) is not None
        if special and operator and _SPECIAL.search(joined[-2]) and joined[-2][-1] not in ".,;:!?”":
            joined[-2:] = [f"{joined[-2]} {joined[-1]} {word}"]
        else:
            joined.append(word)
    return joined


def _one_line(said: str) -> str:
    return printable(" ".join(said.split()))

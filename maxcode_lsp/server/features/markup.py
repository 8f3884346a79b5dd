"""Text for people who may read Markdown, or may not. What comes from a program stays text, whatever is in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from maxcode_lsp.messages.phrases import printable

_SPECIAL = re.compile(r"[\\`*_\[\]<>&~|!$#^@{}]|:(?=//|[^\s])|(?<=[wW]{3})\.")
_LEADING = re.compile(r"^(\d*)([-+=.)])")
_BACKTICKS = re.compile(r"`+")


class Markup:
    """Writes Markdown, or the same as plain text."""

    def __init__(self, *, markdown: bool) -> None:
        self._markdown = markdown

    def text(self, said: str) -> str:
        """Any text, on one line, without a meaning of its own."""
        line = _one_line(said)
        return _LEADING.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", line)) if self._markdown else line

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


def _one_line(said: str) -> str:
    return printable(" ".join(said.split()))

"""The consoles that the commands print to. Text is never read as markup: it may be the user's code."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any, TextIO

import msgspec
from rich.console import Console, RenderableType

from maxcode_lsp.redaction import redact_bytes

PICTURE_WIDTH = 100
"""Columns of a saved picture."""


def console(*, stderr: bool = False, file: TextIO | None = None) -> Console:
    """A console on standard output (or error), without markup, emoji codes and guessed highlights."""
    return Console(stderr=stderr, file=file, markup=False, emoji=False, highlight=False)


def print_json(value: Any) -> None:
    """One JSON value on standard output, without secrets, in a line of its own."""
    sys.stdout.buffer.write(redact_bytes(msgspec.json.encode(value)) + b"\n")
    sys.stdout.buffer.flush()


def save_picture(path: Path, command: str, parts: list[RenderableType]) -> None:
    """Write an SVG picture of a terminal that shows ``parts`` after ``command`` was typed."""
    paper = Console(
        record=True, file=io.StringIO(), width=PICTURE_WIDTH, force_terminal=True, color_system="truecolor",
        markup=False, emoji=False, highlight=False,
    )  # fmt: skip
    paper.print(f"$ {command}", style="bold")
    for part in parts:
        paper.print(part)
    # The picture stands alone: it must not fetch fonts from elsewhere.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", paper.export_svg(title="maxcode"), flags=re.DOTALL)
    path.write_text(picture.replace("<svg ", '<svg xml:space="preserve" ', 1), encoding="utf-8")

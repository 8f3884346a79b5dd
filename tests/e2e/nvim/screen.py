"""A program in a terminal of its own, what its screen shows, and that as a picture."""

from __future__ import annotations

import fcntl
import html
import itertools
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

CELL = (9, 20)
"""Pixels of a character."""
EDGE = 14
_UNKNOWN = re.compile(
    rb"\x1bP.*?\x1b\\|\x1b\].*?(?:\x07|\x1b\\)|\x1b\[[<>=?][0-9;]*[^hl0-9;]|\x1b\[[0-9;]*[$ ].", re.DOTALL
)
"""Questions and titles for terminals, which the emulator would print."""
_COLONS = re.compile(rb"\x1b\[[0-9;]*:[0-9:;]*m")
_OPEN = re.compile(rb"\x1b(?:[P\]](?:(?!\x1b\\|\x07).)*|\[[0-9:;<=>?$ ]*)?$", re.DOTALL)
"""The beginning of a sequence whose end has not come yet."""


class Terminal:
    """Starts a program, types, and waits for what is shown."""

    def __init__(self, command: Sequence[str | Path], env: Mapping[str, str], cwd: Path, size: tuple[int, int]) -> None:
        """``size``: columns, lines."""
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self._rest = b""
        self._end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        seen = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            command, env={**env, **seen}, cwd=cwd, stdin=inner, stdout=inner, stderr=inner, start_new_session=True
        )
        os.close(inner)

    def text(self) -> str:
        """All lines."""
        return "\n".join(self.screen.display)

    def type(self, keys: str) -> None:
        """As a person would."""
        os.write(self._end, keys.encode())

    def settle(self, still_s: float = 1.0) -> None:
        """Take in what comes, until nothing comes any more."""
        while select.select([self._end], [], [], still_s)[0]:
            if not self._take():
                return

    def until(self, what: str, condition: Callable[[str], bool], limit_s: float = 300.0) -> None:
        """Take in what comes until the screen shows something; raises TimeoutError."""
        last = time.monotonic() + limit_s
        while not condition(self.text()):
            if time.monotonic() > last:
                raise TimeoutError(f"waited in vain for {what}:\n{self.text()}")
            if select.select([self._end], [], [], 0.1)[0] and not self._take():
                raise TimeoutError(f"the program ended before {what}:\n{self.text()}")

    def close(self) -> None:
        """End the program, if it has not."""
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._end)

    def _take(self) -> bool:
        try:
            came = os.read(self._end, 1 << 16)
        except OSError:  # what Linux says where the program has closed its side
            return False
        data = _UNKNOWN.sub(b"", self._rest + came)
        data = _COLONS.sub(_plain, data)
        cut = _OPEN.search(data)
        self._rest = data[cut.start() :] if cut else b""
        self._stream.feed(data[: cut.start()] if cut else data)
        return True


def _plain(found: re.Match[bytes]) -> bytes:
    """Colours and underlines as older terminals know them."""
    words = found.group()[2:-1].split(b";")
    kept = [word.split(b":")[0] for word in words if not word.startswith(b"58")]
    return b"\x1b[" + b";".join(kept) + b"m" if kept else b""


def page(screen: pyte.Screen, ground: str) -> str:
    """The screen as HTML; ``ground``: colour around it."""
    width, height = size_px(screen)
    rows = "".join(f"<div>{_row(screen, line)}</div>" for line in range(screen.lines))
    return (
        "<!doctype html><meta charset=utf-8><style>"
        f"body{{margin:0;background:#{ground};width:{width}px;height:{height}px;overflow:hidden}}"
        f"main{{padding:{EDGE}px;font:15px/{CELL[1]}px 'DejaVu Sans Mono',monospace;letter-spacing:-0.03px}}"
        f"div{{height:{CELL[1]}px;white-space:pre}}"
        f"span{{display:inline-block;height:{CELL[1]}px;vertical-align:top;overflow:hidden}}"
        f"</style><main>{rows}</main>"
    )


def size_px(screen: pyte.Screen) -> tuple[int, int]:
    """Width and height of its picture."""
    return screen.columns * CELL[0] + 2 * EDGE, screen.lines * CELL[1] + 2 * EDGE


def _row(screen: pyte.Screen, line: int) -> str:
    cells = [screen.buffer[line][column] for column in range(screen.columns)]
    cursor = screen.cursor.x if screen.cursor.y == line and not screen.cursor.hidden else -1
    styled = [(_style(cell, lit=at == cursor), cell.data) for at, cell in enumerate(cells)]
    runs = ((style, [data for _, data in run]) for style, run in itertools.groupby(styled, key=lambda one: one[0]))
    return "".join(
        f'<span style="width:{len(cells) * CELL[0]}px;{style}">{html.escape("".join(cells))}</span>'
        for style, cells in runs
    )


def _style(cell: pyte.Char, *, lit: bool) -> str:
    fore, back = cell.fg, cell.bg
    if cell.reverse != lit:
        fore, back = (back if back != "default" else "000000"), (fore if fore != "default" else "c0c0c0")
    parts = [
        f"color:#{fore}" if fore != "default" else "",
        f"background:#{back}" if back != "default" else "",
        "font-weight:bold" if cell.bold else "",
        "font-style:italic" if cell.italics else "",
        # The emulator knows no colour of lines; it is that of what is underlined here: findings.
        "text-decoration:underline;text-decoration-color:#5fb3b3" if cell.underscore else "",
    ]
    return ";".join(part for part in parts if part)

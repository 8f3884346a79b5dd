from typing import NamedTuple

class Char(NamedTuple):
    data: str
    fg: str
    bg: str
    bold: bool
    italics: bool
    underscore: bool
    strikethrough: bool
    reverse: bool
    blink: bool

class Cursor:
    x: int
    y: int
    hidden: bool

class Screen:
    buffer: dict[int, dict[int, Char]]
    cursor: Cursor
    display: list[str]
    columns: int
    lines: int
    def __init__(self, columns: int, lines: int) -> None: ...

class ByteStream:
    def __init__(self, screen: Screen) -> None: ...
    def feed(self, data: bytes) -> None: ...

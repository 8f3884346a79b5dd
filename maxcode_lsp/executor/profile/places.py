"""From addresses in a program to lines of its source, through everything that was inlined."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from msgspec import Struct

from maxcode_lsp.executor.profile.workbench import Workbench

MOST_ADDRESSES = 50_000


class Place(Struct, frozen=True):
    """One level of an address: an inlined function's own line, or the line that it was inlined into."""

    function: str
    """Demangled."""
    file: str
    line: int
    """From 1; 0: unknown."""


class Places:
    """The places of a program's addresses, innermost first."""

    def __init__(self, found: dict[int, tuple[Place, ...]], unit: str, code: Collection[int] | None = None) -> None:
        """``code``: the lines of the unit that hold code (None: all), so that a struct's unwritten copies
        count where they are made and not where the struct is.
        """
        self._found = found
        self._unit = unit
        self._code = code

    def line(self, address: int) -> tuple[int | None, tuple[str, ...]]:
        """The innermost line in the unit (None: there is none) and the functions inlined into that line."""
        within: list[str] = []
        for place in self._found.get(address, ()):
            if place.line and same_file(place.file, self._unit) and (self._code is None or place.line in self._code):
                return place.line, tuple(within)
            within.append(place.function)
        return None, tuple(within)


def same_file(one: str, other: str) -> bool:
    """Whether two inside paths mean one file, whatever folder the compiler was started in."""
    a, b = PurePosixPath(one), PurePosixPath(other)
    if a.is_absolute() and b.is_absolute():
        return a == b
    shorter, longer = sorted((a, b), key=lambda path: len(path.parts))
    return longer.parts[-len(shorter.parts) :] == shorter.parts


async def locate(
    bench: Workbench, binary: str, addresses: Iterable[int], code: Collection[int] | None, *, limit_s: float = 20.0
) -> Places:
    """Look all addresses up in one go. Without ``addr2line`` or line tables nothing is found."""
    wanted = sorted(set(addresses))[:MOST_ADDRESSES]
    if not wanted:
        return Places({}, bench.unit, code)
    argv = ("addr2line", "-a", "-i", "-f", "-C", "-e", binary)
    ended = await bench.tool(argv, stdin="".join(f"{a:#x}\n" for a in wanted).encode(), limit_s=limit_s)
    return Places(read_addr2line(ended.stdout.decode(errors="replace")), bench.unit, code)


def read_addr2line(text: str) -> dict[int, tuple[Place, ...]]:
    """Read the output of ``addr2line -a -i -f``: an address, then pairs of a function and its FILE:LINE."""
    found: dict[int, tuple[Place, ...]] = {}
    address: int | None = None
    function: str | None = None
    for line in text.splitlines():
        if function is None and line.startswith("0x") and " " not in line:
            address = int(line, 16)
            found[address] = ()
        elif function is None:
            function = line
        else:
            # After the line there may be " (discriminator 3)".
            file, _, number = line.partition(" (")[0].rpartition(":")
            if address is not None:
                found[address] += (Place(function, file, int(number) if number.isdigit() else 0),)
            function = None
    return found


class Image:
    """Where the parts of a program's file are loaded: profilers count in the file, debuggers in memory."""

    def __init__(self, segments: tuple[tuple[int, int, int], ...]) -> None:
        """``segments``: file offset, size in the file, address."""
        self._segments = segments

    @classmethod
    def read(cls, data: bytes) -> Image:
        """Read an ELF file; anything else has no segments, so its addresses stay as they are."""
        try:
            return cls(
                tuple(
                    (segment["p_offset"], segment["p_filesz"], segment["p_vaddr"])
                    for segment in ELFFile(io.BytesIO(data)).iter_segments("PT_LOAD")
                )
            )
        except (ELFError, ValueError, KeyError):
            return cls(())

    def address(self, offset: int) -> int:
        """Address of a byte of the file."""
        for start, size, at in self._segments:
            if start <= offset < start + size:
                return offset - start + at
        return offset

"""The journal of a comparison: JSON lines, the heading first, then an episode as soon as it has ended.

The same file again goes on where it ended. A file whose name ends in ``.gz`` can be read.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from maxcode_lsp.benchmarks.search.episode import Comparison, Episode
from maxcode_lsp.errors import Refused
from maxcode_lsp.messages import comparisons

_SAME = ("suite", "budget", "replay", "model", "machine", "compiler")
"""What must be equal for episodes to belong together."""


class Journal:
    """An open journal. Close it."""

    def __init__(self, file: Path, heading: Comparison) -> None:
        """Begin a journal, or go on with it. Raises Refused where it is about something else, and OSError."""
        self.file = file
        self.episodes: list[Episode] = []
        """All that are known, the latest of each search."""
        if file.exists() and file.stat().st_size:
            found, self.episodes, end = _read(file)
            if (other := _differing(found, heading)) is not None:
                raise Refused(comparisons.other_journal(str(file), other))
            self._out = file.open("r+b")
            self._out.truncate(end)
            self._out.seek(end)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._out = file.open("wb")
            self._append(heading)
        self.heading = heading

    def known(self, program: str, method: str, seed: int) -> bool:
        """Whether a search was brought to its end."""
        return any(
            not one.trouble and (one.program, one.method, one.seed) == (program, method, seed) for one in self.episodes
        )

    def add(self, episode: Episode) -> None:
        """Write an episode down; it is on the disk when this returns."""
        self.episodes = [*(one for one in self.episodes if _key(one) != _key(episode)), episode]
        self._append(episode)

    def _append(self, record: Comparison | Episode) -> None:
        self._out.write(msgspec.json.encode(record) + b"\n")
        self._out.flush()
        os.fsync(self._out.fileno())

    def close(self) -> None:
        """Let go of the file. Idempotent."""
        self._out.close()


def read_journal(file: Path) -> tuple[Comparison, list[Episode]]:
    """A journal that is only looked at. Raises Refused where it is none, and OSError."""
    heading, episodes, _ = _read(file)
    return heading, episodes


def merged(heading: Comparison, episodes: Iterable[Episode]) -> Comparison:
    """The heading with the methods and programs that there are episodes of, in the order of the heading."""
    found = list(episodes)
    methods = dict.fromkeys((*heading.methods, *(one.method for one in found)))
    programs = dict.fromkeys((*heading.programs, *(one.program for one in found)))
    there = {one.method for one in found}, {one.program for one in found}
    return replace(
        heading,
        methods=tuple(one for one in methods if one in there[0]),
        programs=tuple(one for one in programs if one in there[1]),
    )


def _key(episode: Episode) -> tuple[str, str, int]:
    return episode.program, episode.method, episode.seed


def _differing(found: Comparison, heading: Comparison) -> str | None:
    """What is another than it was."""
    if found.version != heading.version:
        return "version"
    return next((field for field in _SAME if getattr(found, field) != getattr(heading, field)), None)


def _read(file: Path) -> tuple[Comparison, list[Episode], int]:
    """Heading, latest episodes, and where the last whole line ends."""
    data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    end = data.rfind(b"\n") + 1
    first, *lines = data[:end].splitlines() or [b""]
    try:
        heading = msgspec.json.decode(first, type=Comparison)
        episodes = [msgspec.json.decode(line, type=Episode) for line in lines if line]
    except msgspec.DecodeError as error:
        raise Refused(comparisons.no_journal(str(file), str(error))) from error
    return heading, list({_key(one): one for one in episodes}.values()), end

"""What a prompt leaves out so that it fits into a model's context."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace


class Shown(Struct, frozen=True):
    """How much of an observation a prompt shows. The program to go on from is always whole."""

    attempts: int
    """The latest."""
    diffs: int
    """Of the latest attempts, those shown with their change."""
    findings: int
    """The most costly."""
    initial: int = 1
    """1: what was changed since the initial program."""
    best: int = 1
    """1: how the fastest version differs."""
    complaint: int = 1
    """1: why the last reply could not be used."""


_ORDER = (
    ("attempts", 2),
    ("diffs", 0),
    ("findings", 2),
    ("initial", 0),
    ("best", 0),
    ("attempts", 0),
    ("findings", 0),
    ("complaint", 0),
)
"""Ours: what goes first, and how much of it stays."""


def shortened(whole: Shown) -> Iterator[Shown]:
    """All ever shorter forms of a prompt, the whole one first; each shows nothing that the one before does not."""
    yield whole
    for part, least in _ORDER:
        while getattr(whole, part) > least:
            whole = replace(whole, **{part: getattr(whole, part) - 1})
            yield whole


def fitting(whole: Shown, fits: Callable[[Shown], bool]) -> Shown | None:
    """The longest form that fits; None: not even the shortest does. What is shorter than one that fits must fit."""
    forms = list(shortened(whole))
    at = bisect_left(forms, True, key=fits)
    return forms[at] if at < len(forms) else None

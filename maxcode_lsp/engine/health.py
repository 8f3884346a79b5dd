"""What an examination of this machine says."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class State(str, Enum):
    """How a part of the machine is."""

    OK = "ok"
    LIMITED = "limited"
    """Works, with a loss that the detail names."""
    MISSING = "missing"


class Check(Struct, frozen=True):
    """One line of the examination."""

    name: str
    state: State
    detail: str
    """What was found."""
    remedy: str = ""
    """What to do about it; empty where there is nothing to do."""
    needed: bool = False
    """Nothing can be optimised while this is missing."""


class Health(Struct, frozen=True):
    """The whole examination."""

    ok: bool
    """Everything that is needed is here."""
    checks: tuple[Check, ...]
    sandbox: str | None = None
    """Level that is used here."""
    noise_pct: float | None = None
    """Half width of a comparison of the same program with itself, in per cent."""

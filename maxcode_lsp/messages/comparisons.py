"""What is said when searches are compared."""

from __future__ import annotations

from collections.abc import Sequence


def unknown_strategy(name: str, known: Sequence[str]) -> str:
    return f"There is no strategy “{name}”. There are: {', '.join(known)}."


def unknown_parts(name: str, known: Sequence[str]) -> str:
    return f"“{name}” is no method. Write STRATEGY, STRATEGY+maxcode, or STRATEGY+maxcode-PART for all parts but one; parts are {', '.join(known)}."

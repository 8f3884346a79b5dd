"""What a rewrite rule is. A rule is one class in a family's file; decorating it registers it.

A rule looks at a parsed translation unit and yields speculative rewrites. It checks the guards that
the syntax tree can show; the evaluator proves or drops the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Struct

from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk


class Rewrite(Struct, frozen=True):
    """One speculative change to the unit's text."""

    hunks: tuple[Hunk, ...]
    """Ascending, not overlapping, against ``unit.data``."""
    lines: tuple[int, ...]
    """Lines (from 1) that it is about: ranked by how hot they are."""
    rationale: str = ""
    """Said instead of the rule's own rationale where more is known (names, counts)."""


class Rule(Protocol):
    """One kind of rewrite."""

    @property
    def id(self) -> str:
        """Kebab case, unique: ``stream-sync``. Also the anchor of its docs page ``docs/rewrites/FAMILY.md``."""
        ...

    @property
    def family(self) -> str:
        """Name of its family: the file it lives in and its docs page."""
        ...

    @property
    def rationale(self) -> str:
        """One line for people: what is changed and why that is faster."""
        ...

    @property
    def gain(self) -> float:
        """Usual speedup where it applies to the hot path (1.0 none): only orders the proposals."""
        ...

    @property
    def finding_kinds(self) -> tuple[str, ...]:
        """Kinds of findings that this rule acts on."""
        ...

    def find(self, unit: Unit) -> Iterable[Rewrite]:
        """All places where the rule applies. Pure; must not raise on any text that parses."""
        ...


RULES: dict[str, Rule] = {}
"""All registered rules by id, in the order in which their families are imported."""


def register(make: Callable[[], Rule]) -> Callable[[], Rule]:
    """Class decorator: make one instance of the rule and register it under its id."""
    rule = make()
    if rule.id in RULES:
        raise ValueError(f"two rules are called {rule.id}")
    RULES[rule.id] = rule
    return make


TRUSTED: set[str] = set()
"""Ids of rules that so rarely break a program that all of them are also proposed together."""

FAST_INPUT: set[str] = set()
"""Ids of rules that may change what happens on malformed input; used only with ``input = "fast"``."""


def trusted(make: Callable[[], Rule]) -> Callable[[], Rule]:
    """Class decorator, above ``register``: the rule joins the proposal of everything together."""
    TRUSTED.add(make().id)
    return make


def fast_input(make: Callable[[], Rule]) -> Callable[[], Rule]:
    """Class decorator, above ``register``: the rule waits for the setting ``input = "fast"``."""
    FAST_INPUT.add(make().id)
    return make

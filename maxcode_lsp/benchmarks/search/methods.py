"""Methods: a strategy with the parts that it is shown, by name.

``beam`` is the strategy as its source has it, ``beam+maxcode`` has all parts, ``beam+maxcode-u-rerank`` all but two.
"""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.errors import Refused
from maxcode_lsp.messages import comparisons
from maxcode_lsp.search import SEARCHES, Parts, Plan

WITH = "maxcode"
PEER = "openevolve"
"""A program of others, run as it comes."""


class Method(Struct, frozen=True):
    """One way to search."""

    name: str
    strategy: str
    parts: Parts
    plain: bool

    def plan(self, seed: int) -> Plan:
        """The plan of one search."""
        return Plan(parts=self.parts, by_memory=self.plain, seed=seed)

    @property
    def control(self) -> str:
        """The method that it is compared with: the plain form of its strategy."""
        return self.strategy


def method(name: str) -> Method:
    """The method of a name. Raises Refused where it is none."""
    strategy, plus, form = name.partition("+")
    if name == PEER:
        return Method(PEER, PEER, Parts(), plain=True)
    if strategy not in SEARCHES:
        raise Refused(comparisons.unknown_strategy(strategy, tuple(SEARCHES)))
    if not plus:
        return Method(name, strategy, SEARCHES[strategy].plain, plain=True)
    kind, *without = form.split("-")
    known = Parts.__struct_fields__
    if kind != WITH or not set(known).issuperset(without):
        raise Refused(comparisons.unknown_parts(name, known))
    return Method(name, strategy, Parts(**dict.fromkeys(without, False)), plain=False)

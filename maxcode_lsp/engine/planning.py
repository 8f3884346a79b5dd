"""How a run is to search, from settings."""

from __future__ import annotations

import math

from maxcode_lsp.search import SEARCHES, Parts, Plan
from maxcode_lsp.search.process.rewards import Scheme
from maxcode_lsp.settings import Settings


def plan(settings: Settings) -> Plan:
    """The plan for the strategy that settings name: plain, or with the parts that are on."""
    given, plain = settings.strategy, SEARCHES[settings.search].plain
    parts = plain if given.plain else Parts(**{part: getattr(given, part) for part in Parts.__struct_fields__})
    accept = given.accept or ("memory-time" if given.plain else "time")
    return Plan(
        parts=parts,
        width=given.width or max(1, math.isqrt(settings.candidates)),
        by_memory=accept == "memory-time",
        scheme=Scheme(given.reward),
        gamma=given.gamma,
        seed=settings.seed,
    )

"""A replay table that nobody measured: actions with known gains, in all sets of up to three."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping

from maxcode_lsp.benchmarks.table.table import SCALE, Child, ProgramTable, Version
from maxcode_lsp.records import Outcome, Overhead, candidate_id


def name_of(actions: frozenset[str]) -> str:
    """The id of a set of actions."""
    return candidate_id(" ".join(sorted(actions)).encode()) if actions else ""


def table(
    gains: Mapping[str, float],
    *,
    program: str = "made",
    broken: frozenset[str] = frozenset(),
    guesses: Mapping[str, float] | None = None,
    noise: float = 0.005,
    seed: int = 0,
    depth: int = 3,
) -> ProgramTable:
    """``gains``: speedup of each action; they multiply. What holds an action of ``broken`` is wrong. ``guesses``: the
    policy's, with a critique; without one it takes all for equal.
    """
    rng = random.Random(seed)
    versions: list[Version] = []
    sets = [frozenset(s) for n in range(depth + 1) for s in itertools.combinations(sorted(gains), n)]
    for chosen in sets:
        right = not chosen & broken
        log = sum(math.log(gains[action]) for action in chosen)
        children = tuple(
            Child(
                name_of(chosen | {action}),
                (action,),
                f"{action}.",
                ("hot-lines",),
                (0.1, 0.1, (guesses or {}).get(action, 0.1)),
            )
            for action in sorted(gains)
            if action not in chosen and len(chosen) < depth and right
        )
        versions.append(
            Version(
                id=name_of(chosen),
                depth=len(chosen),
                outcome=Outcome.CORRECT if right else Outcome.WRONG_OUTPUT,
                cost_s=1.0 if chosen else 0.0,
                ratios=tuple(round(SCALE * rng.gauss(log, noise)) for _ in range(6)) if right else (),
                overhead=Overhead(10**8, 10**7, math.exp(-log)) if right else None,
                findings=(("hot-lines", 0.8),),
                hot=True,
                children=children,
            )
        )
    return ProgramTable(program, "0" * 64, "made", "g++", ("-O3",), 10**8, 6, 0.5, depth, tuple(versions))

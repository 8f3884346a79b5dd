"""How much a rewrite is expected to gain here: the rule's usual gain, and how hot the touched lines are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Critique, Finding

UNKNOWN_SHARE = 0.5
"""Share of the run assumed for lines when there is no profile."""
LEAST_SHARE = 0.03
"""Assumed at least: profiles of optimised code lose lines to inlining."""
FUNCTION_TRUST = 0.4
"""Part of its function's share that a line is credited with at least, for the same reason."""
NEARBY_TRUST = 0.6
"""Part of a finding's share credited to a rewrite that answers it elsewhere in the text."""


def expected_log_gain(gain: float, share: float) -> float:
    """Log speedup of the run when a share of it (0..1) gets ``gain`` times faster (Amdahl)."""
    return -math.log(1 - share + share / max(gain, 1.0))


class Ranking:
    """Ranks rewrites of one unit by one critique."""

    def __init__(self, unit: Unit, critique: Critique) -> None:
        self._critique = critique
        self._functions: list[tuple[int, int, float]] = []
        for node in unit.walk("function_definition"):
            first, last = node.start_point[0] + 1, node.end_point[0] + 1
            share = math.fsum(s for line, s in critique.hot_lines.items() if first <= line <= last)
            self._functions.append((first, last, min(share, 1.0)))

    def findings(self, kinds: Sequence[str]) -> tuple[str, ...]:
        """Those of the kinds of which a finding is present, in the rule's order."""
        present = {finding.kind for finding in self._critique.findings}
        return tuple(kind for kind in dict.fromkeys(kinds) if kind in present)

    def share(self, lines: Iterable[int], kinds: Sequence[str]) -> float:
        """Expected share of the run (0..1) that these lines stand for."""
        lines = set(lines)
        share = LEAST_SHARE
        if self._critique.hot_lines:
            share = max(share, math.fsum(self._critique.hot_lines.get(line, 0.0) for line in sorted(lines)))
            for first, last, whole in self._functions:
                if any(first <= line <= last for line in lines):
                    share = max(share, FUNCTION_TRUST * whole)
        else:
            share = UNKNOWN_SHARE
        answered = [finding for finding in self._critique.findings if finding.kind in kinds]
        share = max([share, *(self._credit(finding, lines) for finding in answered)])
        return min(share, 0.98)

    @staticmethod
    def _credit(finding: Finding, lines: set[int]) -> float:
        known = UNKNOWN_SHARE if finding.share is None else finding.share
        near = any(finding.span.first <= line <= finding.span.last for line in lines)
        return known if near else NEARBY_TRUST * known

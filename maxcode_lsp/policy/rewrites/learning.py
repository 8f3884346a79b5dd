"""What a run has shown so far changes what its rules expect: the trajectory, as rules use it.

The usual log gain p of a rewrite counts as PRIOR observations, each time the same rewrite was judged in this run as
SAME, and each time another one with the same actions was as ALIKE:

    p' = (PRIOR · p + SAME · Σ g_same + ALIKE · Σ g_alike) / (PRIOR + SAME · n_same + ALIKE · n_alike)

with g the log gain that was measured, 0 for what was not correct or no different: whoever tried it kept what he had. So
what paid at one version is tried early at the next, and what failed late. All weights are ours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from maxcode_lsp.policy.policy import Experience, Proposal

PRIOR = 1.0
SAME = 3.0
ALIKE = 0.5


def learned(proposals: Sequence[Proposal], experience: Sequence[Experience]) -> list[Proposal]:
    """The proposals by what is expected of them now, best first; as they are where nothing is known."""
    if not experience:
        return list(proposals)
    same: dict[tuple[str, ...], list[float]] = defaultdict(list)
    alike: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for one in experience:
        gain = max(one.gain or 0.0, 0.0) if one.faster else 0.0
        same[*one.actions, one.rationale].append(gain)
        alike[one.actions].append(gain)

    def expected(proposal: Proposal) -> float:
        origin = proposal.origin
        here = same.get((*origin.actions, origin.rationale), [])
        others = alike.get(origin.actions, [])
        n_alike = len(others) - len(here)
        total = PRIOR * proposal.priority + SAME * sum(here) + ALIKE * (sum(others) - sum(here))
        return total / (PRIOR + SAME * len(here) + ALIKE * n_alike)

    told = [msgspec.structs.replace(proposal, priority=expected(proposal)) for proposal in proposals]
    return sorted(told, key=lambda proposal: -proposal.priority)

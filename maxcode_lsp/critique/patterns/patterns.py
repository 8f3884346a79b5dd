"""The critic that runs all patterns. A new pattern is one function and one name here."""

from __future__ import annotations

import asyncio
import logging

from maxcode_lsp.critique.critic import Report, finding
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.patterns.access import strided_access
from maxcode_lsp.critique.patterns.containers import linear_search, ordered_container
from maxcode_lsp.critique.patterns.copies import copied_elements, copied_parameters
from maxcode_lsp.critique.patterns.repeats import invariant_in_loop, repeated_recursion, slow_arithmetic
from maxcode_lsp.critique.patterns.sight import Pattern, Sight
from maxcode_lsp.critique.patterns.strings import string_building
from maxcode_lsp.critique.source import Source
from maxcode_lsp.executor.profile.profile import Profile
from maxcode_lsp.messages import phrases
from maxcode_lsp.records import Finding

_log = logging.getLogger(__name__)

LEAST_SHARE = 0.05
"""With a profile, patterns on lines with a smaller share (0..1) are not said."""
MOST_SIGHTS = 500

PATTERNS: tuple[Pattern, ...] = (
    strided_access,
    copied_parameters,
    copied_elements,
    linear_search,
    ordered_container,
    string_building,
    repeated_recursion,
    invariant_in_loop,
    slow_arithmetic,
)


class Patterns:
    """Says which slow ways of writing cost time here."""

    name = "source patterns"

    async def criticise(self, evidence: Evidence) -> Report:
        profile = (await evidence.portrait()).profile
        sights = await asyncio.to_thread(look, evidence.source)
        return Report(tuple(found for sight in sights if (found := weigh(sight, profile)) is not None))


def look(source: Source) -> list[Sight]:
    """What all patterns see."""
    sights: list[Sight] = []
    for pattern in PATTERNS:
        try:
            for sight in pattern(source):
                sights.append(sight)
                if len(sights) == MOST_SIGHTS:
                    return sights
        except Exception:  # noqa: BLE001
            # One pattern's mistake on one odd text must not silence the others.
            _log.exception("pattern %s failed", getattr(pattern, "__name__", pattern))
    return sights


def weigh(sight: Sight, profile: Profile | None) -> Finding | None:
    """The finding for a sight; None where a profile says that it does not matter."""
    where = "spent on that" if sight.work else sight.where
    advice = f" {sight.advice}" if sight.advice else ""
    if profile is None:
        message = f"{sight.message}.{advice}"
        return finding(
            sight.kind, (sight.first, sight.last), message, "seen in the text; no profile says what it costs"
        )
    lines = profile.lines if sight.work is None else profile.work.get(sight.work, {})
    share = min(1.0, sum(lines.get(line, 0.0) for line in set(sight.lines)))
    if share < LEAST_SHARE:
        return None
    message = f"{sight.message}; {phrases.percent(share)} of the {profile.counts} is {where}.{advice}"
    proof = f"seen in the text; {profile.evidence}: {phrases.percent(share)}"
    return finding(sight.kind, (sight.first, sight.last), message, proof, share)

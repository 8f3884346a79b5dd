"""Hot functions and lines, from the profile."""

from __future__ import annotations

from maxcode_lsp.critique.critic import Report, finding
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.source import Source
from maxcode_lsp.executor.profile.profile import Profile
from maxcode_lsp.messages import phrases
from maxcode_lsp.records import Finding

LEAST_FUNCTION = 0.10
"""Functions with a smaller share (0..1) are not hot."""
LEAST_LINES = 0.10
NEIGHBOUR = 0.03
"""Lines next to a hot one belong to it from this share on."""
MOST_FUNCTIONS = 5
QUOTED = 60


class HotCode:
    """Says where the run is spent."""

    name = "hot code"

    async def criticise(self, evidence: Evidence) -> Report:
        portrait = await evidence.portrait()
        if portrait.profile is None:
            return Report(notes=portrait.notes)
        source, profile = evidence.source, portrait.profile
        # A profile by the second source is still a profile; why the first failed belongs to the doctor.
        return Report((*hot_functions(source, profile), *hot_lines(source, profile)))


def hot_functions(source: Source, profile: Profile) -> tuple[Finding, ...]:
    """The functions with the most of the run, library code counted to its caller."""
    shares: dict[tuple[str, int, int], float] = {}
    for line, share in profile.lines.items():
        if (function := source.function_at(line)) is not None:
            key = (function.name, function.first, function.last)
            shares[key] = min(1.0, shares.get(key, 0.0) + share)
    ranked = sorted(shares.items(), key=lambda item: -item[1])[:MOST_FUNCTIONS]
    return tuple(
        finding(
            Kind.HOT_FUNCTION,
            (first, last),
            f"“{name}” itself takes {phrases.percent(share)} of the {profile.counts}.",
            f"{profile.evidence}: {phrases.percent(share)}",
            share,
        )
        for (name, first, last), share in ranked
        if share >= LEAST_FUNCTION
    )


def hot_lines(source: Source, profile: Profile) -> tuple[Finding, ...]:
    """In each function the hottest line with its hot neighbours."""
    found: list[Finding] = []
    seen: set[tuple[int, int]] = set()
    for line, share in sorted(profile.lines.items(), key=lambda item: -item[1]):
        function = source.function_at(line)
        if function is None or share < NEIGHBOUR or (key := (function.first, function.last)) in seen:
            continue
        seen.add(key)
        first = last = line
        while first > function.first and profile.lines.get(first - 1, 0.0) >= NEIGHBOUR:
            first -= 1
        while last < function.last and profile.lines.get(last + 1, 0.0) >= NEIGHBOUR:
            last += 1
        whole = profile.share(first, last)
        if whole < LEAST_LINES:
            continue
        quoted = source.line_text(line)
        quoted = phrases.cut(quoted, QUOTED)
        where = f"line {line}" if first == last else f"lines {first}–{last}, most of it on line {line}"
        found.append(
            finding(
                Kind.HOT_LINES,
                (first, last),
                f"{phrases.percent(whole)} of the {profile.counts} is on {where}: {quoted}",
                f"{profile.evidence}: {phrases.percent(whole)}",
                whole,
            )
        )
    return tuple(found)

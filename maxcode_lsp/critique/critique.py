"""Running all critics on one version and merging what they say."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from maxcode_lsp.critique.complexity import Complexity
from maxcode_lsp.critique.critic import Critic, Report
from maxcode_lsp.critique.evidence import Evidence, Subject
from maxcode_lsp.critique.hot_code import HotCode
from maxcode_lsp.critique.io_share import IoShare
from maxcode_lsp.critique.kinds import ORDER
from maxcode_lsp.critique.patterns.patterns import Patterns
from maxcode_lsp.critique.remarks import Remarks
from maxcode_lsp.critique.source import Source
from maxcode_lsp.critique.tidy import TidyChecks
from maxcode_lsp.errors import MaxcodeError
from maxcode_lsp.records import Critique, Finding

_log = logging.getLogger(__name__)

LIMIT_S = 60.0
"""Of a whole critique, builds and profiles included."""
_END_S = 2.0
"""How long stopped critics may take to end."""
SIDE_BY_SIDE = 2
COLDEST_LINE = 0.001
"""Lines with a smaller share (0..1) are left out of ``hot_lines``."""
_RANKS = {kind.value: rank for rank, kind in enumerate(ORDER)}

CRITICS: dict[str, Critic] = {
    critic.name: critic for critic in (HotCode(), TidyChecks(), IoShare(), Remarks(), Patterns(), Complexity())
}
"""All critics by name. A new one is one file and one name here."""


async def critique(subject: Subject, critics: Sequence[Critic] | None = None, *, limit_s: float = LIMIT_S) -> Critique:
    """Everything that the critics (None: all) find about a version.

    Never raises for what the code or a critic does: a critic that fails, or is not ready after
    ``limit_s`` for all of them together, becomes a note. Cancelling ends whatever runs.
    """
    chosen = tuple(CRITICS.values()) if critics is None else critics
    evidence = Evidence(subject)
    try:
        reports = await _ask_all(chosen, evidence, limit_s)
        profile = evidence.profile_so_far()
    finally:
        await evidence.close()
    return Critique(
        findings=merge(evidence.source, (finding for report in reports for finding in report.findings)),
        hot_lines={line: s for line, s in profile.lines.items() if s >= COLDEST_LINE} if profile else {},
        profile_source=profile.source if profile else "",
        notes=tuple(dict.fromkeys(note for report in reports for note in report.notes)),
    )


async def _ask_all(critics: Sequence[Critic], evidence: Evidence, limit_s: float) -> list[Report]:
    turns = asyncio.Semaphore(SIDE_BY_SIDE)
    tasks = {asyncio.create_task(_ask(critic, evidence, turns)): critic for critic in critics}
    if not tasks:
        return []
    try:
        done, _ = await asyncio.wait(tasks, timeout=limit_s)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_END_S)
    late = "The critic for {} was stopped after {:g} s."
    return [
        task.result() if task in done and not task.cancelled() else Report(notes=(late.format(critic.name, limit_s),))
        for task, critic in tasks.items()
    ]


async def _ask(critic: Critic, evidence: Evidence, turns: asyncio.Semaphore) -> Report:
    async with turns:
        try:
            return await critic.criticise(evidence)
        except MaxcodeError as error:
            return Report(notes=(f"The critic for {critic.name} could not work: {error}",))
        except Exception as error:  # noqa: BLE001
            # A critic only advises: its own mistake must not end a user's run.
            _log.exception("critic %s failed", critic.name)
            return Report(notes=(f"The critic for {critic.name} failed: {type(error).__name__}.",))


def merge(source: Source, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """At most one finding per kind and function (the costliest), costliest first, ids made unique.

    Those that cost the same, in whole per cent, are in the order of ``kinds.ORDER``.
    """
    best: dict[tuple[str, int], Finding] = {}
    for finding in findings:
        function = source.function_at(finding.span.first)
        key = (finding.kind, function.first if function else -finding.span.first)
        if key not in best or _cost(finding) > _cost(best[key]):
            best[key] = finding
    ranked = sorted(best.values(), key=lambda one: (-round(_cost(one), 2), _RANKS[one.kind], one.span.first))
    used: Counter[str] = Counter()
    named: list[Finding] = []
    for finding in ranked:
        used[finding.id] += 1
        again = used[finding.id]
        named.append(finding if again == 1 else replace(finding, id=f"{finding.id}:{again}"))
    return tuple(named)


def _cost(finding: Finding) -> float:
    return -1.0 if finding.share is None else finding.share

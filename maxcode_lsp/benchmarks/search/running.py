"""All episodes of a comparison that are for real, one after the other, each written down as it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.benchmarks.search.episode import Episode
from maxcode_lsp.benchmarks.search.live import Stage, search
from maxcode_lsp.benchmarks.search.methods import Method
from maxcode_lsp.benchmarks.suites.suite import Subject
from maxcode_lsp.errors import InfrastructureError, Refused
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.settings import override


class Work(Struct, frozen=True, kw_only=True):
    """What is to be done."""

    subjects: Sequence[Subject]
    methods: Sequence[Method]
    seeds: int
    budget: int
    seconds: float
    """At most, of one search."""
    cache: Path
    """Of builds."""
    model: str = ""
    api_base: str = ""
    openevolve: Path | None = None
    """A Python that has it."""


async def take(
    work: Work,
    known: Callable[[str, str, int], bool],
    on_episode: Callable[[Episode], None],
    report: Callable[[str], None],
) -> None:
    """All episodes that are not known yet: by seed, then program, then method, so that what is cut off is even."""
    local = LocalServers()
    try:
        for seed in range(work.seeds):
            for subject in work.subjects:
                for method in work.methods:
                    if not known(subject.name, method.name, seed):
                        episode = await _episode(work, subject, method, seed, local)
                        on_episode(episode)
                        report(_told(episode))
    finally:
        await local.close()


async def _episode(work: Work, subject: Subject, method: Method, seed: int, local: LocalServers) -> Episode:
    asked = {"model": work.model or None, "api_base": work.api_base or None}
    stage = Stage(
        cache=work.cache,
        settings=override(subject.settings, **asked),
        budget=work.budget,
        seconds=work.seconds,
        local=local,
        openevolve=work.openevolve,
    )
    try:
        loaded = await subject.load()
        return await search(stage, loaded, subject.name, method, seed)
    except (Refused, InfrastructureError) as trouble:
        return Episode(subject.name, method.name, seed, work.budget, (), "trouble", 0.0, trouble=str(trouble))


def _told(episode: Episode) -> str:
    value = episode.steps[-1].value if episode.steps else 1.0
    said = f"{episode.program}, {episode.method}, seed {episode.seed}: {value:.2f}×"
    judged = f"{len(episode.steps)} candidates, {episode.seconds:.0f} s"
    return f"{said}, {judged}" + (f" ({episode.trouble})" if episode.trouble else "")

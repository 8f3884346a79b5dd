"""All episodes of a comparison that are for real, one after the other, each written down as it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.benchmarks.search.episode import Episode
from maxcode_lsp.benchmarks.search.live import Stage, search
from maxcode_lsp.benchmarks.search.methods import Method
from maxcode_lsp.engine.load import load
from maxcode_lsp.errors import InfrastructureError, Refused
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.settings import Settings

PEER = "openevolve"
"""A method that is a program of others."""


class Program(Struct, frozen=True):
    """A program of a suite with its settings."""

    name: str
    file: Path
    settings: Settings


class Work(Struct, frozen=True, kw_only=True):
    """What is to be done."""

    programs: Sequence[Program]
    methods: Sequence[Method]
    seeds: int
    budget: int
    seconds: float
    cache: Path


async def take(
    work: Work,
    known: Callable[[str, str, int], bool],
    on_episode: Callable[[Episode], None],
    report: Callable[[str], None],
) -> None:
    """All episodes that are not known yet, seeds first, then programs, then methods: what is cut off early is even."""
    local = LocalServers()
    try:
        for seed in range(work.seeds):
            for program in work.programs:
                for method in work.methods:
                    if known(program.name, method.name, seed):
                        continue
                    episode = await _episode(work, program, method, seed, local)
                    on_episode(episode)
                    report(_told(episode))
    finally:
        await local.close()


async def _episode(work: Work, program: Program, method: Method, seed: int, local: LocalServers) -> Episode:
    stage = Stage(cache=work.cache, settings=program.settings, budget=work.budget, seconds=work.seconds, local=local)
    try:
        loaded = await load(program.file, program.settings)
        return await search(stage, loaded, program.name, method, seed)
    except (Refused, InfrastructureError) as trouble:
        none = Episode(program.name, method.name, seed, work.budget, (), "trouble", 0.0)
        return replace(none, trouble=str(trouble))


def _told(episode: Episode) -> str:
    value = episode.steps[-1].value if episode.steps else 1.0
    judged = f"{len(episode.steps)} candidates, {episode.seconds:.0f} s"
    trouble = f" ({episode.trouble})" if episode.trouble else ""
    return f"{episode.program}, {episode.method}, seed {episode.seed}: {value:.2f}×, {judged}{trouble}"

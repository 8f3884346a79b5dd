"""``maxcode bench table`` and ``maxcode bench search``: replay tables, and searches compared on them or for real."""

from __future__ import annotations

import asyncio
import datetime as dt
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from rich.text import Text

from maxcode_lsp.benchmarks.report.curves import Curves, collect
from maxcode_lsp.benchmarks.report.figures import figures
from maxcode_lsp.benchmarks.search.episode import VERSION, Comparison, Episode
from maxcode_lsp.benchmarks.search.journal import Journal
from maxcode_lsp.benchmarks.search.methods import PEER, Method, method
from maxcode_lsp.benchmarks.search.replays import replayed
from maxcode_lsp.benchmarks.search.running import Work, take
from maxcode_lsp.benchmarks.suites.suite import Suite, load_suite
from maxcode_lsp.benchmarks.table.table import ProgramTable, read_tables, write_tables
from maxcode_lsp.cli.consoles import console, print_json
from maxcode_lsp.cli.failure import say
from maxcode_lsp.cli.interruption import run_interruptible
from maxcode_lsp.engine.places import builds_folder
from maxcode_lsp.errors import InfrastructureError, Refused
from maxcode_lsp.executor.machine import machine
from maxcode_lsp.executor.toolchain import find_compiler
from maxcode_lsp.messages import comparisons

Taken: TypeAlias = tuple[Comparison, dict[str, Curves]]


class Wishes(Struct, frozen=True, kw_only=True):
    """What is to be compared, and where to put what comes of it."""

    suite: str
    methods: tuple[str, ...]
    budget: int
    seeds: int
    replay: bool
    model: str | None
    api_base: str | None
    only: tuple[str, ...]
    seconds: float
    journal: Path | None
    report: Path | None
    openevolve: Path | None
    json: bool


def make_table(suite_name: str, only: tuple[str, ...], output: Path | None) -> int:
    """The whole command. A program that cannot be judged is told, and the others are done."""
    suite = load_suite(suite_name, only)
    file = output or suite.table
    tables = {one.program: one for one in read_tables(file)} if file.exists() else {}
    return run_interruptible(_make(suite, file, tables, _teller()))


async def _make(suite: Suite, file: Path, tables: dict[str, ProgramTable], report: Callable[[str], None]) -> int:
    from maxcode_lsp.benchmarks.table.building import build_table

    left = 0
    for subject in suite.subjects:
        try:
            loaded = await subject.load()
            known = tables.get(subject.name)
            if known is not None and known.source_sha256 == loaded.source.sha256:
                continue
            table = await build_table(subject.name, loaded, subject.settings, builds_folder(), report)
        except (Refused, InfrastructureError) as trouble:
            say(str(trouble))
            left += 1
            continue
        tables[subject.name] = table
        write_tables(file, [tables[name] for name in sorted(tables)])
        report(f"{subject.name}: {len(table.versions)} versions, the best {table.room:.2f}×")
    return 1 if left else 0


def compare(wishes: Wishes) -> int:
    """The whole command. What is going on is told on standard error."""
    suite = load_suite(wishes.suite, wishes.only)
    chosen = [method(name) for name in wishes.methods]
    if PEER in wishes.methods and wishes.openevolve is None:
        raise Refused(comparisons.peer_without_python())
    tell = _teller()
    if wishes.replay:
        about, curves = _replayed(wishes, suite, chosen, tell)
    else:
        about, curves = run_interruptible(_live(wishes, suite, chosen, tell))
    found = figures(about, curves)
    if wishes.report is not None:
        from maxcode_lsp.benchmarks.report.writing import write_report

        for written in write_report(found, curves, wishes.report):
            tell(str(written))
    if wishes.json:
        print_json(found)
    else:
        from maxcode_lsp.benchmarks.report.overview import overview

        console().print(overview(found))
    return 0


def _replayed(wishes: Wishes, suite: Suite, methods: Sequence[Method], tell: Callable[[str], None]) -> Taken:
    if wishes.model is not None:
        raise Refused(comparisons.replay_without_models())
    if not suite.table.exists():
        raise Refused(comparisons.no_table(str(suite.table), wishes.suite))
    names = [subject.name for subject in suite.subjects]
    tables = [one for one in read_tables(suite.table) if one.program in names]
    if missing := sorted(set(names) - {one.program for one in tables}):
        say(comparisons.not_in_table(str(suite.table), missing))
    about = _heading(wishes, suite, tables[0].machine, tables[0].compiler, [one.program for one in tables])
    about = with_room(about, tables)
    tell(comparisons.replay_told(len(tables), len(methods), wishes.seeds))
    return about, collect(replayed(tables, methods, wishes.seeds, wishes.budget), wishes.methods)


def with_room(about: Comparison, tables: Sequence[ProgramTable]) -> Comparison:
    """The heading with what tables know of each program."""
    from msgspec.structs import replace

    room = {one.program: one.room for one in tables if one.program in about.programs}
    noise = {one.program: round(one.noise_pct, 3) for one in tables if one.program in about.programs}
    return replace(about, room=room, noise=noise)


async def _live(wishes: Wishes, suite: Suite, methods: Sequence[Method], tell: Callable[[str], None]) -> Taken:
    compiler = (await find_compiler("g++")).version
    about = _heading(wishes, suite, machine(), compiler, [subject.name for subject in suite.subjects])
    if suite.table.exists():
        about = with_room(about, await asyncio.to_thread(read_tables, suite.table))
    journal = Journal(wishes.journal, about) if wishes.journal is not None else None
    episodes: list[Episode] = [] if journal is None else journal.episodes

    def keep(episode: Episode) -> None:
        if journal is not None:
            journal.add(episode)
        else:
            episodes.append(episode)

    work = Work(
        subjects=suite.subjects,
        methods=methods,
        seeds=wishes.seeds,
        budget=wishes.budget,
        seconds=wishes.seconds,
        cache=builds_folder(),
        model=wishes.model or "",
        api_base=wishes.api_base or "",
        openevolve=wishes.openevolve,
    )
    try:
        await take(work, journal.known if journal is not None else _unknown, keep, tell)
    finally:
        if journal is not None:
            journal.close()
    return about, collect(journal.episodes if journal is not None else episodes, wishes.methods)


def _heading(wishes: Wishes, suite: Suite, on: str, compiler: str, programs: Sequence[str]) -> Comparison:
    return Comparison(
        version=VERSION,
        suite=suite.name,
        methods=wishes.methods,
        programs=tuple(programs),
        seeds=wishes.seeds,
        budget=wishes.budget,
        replay=wishes.replay,
        model=wishes.model or "",
        machine=on,
        compiler=compiler,
        command=shlex.join(("maxcode", *sys.argv[1:])),
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    )


def _unknown(_program: str, _method: str, _seed: int) -> bool:
    """Nothing was taken before."""
    return False


def _teller() -> Callable[[str], None]:
    out = console(stderr=True)
    return lambda line: out.print(Text(line, style="dim"), soft_wrap=True)

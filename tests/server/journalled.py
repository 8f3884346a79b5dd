"""A journal of a run that another process made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from maxcode_lsp.engine.events import Event, Progress, RunResult
from maxcode_lsp.engine.journal.places import runs_folder
from maxcode_lsp.engine.journal.records import VERSION, Opened
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.settings import Settings
from maxcode_lsp.text.source import SourceText
from tests.server.scene import PREPARED, PROGRAM, evaluated


def journalled(
    file: Path,
    run: str,
    result: RunResult | None = None,
    *,
    live: bool = False,
    story: Sequence[Event] = (PREPARED, evaluated(1, best=True), evaluated(2)),
) -> Journal:
    """Two candidates were judged, or what ``story`` says; without a result the run was interrupted."""
    source = PROGRAM.encode()
    opened = Opened(
        version=VERSION,
        run=run,
        created="2030-01-02T03:04:05Z",
        maxcode="0.1.0",
        file=str(file),
        target=file.name,
        source=source,
        source_sha256=SourceText(source).sha256,
        settings=Settings(),
        search="greedy",
        policies=("rewrites",),
        seed=1,
    )
    journal = Journal.begin(runs_folder(), opened)
    for number, record in enumerate(story):
        assert not isinstance(record, Progress), "no journal has it"
        journal.append(float(number), record)
    if result is not None:
        journal.append(float(len(story)), result)
    if not live:
        journal.close()
    return journal

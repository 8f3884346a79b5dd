"""``maxcode/runs``, ``maxcode/candidate`` and ``maxcode/runChanged``: what a client's own view of runs is made of."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import msgspec
from lsprotocol import types
from msgspec.structs import replace
from pygls.exceptions import JsonRpcException

from maxcode_lsp.engine.board import row_of
from maxcode_lsp.engine.events import Event
from maxcode_lsp.engine.journal.reader import Recorded
from maxcode_lsp.engine.journal.records import Summary
from maxcode_lsp.errors import JournalError
from maxcode_lsp.messages import editors
from maxcode_lsp.server.custom import (
    RUN_CHANGED,
    CandidateInfo,
    CandidateParams,
    CandidateText,
    ImprovementInfo,
    RunInfo,
    RunsParams,
)
from maxcode_lsp.server.features.pace import Pace
from maxcode_lsp.server.runs import journals
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.runs.versions import findings_of, hunks_of
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.uris import normalised, path_of, uri_of
from maxcode_lsp.text.source import SourceText

EVERY_S = 0.25
MOST = 500
"""Runs of one answer."""
REQUEST_FAILED = types.LSPErrorCodes.RequestFailed.value


class RunList(Feature):
    """The runs of this session, and those in the journals."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._paces: dict[str, Pace] = {}

    async def runs(self, params: RunsParams) -> dict[str, Any]:
        """``{"runs": RunInfo[]}``, newest first. Raises JsonRpcException for one that cannot be read."""
        if params.run is not None:
            return {"runs": msgspec.to_builtins([await self._one(params.run)])}
        uri = normalised(params.uri) if params.uri is not None else None
        limit = max(0, min(params.limit, MOST))
        live = {run.id: run for run in self._session.runs if uri is None or run.uri == uri}
        found = [info(run, with_candidates=True) for run in live.values()]
        file = path_of(uri) if uri is not None else None
        if uri is None:
            past = await journals.listed(limit)
        else:
            past = await journals.of_file(file) if file is not None else []
        found += [_past(summary) for summary in past if summary.run not in live]
        found.sort(key=lambda run: (run.created, run.generation), reverse=True)
        return {"runs": msgspec.to_builtins(found[:limit])}

    async def candidate(self, params: CandidateParams) -> CandidateText:
        """The text of a candidate, or of the original. Raises JsonRpcException with a sentence."""
        run = self._session.runs.get(params.run) or await _recorded(params.run)
        if params.result:
            best = next((c for c, judged in reversed(run.evaluated.items()) if judged.best), None)
            wanted = run.result.winner if run.result is not None and run.result.winner is not None else best
        else:
            wanted = params.candidate
        raw = None if params.result and wanted is None else run.version(wanted)
        if raw is None:
            raise JsonRpcException(editors.unknown_candidate(params.run, params.candidate or ""), code=REQUEST_FAILED)
        document = self._session.documents.get(run.uri)
        language = document.language_id if document is not None else "c" if run.file.suffix == ".c" else "cpp"
        text = raw.decode(errors="replace").removeprefix("\ufeff")
        changed, found = await asyncio.to_thread(hunks_of, run, wanted), findings_of(run, wanted)
        return CandidateText(params.run, wanted, language, text, run.uri, changed, found)

    async def _one(self, ident: str) -> RunInfo:
        run = self._session.runs.get(ident)
        if run is not None:
            return info(run, with_candidates=True)
        try:
            found = await journals.about(ident)
        except JournalError as trouble:
            raise JsonRpcException(str(trouble), code=REQUEST_FAILED) from trouble
        if found is None:
            raise JsonRpcException(editors.unknown_run(ident), code=REQUEST_FAILED)
        return _retold(*found)

    def run_changed(self, run: Run, event: Event | None) -> None:
        """Tell a client that asked for it: at once at begin and end, else at the pace."""
        if not self._session.wants_runs:
            return
        pace = self._paces.setdefault(run.id, Pace(lambda: self._tell(run), EVERY_S))
        if event is None or not run.running:
            pace.now()
        else:
            pace.ask()
        if not run.running:
            del self._paces[run.id]

    def _tell(self, run: Run) -> None:
        if not self._session.closing:
            self._session.editor.notify(RUN_CHANGED, msgspec.to_builtins(info(run)))


def info(run: Run, *, with_candidates: bool = False) -> RunInfo:
    """A run of this session as the client sees it."""
    at, result = run.board.progress, run.result
    best, path = run.board.best, _path(run)
    depth, u = (at.depth, at.u) if at is not None else _reached(path)
    tokens, cost_usd = _spent(run)
    return RunInfo(
        run=run.id,
        generation=run.generation,
        uri=run.uri,
        target=run.target,
        status=run.status.value,
        phase=at.phase if at is not None and result is None else "",
        done=at.done if at is not None else 0,
        budget=at.budget if at is not None else run.settings.candidates,
        building=at.building if at is not None and result is None else 0,
        verifying=at.verifying if at is not None and result is None else 0,
        measuring=at.measuring if at is not None and result is None else 0,
        best=run.best,
        ci95=result.ci95 if result is not None else best.ci95 if best is not None else None,
        reason=result.reason if result is not None else "",
        applied=run.applied is not None,
        discarded=run.discarded,
        created=_created(run.id),
        search=run.settings.search,
        effort=run.settings.effort,
        seed=run.settings.seed,
        depth=depth,
        u=u,
        at=at.parent if at is not None and result is None else "",
        tokens=tokens,
        cost_usd=cost_usd,
        path=path,
        candidates=_candidates(run) if with_candidates else (),
    )


def _candidates(run: Run) -> tuple[CandidateInfo, ...]:
    best = run.board.best
    return tuple(
        CandidateInfo(
            number=judged.number,
            candidate=judged.candidate.id if judged.candidate is not None else None,
            origin=" + ".join(judged.actions),
            outcome=judged.evaluation.outcome.value,
            verdict=judged.evaluation.measurement.verdict.value if judged.evaluation.measurement else None,
            speedup=judged.speedup,
            best=best is not None and judged.number == best.number,
            parent=judged.candidate.parent if judged.candidate is not None else None,
            depth=judged.depth,
            u=judged.u,
            because=judged.because,
            ci95=row_of(judged).ci95,
            seconds=round(judged.evaluation.elapsed_s, 3),
        )
        for judged in run.evaluated.values()
    )


def _path(run: Run) -> tuple[ImprovementInfo, ...]:
    return tuple(
        ImprovementInfo(
            number=one.number,
            candidate=one.candidate,
            origin=one.origin,
            depth=one.depth,
            speedup=one.speedup,
            u=one.u,
            why=one.why,
            because=one.because,
        )
        for one in run.board.path
    )


def _spent(run: Run) -> tuple[int | None, float | None]:
    """Tokens and dollars; None where no model was asked."""
    at, result = run.board.progress, run.result
    spent = result.spent if result is not None else at.spent if at is not None else None
    return (spent.tokens_in + spent.tokens_out, spent.cost_usd) if spent is not None else (None, None)


def _reached(path: tuple[ImprovementInfo, ...]) -> tuple[int, float]:
    """Depth and u by the newest improvement, for a run of which there is no progress any more."""
    return (path[-1].depth, path[-1].u) if path else (0, 1.0)


def _past(summary: Summary) -> RunInfo:
    return RunInfo(
        run=summary.run,
        generation=0,
        uri=uri_of(Path(summary.file)),
        target=summary.target,
        status=summary.status,
        phase="",
        done=summary.evaluations,
        budget=summary.budget,
        building=0,
        verifying=0,
        measuring=0,
        best=summary.best,
        ci95=summary.ci95,
        reason=summary.reason,
        created=_created(summary.run),
        search=summary.search,
        effort=summary.effort,
        seed=summary.seed,
        discarded=summary.discarded,
    )


def _retold(summary: Summary, recorded: Recorded) -> RunInfo:
    """A run of an earlier session, with all that its journal says of it."""
    opened, past = recorded.opened, _past(summary)
    run = Run(opened.run, 0, past.uri, Path(opened.file), SourceText(opened.source), opened.settings)
    journals.retell(run, recorded)
    path = _path(run)
    depth, u = _reached(path)
    tokens, cost_usd = _spent(run)
    told = _candidates(run)
    return replace(past, depth=depth, u=u, tokens=tokens, cost_usd=cost_usd, path=path, candidates=told)


def _created(run: str) -> str:
    """The time in a run's id, UTC, ISO 8601: of one form for all, so that it sorts."""
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.strptime(run[:15], "%Y%m%d-%H%M%S"))
    except ValueError:
        return ""


async def _recorded(ident: str) -> Run:
    """A run of an earlier session. Raises JsonRpcException."""
    try:
        found = await journals.recorded(ident)
    except JournalError as trouble:
        raise JsonRpcException(str(trouble), code=REQUEST_FAILED) from trouble
    if found is None:
        raise JsonRpcException(editors.unknown_run(ident), code=REQUEST_FAILED)
    opened = found.opened
    run = Run(opened.run, 0, uri_of(Path(opened.file)), Path(opened.file), SourceText(opened.source), opened.settings)
    journals.retell(run, found)
    return run

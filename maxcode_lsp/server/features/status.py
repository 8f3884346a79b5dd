"""Why the server is idle, busy or not serving a document, in one sentence."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence

from maxcode_lsp import __version__
from maxcode_lsp.engine import wording
from maxcode_lsp.engine.client import EngineState
from maxcode_lsp.messages import editors, phrases, refusals
from maxcode_lsp.server.custom import StatusInfo, StatusParams
from maxcode_lsp.server.features.picking import models_of
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document
from maxcode_lsp.settings.schema import EFFORTS, STRATEGIES, Settings

COMPILERS = ("g++", "gcc", "clang++", "clang")
"""One of them is enough where the settings name none."""
LIMIT_S = 5.0

IDLE, RUNNING, INACTIVE = "idle", "running", "inactive"


class Status(Feature):
    """Answers ``maxcode/status``."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._found: set[str] = set()

    async def status(self, params: StatusParams) -> StatusInfo:
        """Of a document, or of the server."""
        session = self._session
        document = session.documents.get(params.uri) if params.uri is not None else None
        if params.uri is not None:
            runs = session.runs.of(document.uri) if document is not None else []
        else:
            runs = list(session.runs)
        trusted = session.folders.trusted(document.path) if document is not None and document.path else None
        state, reason = await self._state(params, document, runs, trusted)
        settings = Settings()
        if document is not None and document.path is not None and trusted is not False:
            settings = await session.folders.settings(document.path)
        return StatusInfo(
            state=state,
            reason=reason,
            trusted=trusted,
            engine=session.engine.state.value,
            running=sum(run.running for run in runs),
            version=__version__,
            efforts=tuple(EFFORTS),
            searches=STRATEGIES,
            models=await models_of(settings),
        )

    async def _state(
        self, params: StatusParams, document: Document | None, runs: list[Run], trusted: bool | None
    ) -> tuple[str, str]:
        if self._session.closing:
            return INACTIVE, editors.server_closing()
        going_on = [run for run in runs if run.running]
        if going_on:
            said = (wording.progress(phrases.printable(r.target), r.best, r.board.progress) for r in going_on)
            return RUNNING, "; ".join(said)
        if document is not None and document.inactive:
            return INACTIVE, document.inactive
        if trusted is False:
            return INACTIVE, editors.not_trusted()
        if self._session.engine.state is EngineState.FAILED and self._session.engine_trouble:
            return INACTIVE, self._session.engine_trouble
        if missing := await self._no_compiler(document):
            return INACTIVE, missing
        if params.uri is not None and document is None:
            return INACTIVE, editors.not_open(params.uri)
        return IDLE, _idle(document, runs)

    async def _no_compiler(self, document: Document | None) -> str:
        settings = None
        if document is not None and document.path is not None:
            settings = await self._session.folders.settings(document.path)
        named = settings.compiler if settings is not None else ""
        wanted = (named,) if named else COMPILERS
        if self._found.isdisjoint(wanted):
            try:
                # What is not there may be installed any time; what was found once is not looked for again.
                async with asyncio.timeout(LIMIT_S):
                    self._found |= await asyncio.to_thread(_on_path, wanted)
            except TimeoutError:
                return ""
        return "" if not self._found.isdisjoint(wanted) else editors.no_compiler(named)


def _on_path(names: Sequence[str]) -> set[str]:
    return {name for name in names if shutil.which(name) is not None}


def _idle(document: Document | None, runs: list[Run]) -> str:
    if document is not None and document.main() is None:
        return refusals.no_main(phrases.printable(document.name))
    if document is not None and runs and (result := runs[-1].result) is not None:
        return result.reason
    return editors.ready_to_start()

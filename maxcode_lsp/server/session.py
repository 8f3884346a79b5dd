"""What all features share: the editor, the documents, the folders, the runs and the engine."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from maxcode_lsp import redaction
from maxcode_lsp.engine.client import Engine, EngineState
from maxcode_lsp.engine.events import Event
from maxcode_lsp.server.connection.editor import Editor
from maxcode_lsp.server.runs.findings import Findings
from maxcode_lsp.server.runs.fits import Fits
from maxcode_lsp.server.runs.runs import Run, Runs
from maxcode_lsp.server.workspace.documents import Document, Documents
from maxcode_lsp.server.workspace.folders import Folders

_log = logging.getLogger(__name__)
F = TypeVar("F")


class Feature:
    """One thing that the user sees; it takes what it wants to hear. On the event loop: it must not block."""

    def run_changed(self, run: Run, event: Event | None) -> None:
        """A run began (``event`` None), something happened in it, or its result was applied (None)."""

    def document_changed(self, document: Document) -> None:
        """A document was opened or edited."""

    def document_closed(self, document: Document) -> None:
        """A document was closed; its runs go on."""


class Session:
    """One connection."""

    def __init__(self, editor: Editor, documents: Documents) -> None:
        self.editor = editor
        self.documents = documents
        self.folders = Folders(editor)
        self.runs = Runs()
        self.engine = Engine(self._happened, self._engine_changed)
        self.engine_trouble = ""
        """Why the engine is not there, one sentence; empty: nothing is wrong."""
        self.findings = Findings(self.documents, self.runs, self.spawn)
        self.fits = Fits(self.spawn)
        self.features: list[Feature] = []
        self.wants_runs = False
        """The client asked for ``maxcode/runChanged``."""
        self.closing = False
        self._tasks: set[asyncio.Task[Any]] = set()

    def feature(self, kind: type[F]) -> F:
        """The feature of a kind. Raises LookupError where there is none, which is a fault of ours."""
        for feature in self.features:
            if isinstance(feature, kind):
                return feature
        raise LookupError(kind.__name__)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Work in the background: a fault is logged, and it is cancelled at the end."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            _log.error("background work failed", exc_info=fault)

    def tell_run(self, run: Run, event: Event | None = None) -> None:
        """Tell the features about a run. One that fails does not keep the others from hearing of it."""
        for feature in (self.findings, *self.features):
            try:
                feature.run_changed(run, event)
            except Exception:  # noqa: BLE001 (it is logged)
                _log.exception("%s failed", type(feature).__name__)

    def tell_document(self, document: Document, *, closed: bool = False) -> None:
        """Tell the features about a document."""
        for feature in (self.findings, *self.features):
            try:
                if closed:
                    feature.document_closed(document)
                else:
                    feature.document_changed(document)
            except Exception:  # noqa: BLE001 (it is logged)
                _log.exception("%s failed", type(feature).__name__)

    def _happened(self, run_id: str, event: Event) -> None:
        run = self.runs.get(run_id)
        if run is not None and run.running:
            run.happened(event)
            self.tell_run(run, event)

    def _engine_changed(self, state: EngineState, why: str) -> None:
        self.engine_trouble = why
        if state in {EngineState.RESTARTING, EngineState.FAILED} and why:
            self.editor.log(why)

    def keep_secrets(self, secrets: dict[str, str]) -> None:
        """Keys from the editor, in place of those before: in memory only, for the engine and nobody else."""
        redaction.hide(secrets.values())
        self.engine.give_secrets(secrets)

    async def close(self) -> None:
        """End everything that was started here, within 2 s."""
        self.closing = True
        for task in list(self._tasks):
            task.cancel()
        self.folders.close()
        await self.engine.close()
        if self._tasks:
            await asyncio.wait(list(self._tasks), timeout=0.5)

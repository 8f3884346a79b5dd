"""What the engine process does with requests: runs, judgements and inspections, several at once."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from maxcode_lsp.engine.board import Board, advance, ended_early
from maxcode_lsp.engine.events import Event, Progress, RunResult
from maxcode_lsp.engine.faults import sentence_for
from maxcode_lsp.engine.inspect import inspect
from maxcode_lsp.engine.judge import judge_text
from maxcode_lsp.engine.outlet import Outlet
from maxcode_lsp.engine.run import optimize
from maxcode_lsp.engine.wire import (
    Cancel,
    Drop,
    Happened,
    Inspect,
    Inspected,
    Request,
    Secrets,
    Start,
    Verified,
    Verify,
)
from maxcode_lsp.errors import Refused, SettingsError
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.messages import endings, troubles
from maxcode_lsp.model.keys import Keys
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.records import Critique, RunStatus

_log = logging.getLogger(__name__)

PROGRESS_S = 0.1
"""Ours: of one run, its progress is told this often at most; all else at once."""
TEARDOWN_S = 5.0
"""How long a run waits until an earlier one has let go of the file."""


class _Run:
    """A run, and what the server is told of it: nothing after its result."""

    def __init__(self, request: Start, outlet: Outlet) -> None:
        self.request = request
        self.file = os.path.normpath(request.file)
        self.task: asyncio.Task[None] | None = None
        self.board = Board(target=Path(request.file).name)
        self._outlet = outlet
        self._started_s = time.monotonic()
        self._progress: Progress | None = None
        self._told_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def ended(self) -> bool:
        """Its result was told."""
        return self.board.result is not None

    def tell(self, event: Event) -> None:
        """Something happened in it."""
        if self.ended:
            return
        self.board = advance(self.board, event)
        if isinstance(event, Progress):
            self._progress = event
            if self._timer is None:
                self._later(self._told_s + PROGRESS_S - time.monotonic())
            return
        if isinstance(event, RunResult) and self._timer is not None:
            self._timer.cancel()
        self._outlet.send(Happened(self.request.run, event))

    def end(self, status: RunStatus, reason: str) -> None:
        """It ends here, whatever is still going on in it."""
        self.tell(ended_early(self.board, status, reason, time.monotonic() - self._started_s))

    def stop(self) -> None:
        """The user wants it no more: answered at once, torn down after that."""
        best = self.board.best.speedup if self.board.best is not None else None
        self.end(RunStatus.CANCELLED, endings.run_stopped(self.board.target, best))
        if self.task is not None:
            self.task.cancel()

    def _later(self, pause_s: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(max(0.0, pause_s), self._tell_progress)

    def _tell_progress(self) -> None:
        if self._outlet.slow:
            self._later(PROGRESS_S)
        elif self._progress is not None:
            self._timer, self._told_s = None, time.monotonic()
            self._outlet.send(Happened(self.request.run, self._progress))


class Serving:
    """All that goes on in the engine process."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self.keys = Keys()
        """Where the models of runs that begin later look for their keys."""
        self._cores = Cores()
        self._local = LocalServers()
        self._runs: dict[str, _Run] = {}
        """Those that are not torn down yet."""
        self._answering: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._interrupted = False

    @property
    def busy(self) -> bool:
        """Anything goes on."""
        return bool(self._tasks)

    def take(self, request: Request) -> None:
        """Do what a request asks for, in the background."""
        match request:
            case Start():
                self._start(request)
            case Cancel():
                if (run := self._runs.get(request.run)) is not None and not run.ended:
                    run.stop()
            case Verify():
                self._answer(request.id, self._verify(request))
            case Inspect():
                self._answer(request.id, self._inspect(request))
            case Secrets():
                self.keys = Keys(request.values)
            case Drop():
                if (answering := self._answering.get(request.id)) is not None:
                    answering.cancel()

    async def interrupt(self) -> None:
        """Everything stops as it is: journals stay open, so that runs can go on later."""
        self._interrupted = True
        self._outlet.close()
        for task in self._tasks:
            if not task.cancelling():
                task.cancel()
        await asyncio.gather(*self._tasks, self._local.close(), return_exceptions=True)

    def _start(self, request: Start) -> None:
        known = self._runs.get(request.run)
        if known is not None and not known.ended:
            _log.warning("run %s was started twice", request.run)
            return
        run = _Run(request, self._outlet)
        earlier = [other for other in self._runs.values() if other.file == run.file or other is known]
        for other in earlier:
            if not other.ended:
                other.stop()
        self._runs[request.run] = run
        run.task = self._spawn(self._optimize(run, [other.task for other in earlier if other.task is not None]))

    async def _optimize(self, run: _Run, earlier: list[asyncio.Task[None]]) -> None:
        request = run.request
        try:
            if earlier:
                await asyncio.wait(earlier, timeout=TEARDOWN_S)
            await optimize(
                Path(run.file),
                request.settings,
                run.tell,
                run=request.run,
                resume=request.resume,
                text=request.text,
                cores=self._cores.share(),
                keys=self.keys,
                local=self._local,
                allow_unsafe=request.allow_unsafe,
                interrupted=lambda: self._interrupted,
            )
        except (Refused, SettingsError) as error:
            run.end(RunStatus.REFUSED, sentence_for(error))
        except Exception as error:  # noqa: BLE001 - the outermost edge: any fault becomes a sentence and a log
            run.end(RunStatus.FAILED, sentence_for(error))
        finally:
            # Nobody waits for ever, whatever it was.
            run.end(RunStatus.FAILED, troubles.run_ended_oddly(run.board.target))
            if self._runs.get(request.run) is run:
                del self._runs[request.run]

    def _answer(self, number: int, work: Coroutine[Any, Any, None]) -> None:
        task = self._spawn(work)
        self._answering[number] = task
        task.add_done_callback(lambda _: self._answering.pop(number, None))

    async def _verify(self, request: Verify) -> None:
        try:
            judgement = await judge_text(
                Path(request.file),
                request.edited,
                Path(request.file).name,
                text=request.original,
                settings=request.settings,
                allow_unsafe=request.allow_unsafe,
                cores=self._cores.share(),
            )
        except Exception as error:  # noqa: BLE001 - as for runs
            self._outlet.send(Verified(request.id, None, sentence_for(error)))
        else:
            self._outlet.send(Verified(request.id, judgement))

    async def _inspect(self, request: Inspect) -> None:
        try:
            critique = await inspect(Path(request.file).name, request.text)
        except Exception as error:  # noqa: BLE001 - as for runs
            self._outlet.send(Inspected(request.id, Critique(notes=(sentence_for(error),))))
        else:
            self._outlet.send(Inspected(request.id, critique))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

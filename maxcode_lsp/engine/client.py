"""The server's side of the engine process: started on demand, restarted after a crash, gone within 2 s."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from maxcode_lsp import log
from maxcode_lsp.engine.board import Board, advance, ended_early
from maxcode_lsp.engine.events import Evaluated, Event, Judgement, RunResult
from maxcode_lsp.engine.link import Link
from maxcode_lsp.engine.wire import (
    Cancel,
    Drop,
    Happened,
    Inspect,
    Inspected,
    Message,
    Secrets,
    Start,
    Verified,
    Verify,
)
from maxcode_lsp.errors import EngineLost, MaxcodeError, Refused
from maxcode_lsp.messages import endings, troubles, verdicts
from maxcode_lsp.records import Critique, RunStatus

_log = logging.getLogger(__name__)

STARTS = 3
"""Ours: so often one start is tried, as an engine may die of something outside while it starts."""
RESTARTS = 2
"""Ours: a run that was there at so many crashes within ``RESTARTS_S`` is given up at the next."""
RESTARTS_S = 60.0
PAUSE_S = 0.2
"""Before a restart."""
VERIFY_S = 1800.0
"""Ours: a judgement has limits of its own; this one is for the case that they fail."""
INSPECT_S = 30.0


class EngineState(str, Enum):
    """Where the engine process is."""

    STOPPED = "stopped"
    STARTING = "starting"
    RUNNING = "running"
    RESTARTING = "restarting"
    """It died; the runs it had go on as soon as it is there again."""
    FAILED = "failed"
    """It died again and again; the next request tries anew."""
    CLOSED = "closed"


class _Run:
    """A run that has no result yet."""

    def __init__(self, request: Start) -> None:
        self.request = request
        self.board = Board(target=Path(request.file).name)
        self.sent = False
        self.crashes_s: list[float] = []
        self._started_s = time.monotonic()
        self._numbers: set[int] = set()

    def news(self, event: Event) -> bool:
        """Fold an event in; False: it was told before the engine was lost."""
        if isinstance(event, Evaluated):
            if event.number in self._numbers:
                return False
            self._numbers.add(event.number)
        self.board = advance(self.board, event)
        return True

    def ended(self, status: RunStatus, reason: str) -> RunResult:
        """A result from what is known here."""
        return ended_early(self.board, status, reason, time.monotonic() - self._started_s)


class Engine:
    """One engine process at most. All callbacks are called on the event loop and must not block."""

    def __init__(
        self,
        on_event: Callable[[str, Event], None],
        on_state: Callable[[EngineState, str], None] = lambda _state, _why: None,
    ) -> None:
        """``on_event(run, event)``: every run that was started ends with a ``RunResult``, also after a crash that
        could not be mended. ``on_state(state, why)``: ``why`` is a sentence for people, empty where all is well.
        """
        self.state = EngineState.STOPPED
        self._on_event = on_event
        self._on_state = on_state
        self._link: Link | None = None
        self._opening: asyncio.Task[Link] | None = None
        self._recovering: asyncio.Task[None] | None = None
        self._runs: dict[str, _Run] = {}
        self._questions: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._secrets = Secrets({})

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        return self._link.pid if self._link is not None else None

    @property
    def _closed(self) -> bool:
        return self.state is EngineState.CLOSED

    async def start(self, request: Start) -> None:
        """Begin a run. Raises EngineLost where no engine can be started."""
        run = self._runs[request.run] = _Run(request)
        try:
            link = await self._linked()
            # Meanwhile it may have been cancelled, or sent by a restart.
            if self._runs.get(request.run) is run and not run.sent:
                run.sent = True
                link.send(request)
        except ValueError:
            self._finish(request.run, RunStatus.REFUSED, troubles.request_too_large(run.board.target))
        except BaseException:
            if self._runs.get(request.run) is run:
                del self._runs[request.run]
            raise

    def cancel(self, run: str) -> None:
        """End a run; answers at once. ``on_event`` gets its result from here: a busy engine may be slow to say so."""
        known = self._runs.get(run)
        if known is None:
            return
        if known.sent and self._link is not None:
            self._link.send(Cancel(run))
        best = known.board.best.speedup if known.board.best is not None else None
        self._finish(run, RunStatus.CANCELLED, endings.run_stopped(known.board.target, best))

    def give_secrets(self, values: Mapping[str, str]) -> None:
        """Keys of model providers, in place of those before, for runs that begin later; see :class:`Secrets`."""
        self._secrets = Secrets(dict(values))
        if self._link is not None:
            self._link.send(self._secrets)

    async def verify(self, request: Verify) -> Judgement:
        """Judge an edited file. Raises MaxcodeError where it could not be judged. ``id`` is set here."""
        try:
            answer = await self._ask(request, VERIFY_S)
        except TimeoutError:
            raise EngineLost(verdicts.not_answered_in_time(VERIFY_S)) from None
        assert isinstance(answer, Verified)
        if answer.judgement is None:
            raise MaxcodeError(answer.reason)
        return answer.judgement

    async def inspect(self, request: Inspect) -> Critique:
        """Criticise without running anything. ``id`` is set here. Raises EngineLost; Refused for a text too large."""
        try:
            answer = await self._ask(request, INSPECT_S)
        except TimeoutError:
            return Critique(notes=(troubles.not_inspected_in_time(INSPECT_S),))
        assert isinstance(answer, Inspected)
        return answer.critique

    async def close(self) -> None:
        """End the process and all it started, within 2 s. Idempotent."""
        if self._closed:
            return
        self._tell(EngineState.CLOSED, "")
        link, self._link = self._link, None
        for task in (self._opening, self._recovering):
            if task is not None:
                task.cancel()
        pending = [task for task in (self._opening, self._recovering) if task is not None]
        await asyncio.gather(
            *([link.close()] if link is not None else []), *([asyncio.wait(pending, timeout=2.0)] if pending else [])
        )
        self._lose_questions(troubles.engine_closed())
        for run, known in list(self._runs.items()):
            self._finish(run, RunStatus.CANCELLED, troubles.run_interrupted(known.board.target))

    async def _ask(self, request: Verify | Inspect, limit_s: float) -> Verified | Inspected:
        link = await self._linked()
        self._number += 1
        number = self._number
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._questions[number] = answer
        try:
            link.send(replace(request, id=number))
            async with asyncio.timeout(limit_s):
                return await answer
        except ValueError:
            raise Refused(troubles.request_too_large(Path(request.file).name)) from None
        except (TimeoutError, asyncio.CancelledError):
            link.send(Drop(number))
            raise
        finally:
            self._questions.pop(number, None)

    async def _linked(self) -> Link:
        """The engine, started if need be. Raises EngineLost."""
        while self._link is None:
            if self._closed:
                raise EngineLost(troubles.engine_closed())
            if self._opening is None:
                self._opening = asyncio.ensure_future(self._open())
            try:
                # Others may wait for it, too.
                await asyncio.shield(self._opening)
            except asyncio.CancelledError:
                if self._closed:
                    raise EngineLost(troubles.engine_closed()) from None
                raise
        return self._link

    async def _open(self) -> Link:
        if self.state is not EngineState.RESTARTING:
            self._tell(EngineState.STARTING, "")
        try:
            link = self._link = await self._opened()
            if self._secrets.values:
                link.send(self._secrets)
        except EngineLost as error:
            self._tell(EngineState.FAILED, str(error))
            raise
        else:
            self._tell(EngineState.RUNNING, "")
            return link
        finally:
            self._opening = None

    async def _opened(self) -> Link:
        for left in range(STARTS - 1, -1, -1):
            try:
                return await Link.open(self._heard, self._lost, self._busy)
            except EngineLost as error:
                if not left:
                    raise
                _log.warning("the engine is started once more: %s", error)
                await asyncio.sleep(PAUSE_S)
        raise AssertionError

    def _busy(self) -> bool:
        return bool(self._runs or self._questions)

    def _heard(self, message: Message) -> None:
        match message:
            case Happened():
                known = self._runs.get(message.run)
                if known is None or not known.news(message.event):
                    return
                if isinstance(message.event, RunResult):
                    del self._runs[message.run]
                self._happened(message.run, message.event)
            case Verified() | Inspected():
                answer = self._questions.get(message.id)
                if answer is not None and not answer.done():
                    answer.set_result(message)
            case _:
                pass

    def _lost(self, link: Link, how: str) -> None:
        """The engine ended, and not because it was told to."""
        if self._link is not link:
            return
        self._link = None
        if not how and not self._busy():
            self._tell(EngineState.STOPPED, "")
            return
        why = troubles.engine_died(how or "it ended by itself", str(log.log_file()))
        self._lose_questions(why)
        self._crashed(why)
        if self._runs:
            self._tell(EngineState.RESTARTING, troubles.engine_goes_on(why))
            self._recovering = asyncio.ensure_future(self._recover())
        else:
            self._tell(EngineState.FAILED, why)

    def _crashed(self, why: str) -> None:
        """The runs that an engine had were there at a crash, or at a restart that failed."""
        now_s = time.monotonic()
        for run, known in self._sent():
            known.crashes_s = [*(at_s for at_s in known.crashes_s if now_s - at_s < RESTARTS_S), now_s]
            if len(known.crashes_s) > RESTARTS:
                self._finish(run, RunStatus.FAILED, troubles.run_given_up(known.board.target, why))

    async def _recover(self) -> None:
        link: Link | None = None
        while link is None:
            await asyncio.sleep(PAUSE_S)
            try:
                link = await self._linked()
            except EngineLost as error:
                self._crashed(str(error))
                if not self._sent():
                    return
        for _, known in self._sent():
            link.send(replace(known.request, resume=True))

    def _sent(self) -> list[tuple[str, _Run]]:
        """The runs that an engine has got; any other is sent by who starts it."""
        return [(run, known) for run, known in self._runs.items() if known.sent]

    def _finish(self, run: str, status: RunStatus, reason: str) -> None:
        """A run ends here; its result is told once whoever called is through."""
        known = self._runs.pop(run)
        asyncio.get_running_loop().call_soon(self._happened, run, known.ended(status, reason))

    def _happened(self, run: str, event: Event) -> None:
        try:
            self._on_event(run, event)
        except Exception:  # noqa: BLE001 - the face's own fault must not end what others see
            _log.exception("an event could not be taken")

    def _tell(self, state: EngineState, why: str) -> None:
        self.state = state
        try:
            self._on_state(state, why)
        except Exception:  # noqa: BLE001 - the same
            _log.exception("a state of the engine could not be taken")

    def _lose_questions(self, why: str) -> None:
        for answer in self._questions.values():
            if not answer.done():
                answer.set_exception(EngineLost(why))

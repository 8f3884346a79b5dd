"""The server's side of the engine process: started on demand, restarted after a crash, gone within 2 s."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from maxcode_lsp.engine.events import Event, Judgement
from maxcode_lsp.engine.wire import Inspect, Start, Verify
from maxcode_lsp.records import Critique


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
        raise NotImplementedError

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        raise NotImplementedError

    async def start(self, request: Start) -> None:
        """Begin a run. Raises EngineLost where no engine can be started."""
        raise NotImplementedError

    def cancel(self, run: str) -> None:
        """End a run; answers at once. ``on_event`` gets its result, from here if the engine is slow to say so."""
        raise NotImplementedError

    async def verify(self, request: Verify) -> Judgement:
        """Judge an edited file. Raises MaxcodeError with a sentence where it could not be judged. ``id`` is set here."""
        raise NotImplementedError

    async def inspect(self, request: Inspect) -> Critique:
        """Criticise without running anything. ``id`` is set here."""
        raise NotImplementedError

    async def close(self) -> None:
        """End the process and all it started, within 2 s. Idempotent."""
        raise NotImplementedError

"""What happens in a run: told to its face, and written into its journal unless it stands there already."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from pathlib import Path

from maxcode_lsp.clock import Stopwatch
from maxcode_lsp.engine.events import Decided, Event, Prepared, Progress, Replied, RunResult
from maxcode_lsp.engine.journal.places import journal_file
from maxcode_lsp.engine.journal.reader import Recorded, read
from maxcode_lsp.engine.journal.records import Opened, Record, Resumed
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.engine.replay import Replay
from maxcode_lsp.errors import JournalError, Refused, StorageFull
from maxcode_lsp.messages import troubles
from maxcode_lsp.model.model import Usage
from maxcode_lsp.records import Environment, RunStatus

FREE_WITHIN_S = 3.0
"""A process that had the journal and is being torn down has let go of it by then."""
POLL_S = 0.02
CAN_GO_ON = frozenset({RunStatus.CANCELLED, RunStatus.FAILED})
"""Ends after which a run can be continued, besides none at all."""
_REDONE = frozenset({"trimmed", "confirmed", "given_up"})


class Recording:
    """One run's events. Trouble with the journal never ends a run: it becomes a note."""

    def __init__(self, tell: Callable[[Event], None], time: Stopwatch, on_left: Callable[[int], None]) -> None:
        """``time``: the run's own; it stands still while what is known is replayed. ``on_left``: told after a replay
        how many recorded evaluations were not asked for.
        """
        self._tell = tell
        self._time = time
        self._on_left = on_left
        self._journal: Journal | None = None
        self._over = False
        self._earlier: Recorded | None = None
        self._opened: Opened | None = None
        self.replay = Replay()
        self.numbered = 0
        """The highest number of a judged candidate."""
        self.notes: list[str] = []
        self._replied: list[Replied] = []
        """What models answered in earlier processes, known answers left out."""

    async def begin(self, folder: Path, opened: Opened) -> None:
        """Begin the journal."""
        self._opened = opened
        try:
            self._journal = Journal.begin(folder, opened)
        except StorageFull as full:
            self.notes.append(str(full))

    async def go_on(self, folder: Path, opened: Opened) -> Recorded | None:
        """Go on with a journal; what stands in it, or None where the run begins anew.

        ``opened``: its heading if it began now. Raises Refused where a live process has it.
        """
        self._opened = opened
        if not await asyncio.to_thread(journal_file(folder, opened.run).exists):
            # It ended before it had begun.
            await self.begin(folder, opened)
            return None
        try:
            self._journal = await _reopened(folder, opened.run)
            recorded = await asyncio.to_thread(read, self._journal.path)
            said = [line.record for line in recorded.lines]
            self._replied = [record for record in said if isinstance(record, Replied) and not record.cached]
            if recorded.opened.source != opened.source:
                self._anew(troubles.source_changed(opened.target))
                return None
            self._journal.cut(recorded.end)
        except (JournalError, StorageFull) as trouble:
            await self.close()
            self._over = False
            self.notes.append(str(trouble))
            return None
        self._opened = recorded.opened
        end = recorded.result
        if end is None or end.status in CAN_GO_ON:
            self._lead_along(recorded)
        else:
            self._over = True
            for line in recorded.lines:
                if isinstance(line.record, Event) and not isinstance(line.record, RunResult):
                    self._tell(line.record)
        return recorded

    def _lead_along(self, recorded: Recorded) -> None:
        searched = [line for line in recorded.lines if _is_search(line.record)]
        spent_s = max((line.at_s for line in searched), default=0.0)
        self._time.hold(spent_s)  # or what happens first after the replay could come before this line
        self._write(Resumed(now_utc(), spent_s))
        self._time.go_on(spent_s)
        if not searched:
            return
        self._earlier = recorded
        self.numbered = max((found.number for found in recorded.evaluated), default=0)
        self._time.hold(searched[0].at_s)

        def over(left: int) -> None:
            self._time.go_on(spent_s)
            self._on_left(left)

        self.replay = Replay(searched, on_time=self._time.hold, on_over=over)
        if self.replay.over:
            over(0)

    @property
    def spent(self) -> Usage:
        """On models, in earlier processes."""
        return sum((Usage(one.tokens_in, one.tokens_out, one.cost_usd) for one in self._replied), Usage())

    def check(self, environment: Environment) -> None:
        """What was measured elsewhere tells nothing here: begin anew where the environment is another one."""
        known = [line.record for line in self._earlier.lines] if self._earlier is not None else []
        before = next((record.environment for record in known if isinstance(record, Prepared)), environment)
        if _measures_alike(before) != _measures_alike(environment):
            self._anew(troubles.environment_changed())

    def _anew(self, why: str) -> None:
        self.notes.append(troubles.begun_anew(why))
        self.replay = Replay()
        self._earlier = None
        self.numbered = 0
        self._time.go_on(0.0)
        if self._journal is not None and self._opened is not None:
            try:
                self._journal.cut(0)
                self._journal.append(0.0, self._opened)
                for replied in self._replied:  # what was spent stays spent
                    self._journal.append(0.0, replied)
            except StorageFull as full:
                self.notes.append(str(full))

    def happened(self, event: Event) -> Event:
        """Tell an event, as it stands in the journal where it happened before; what was told."""
        if self._over:
            return event
        known = self.replay.told(event)
        if known is None and not isinstance(event, Progress):
            self._write(event)
        self._tell(known or event)
        return known or event

    def end(self, result: RunResult) -> None:
        """Write the end down. Nothing comes after it."""
        if not self._over:
            self._write(result)
            self._over = True

    def _write(self, record: Record) -> None:
        if self._journal is not None:
            try:
                self._journal.append(self._time.now_s(), record)
            except StorageFull as full:
                self.notes.append(str(full))

    async def close(self) -> None:
        """Let go of the journal. Idempotent."""
        self._over = True
        await self.replay.close()
        if self._journal is not None:
            self._journal.close()
            self._journal = None


async def _reopened(folder: Path, run: str) -> Journal:
    waited_s = 0.0
    while (journal := Journal.go_on(folder, run)) is None:
        if waited_s >= FREE_WITHIN_S:
            raise Refused(troubles.journal_live(run))
        await asyncio.sleep(POLL_S)
        waited_s += POLL_S
    return journal


def _is_search(record: Record) -> bool:
    """It is part of preparing or searching; trimming and confirming are done again."""
    return not isinstance(record, Resumed | RunResult) and not (isinstance(record, Decided) and record.what in _REDONE)


def _measures_alike(environment: Environment) -> tuple[object, ...]:
    return environment.machine, environment.compiler, environment.flags, environment.maxcode


def now_utc() -> str:
    """The time for a journal."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")

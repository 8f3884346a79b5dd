"""A search led along its own journal, so that it goes on where an earlier process ended.

The search itself runs as ever. What it asks for, a critique, a policy's ideas or an evaluation, is answered in the
order in which it was answered before: evaluations and critiques from the journal, ideas by the policy, which has the
same for the same text. Where the search asks for something else than it did (a rule was quicker this time), the order
gives way, never the search. The first question that the journal does not answer ends the replay.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import itertools
import math
from collections import deque
from collections.abc import Callable, Sequence

from maxcode_lsp.engine.events import Critiqued, Decided, Evaluated, Event, Metered, Observed
from maxcode_lsp.engine.journal.records import Line, Record
from maxcode_lsp.executor.executor import Baseline, Executor
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.policy.policy import Observation, Policy, Proposal
from maxcode_lsp.records import Candidate, Critique, Evaluation, Overhead
from maxcode_lsp.target.job import EvaluationJob

SETTLE_TURNS = 100
"""Turns of the event loop in which a search has surely taken in an answer and asked what follows from it."""

Key = tuple[str | None, ...]


def key_of(record: Record | Event) -> Key | None:
    """What a record answers, the same in every process; None: it is no part of the search."""
    match record:
        case Evaluated(candidate=Candidate(id=candidate, parent=parent)):
            return _evaluation_key(candidate, parent)
        case Observed():
            return _ideas_key(record.policy, record.text_sha256)
        case Critiqued():
            return ("critiqued", record.candidate)
        case Metered():
            return ("metered", record.candidate)
        case Decided(what="went_on"):
            return ("went_on", record.candidate)
        case _:
            return None


def _ideas_key(policy: str, text_sha256: str) -> Key:
    return ("observed", policy, text_sha256)


def _evaluation_key(candidate: str, reference: str | None) -> Key:
    return ("evaluated", candidate, reference)


class Replay:
    """The answers of a journal. It is over when all were given, or the search asks for something new."""

    def __init__(
        self,
        lines: Sequence[Line] = (),
        *,
        on_time: Callable[[float], None] = lambda _: None,
        on_over: Callable[[int], None] = lambda _: None,
    ) -> None:
        """``on_time``: told the run's own time as it was at each answer. ``on_over``: told once, how many recorded
        evaluations the search has not asked for.
        """
        self._on_time = on_time
        self._on_over = on_over
        known = [(line, key) for line in lines if (key := key_of(line.record)) is not None]
        self._lines = [(line, key) for line, key in known if not isinstance(line.record, Decided)]
        self._places: dict[Key, deque[int]] = {}
        for place, (_, key) in enumerate(self._lines):
            self._places.setdefault(key, deque()).append(place)
        self._untold: dict[Key, deque[Record]] = {}
        for line, key in known:
            self._untold.setdefault(key, deque()).append(line.record)
        self._next = 0
        self._at_work = 0
        """Policies that are thinking: what they say may come before all that waits."""
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._changed = asyncio.Event()
        self._leading: asyncio.Task[None] | None = None
        self.over = not self._lines

    def told(self, event: Event) -> Event | None:
        """The record of something that happens again, once; None: it is new."""
        key = key_of(event)
        known = self._untold.get(key) if key is not None else None
        record = known.popleft() if known else None
        return record if isinstance(record, Evaluated | Observed | Critiqued | Decided | Metered) else None

    async def evaluation(self, candidate: str, reference: str | None) -> Evaluation | None:
        """What is recorded about a candidate against a reference, when its turn comes; None: nothing."""
        record = await self._turn(_evaluation_key(candidate, reference))
        return record.evaluation if isinstance(record, Evaluated) else None

    async def critique(self, candidate: str | None) -> Critique | None:
        """The recorded critique of a version, when its turn comes; None: there is none."""
        record = await self._turn(("critiqued", candidate))
        return record.critique if isinstance(record, Critiqued) else None

    async def opinion(self, candidate: str | None) -> Critique | None:
        """The recorded critique with what a model added. Where there is none the model is asked at once: nobody waits
        for it, so it ends no replay.
        """
        return await self.critique(candidate) if self._places.get(("critiqued", candidate)) else None

    async def metered(self, candidate: str | None) -> Metered | None:
        """What is recorded about what a version costs, when its turn comes; None: nothing."""
        record = await self._turn(("metered", candidate)) if self._places.get(("metered", candidate)) else None
        return record if isinstance(record, Metered) else None

    async def ideas(self, policy: Policy, observation: Observation, count: int) -> Sequence[Proposal]:
        """What a policy proposes, told when its turn comes."""
        self._at_work += 1
        try:
            proposals = await policy.propose(observation, count)
        finally:
            self._at_work -= 1
            self._changed.set()
        await self._turn(_ideas_key(policy.name, hashlib.sha256(observation.text).hexdigest()))
        return proposals

    async def _turn(self, key: Key) -> Record | None:
        places = self._places.get(key)
        place = places.popleft() if places else None
        if not self.over:
            if self._leading is None:
                self._leading = asyncio.create_task(self._lead())
            turn = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (math.inf if place is None else place, next(self._numbers), turn))
            self._changed.set()
            await turn
        return None if place is None else self._lines[place][0].record

    async def _lead(self) -> None:
        while not self.over:
            for _ in range(SETTLE_TURNS):
                await asyncio.sleep(0)
            if self._next == len(self._lines):
                self.end()
                return
            while self._waiting and self._waiting[0][2].done():
                heapq.heappop(self._waiting)  # who waited was cancelled
            if not self._waiting or (self._waiting[0][0] > self._next and self._at_work):
                self._changed.clear()
                await self._changed.wait()
                continue
            place, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
            if math.isinf(place):
                self.end()
            else:
                self._next = max(self._next, int(place) + 1)
                self._on_time(self._lines[int(place)][0].at_s)

    def end(self) -> None:
        """From now on nothing waits for its turn. Idempotent."""
        if not self.over:
            self.over = True
            left = (len(places) for key, places in self._places.items() if key[0] == "evaluated")
            self._on_over(sum(left))
        for _, _, turn in self._waiting:
            if not turn.done():
                turn.set_result(None)
        self._waiting.clear()

    async def close(self) -> None:
        """Leave nothing running. Idempotent."""
        if self._leading is not None:
            self._leading.cancel()
            await asyncio.wait([self._leading])
            self._leading = None


class ReplayedPolicy:
    """A policy whose answers come in the journal's order."""

    def __init__(self, inner: Policy, replay: Replay) -> None:
        self.name = inner.name
        self.again = inner.again
        self._inner = inner
        self._replay = replay

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        """See :class:`~maxcode_lsp.policy.policy.Policy`."""
        return await self._replay.ideas(self._inner, observation, count)


class ReplayedExecutor:
    """An executor that asks the journal first."""

    def __init__(
        self, inner: Executor, replay: Replay, on_metered: Callable[[Metered], object] = lambda _: None
    ) -> None:
        """``on_metered``: told what is metered now, to be written down."""
        self._inner = inner
        self._replay = replay
        self._on_metered = on_metered

    async def prepare(self, job: EvaluationJob) -> Baseline:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        return await self._inner.prepare(job)

    async def evaluate(
        self, base: Baseline, candidate: Candidate, against: Candidate | None = None, test: PairedTest | None = None
    ) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        known = await self._replay.evaluation(candidate.id, against.id if against is not None else None)
        return known if known is not None else await self._inner.evaluate(base, candidate, against, test)

    async def meter(self, base: Baseline, candidate: Candidate | None) -> Overhead | None:
        """See :class:`~maxcode_lsp.executor.executor.Executor`. The journal's, where it has one."""
        key = candidate.id if candidate is not None else None
        known = await self._replay.metered(key)
        if known is not None:
            return known.overhead
        taken = await self._inner.meter(base, candidate)
        self._on_metered(Metered(key, taken))
        return taken

    async def compare(self, base: Baseline, candidate: Candidate, against: Candidate, test: PairedTest) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`. Trimming is done again: it is short."""
        return await self._inner.compare(base, candidate, against, test)

    async def confirm(self, base: Baseline, candidate: Candidate) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`. A proof is never taken from a file."""
        return await self._inner.confirm(base, candidate)

    async def close(self) -> None:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        await self._inner.close()

"""Versions that OpenEvolve makes come in and are judged, one after the other, by the same judge as all others."""

from __future__ import annotations

import asyncio
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from maxcode_lsp.benchmarks.search.episode import Step
from maxcode_lsp.benchmarks.search.methods import PEER
from maxcode_lsp.engine.load import Loaded
from maxcode_lsp.executor.executor import Baseline, Executor
from maxcode_lsp.executor.tool import Answer, ask
from maxcode_lsp.messages import verdicts
from maxcode_lsp.records import Candidate, Change, Evaluation, Origin, Outcome, Verdict, candidate_id
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText


def as_candidate(loaded: Loaded, text: bytes) -> Candidate:
    """A version by OpenEvolve, normalised, as a change to the original."""
    change = Change(loaded.job.unit, loaded.source.sha256, diff(loaded.source.data, text))
    return Candidate(candidate_id(text), change, None, 1, Origin(PEER, (PEER,), ""))


class Judging:
    """What was judged in one search."""

    def __init__(self, executor: Executor, base: Baseline, loaded: Loaded) -> None:
        self.steps: list[Step] = []
        self.texts: dict[str, bytes] = {}
        self.cpu_s = 0.0
        self._executor, self._base, self._loaded = executor, base, loaded
        self._came: asyncio.Queue[tuple[StreamReader, StreamWriter]] = asyncio.Queue()
        self._said: dict[str, dict[str, Any]] = {}
        """What was said, by candidate id."""
        self._twins = {verdicts.same_machine_code(None): 1.0}
        """Scores by what the judge says of a version with the same machine code as one that has them."""
        self._began_s = time.monotonic()

    async def during(self, socket: Path, argv: Sequence[str], seconds: float) -> Answer | None:
        """Judge what comes while ``argv`` runs; None: it had to be ended. Raises InfrastructureError, OSError."""
        server = await asyncio.start_unix_server(self._take, socket)
        running = asyncio.ensure_future(ask(*argv, limit_s=seconds))
        judging = asyncio.ensure_future(self._judge())
        try:
            await asyncio.wait({running, judging}, return_when=asyncio.FIRST_COMPLETED)
            if judging.done():
                judging.result()
            with suppress(TimeoutError):
                return running.result()
            return None
        finally:
            for task in (running, judging):
                task.cancel()
            await asyncio.gather(running, judging, return_exceptions=True)
            server.close()
            while not self._came.empty():
                self._came.get_nowait()[1].close()
            await server.wait_closed()

    def _take(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._came.put_nowait((reader, writer))

    async def _judge(self) -> None:
        while True:
            reader, writer = await self._came.get()
            try:
                with suppress(ConnectionError):
                    writer.write(msgspec.json.encode(await self._say(await reader.read())))
                    await writer.drain()
            finally:
                writer.close()

    async def _say(self, raw: bytes) -> dict[str, Any]:
        """What OpenEvolve is to know of a version: the arguments of its ``EvaluationResult``."""
        text = SourceText(raw).data
        candidate = as_candidate(self._loaded, text)
        if not self._said:
            # It begins with the original.
            return self._keep(candidate.id, 1.0, {})
        if (said := self._said.get(candidate.id)) is not None:
            self._step(candidate, None)
            return said
        evaluation = await self._executor.evaluate(self._base, candidate)
        self.texts[candidate.id] = text
        self.cpu_s += evaluation.cpu_s
        feedback = evaluation.feedback
        told = {"outcome": evaluation.outcome.value, "message": feedback.message, "stderr": feedback.detail}
        score = self._score(evaluation)
        self._step(candidate, evaluation)
        self._twins[verdicts.same_machine_code(candidate.id)] = score
        return self._keep(candidate.id, score, {name: value for name, value in told.items() if value})

    def _keep(self, candidate: str, score: float, artifacts: dict[str, str]) -> dict[str, Any]:
        return self._said.setdefault(candidate, {"metrics": {"combined_score": score}, "artifacts": artifacts})

    def _score(self, evaluation: Evaluation) -> float:
        """The speedup; 0 where it is not correct."""
        if evaluation.outcome is Outcome.IDENTICAL:
            return self._twins.get(evaluation.feedback.message, 0.0)
        if evaluation.outcome is not Outcome.CORRECT:
            return 0.0
        return evaluation.measurement.speedup if evaluation.measurement is not None else 1.0

    def _step(self, candidate: Candidate, evaluation: Evaluation | None) -> None:
        """Write a version down; without an evaluation it repeats one."""
        taken = evaluation.measurement if evaluation is not None else None
        best = max((step.u for step in self.steps), default=1.0)
        self.steps.append(
            Step(
                candidate=candidate.id,
                parent=None,
                depth=1,
                policy=PEER,
                actions=(PEER,),
                outcome=evaluation.outcome if evaluation is not None else Outcome.REJECTED,
                faster=taken is not None and taken.verdict is Verdict.FASTER,
                speedup=round(taken.speedup, 4) if taken is not None else None,
                u=round(max(best, taken.speedup if taken is not None else 0.0), 4),
                at_s=round(time.monotonic() - self._began_s, 3),
            )
        )

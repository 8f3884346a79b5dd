"""A real search as an episode: real builds and measurements, and the truth about what it found from fresh pairs."""

from __future__ import annotations

import time
from collections import Counter

from maxcode_lsp.benchmarks.search.episode import Episode, Step
from maxcode_lsp.benchmarks.search.methods import PEER, Method
from maxcode_lsp.benchmarks.search.peer import search as search_peer
from maxcode_lsp.benchmarks.search.steps import step_of
from maxcode_lsp.benchmarks.search.truth import Stage, fresh_value
from maxcode_lsp.benchmarks.table.replaying import hash_of
from maxcode_lsp.clock import SystemClock
from maxcode_lsp.engine.asking import Asking
from maxcode_lsp.engine.events import Event, Replied
from maxcode_lsp.engine.load import Loaded
from maxcode_lsp.engine.policies import Policies
from maxcode_lsp.engine.viewing import view
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.model.model import Usage
from maxcode_lsp.policy.policy import Policy
from maxcode_lsp.policy.rewrites.policy import RewritesPolicy
from maxcode_lsp.policy.sampled import SampledPolicy
from maxcode_lsp.records import Candidate, Critique
from maxcode_lsp.search import SEARCHES, Budget, Node, Trial, Trials, Watcher

CRITIQUE_S = 20.0


async def search(stage: Stage, loaded: Loaded, program: str, method: Method, seed: int) -> Episode:
    """One search to its end. Raises as a run does: Refused, SettingsError, InfrastructureError."""
    if method.strategy == PEER:
        return await search_peer(stage, loaded, program, seed)
    settings = stage.settings
    replies: Counter[str] = Counter()

    def tell(event: Event) -> None:
        if isinstance(event, Replied):
            replies[event.reply] += 1

    executor = LocalExecutor(stage.cache)
    asking = Asking(None, stage.local, tell, lambda: None)
    policies: Policies | None = None
    try:
        await asking.open(settings, Usage())
        base = await executor.prepare(loaded.job)
        policies = Policies(loaded.job, settings.rewrites, executor.room)
        sampled = SampledPolicy(RewritesPolicy(mixed=False), hash_of(f"{program} {seed} policy"))
        lanes = asking.lanes(base.environment.compiler, seed)
        proposing: tuple[Policy, ...] = lanes or (sampled,)
        searching = _Searching(stage, executor, base, policies, asking)
        steps, stop, seconds = await searching.run(loaded, method, seed, proposing)
        spent = asking.spent
        return Episode(
            program=program,
            method=method.name,
            seed=seed,
            budget=stage.budget,
            steps=tuple(steps),
            stop=stop,
            seconds=round(seconds, 2),
            cpu_s=round(searching.cpu_s, 2),
            tokens_in=spent.tokens_in if spent is not None else 0,
            tokens_out=spent.tokens_out if spent is not None else 0,
            cost_usd=spent.cost_usd if spent is not None else None,
            replies=dict(replies),
            trouble="" if steps else " ".join(asking.notes),
        )
    finally:
        if policies is not None:
            await policies.close()
        await asking.close()
        await executor.close()


class _Searching:
    def __init__(
        self, stage: Stage, executor: LocalExecutor, base: Baseline, policies: Policies, asking: Asking
    ) -> None:
        self.cpu_s = 0.0
        self._stage = stage
        self._executor = executor
        self._base = base
        self._policies = policies
        self._asking = asking
        self._began_s = 0.0
        self._found: list[tuple[Trial, Candidate | None, float, int]] = []
        """Each judged candidate, what the search would have handed over then, seconds and tokens so far."""

    async def run(
        self, loaded: Loaded, method: Method, seed: int, proposing: tuple[Policy, ...]
    ) -> tuple[list[Step], str, float]:
        clock = SystemClock()
        budget = Budget(clock, self._stage.budget, self._stage.seconds, patience=self._stage.budget + 1)
        original = self._executor.original(self._base)

        async def critique(node: Node) -> Critique:
            return await view(original, node, self._policies.tidy, CRITIQUE_S)

        opinion = self._asking.opinion if self._asking.criticises else None
        watcher = Watcher(lambda trial: self._tried(trial, trials), critique, opinion=opinion)
        trials = Trials(self._base, loaded.source, self._executor, proposing, budget, watcher, method.plan(seed))
        self._began_s = time.monotonic()
        stop = await SEARCHES[method.strategy]().run(trials)
        seconds = time.monotonic() - self._began_s
        return await self._steps(), stop.value, seconds

    def _tried(self, trial: Trial, trials: Trials) -> None:
        spent = self._asking.spent
        tokens = spent.tokens_in + spent.tokens_out if spent is not None else 0
        self.cpu_s += trial.evaluation.cpu_s
        self._found.append((trial, trials.best.candidate, time.monotonic() - self._began_s, tokens))

    async def _steps(self) -> list[Step]:
        values = {
            best.id: await fresh_value(self._executor, self._base, best)
            for best in {best.id: best for _, best, _, _ in self._found if best is not None}.values()
        }
        return [
            step_of(trial, values[best.id] if best is not None else 1.0, at_s, tokens)
            for trial, best, at_s, tokens in self._found
        ]

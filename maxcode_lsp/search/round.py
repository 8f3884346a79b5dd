"""One round: its places are dealt out to the policies by a bandit, and filled as answers come."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from maxcode_lsp.policy.policy import Policy, Proposal
from maxcode_lsp.records import Critique
from maxcode_lsp.search.background import Background
from maxcode_lsp.search.bandit import Bandit
from maxcode_lsp.search.trials import Node, Trial, Trials

IN_FLIGHT = 4
"""Ours: enough that builds go on while one candidate is measured."""


class Round:
    """So many candidates from each of some nodes. A question to a model holds a place of the budget."""

    def __init__(
        self,
        trials: Trials,
        background: Background,
        bandit: Bandit,
        critique: Callable[[Node], Critique],
        wanted: Sequence[tuple[Node, int]],
    ) -> None:
        self.judged: list[Trial] = []
        self._trials = trials
        self._background = background
        self._bandit = bandit
        self._critique = critique
        self._nodes = [node for node, _ in wanted]
        self._left = [count for _, count in wanted]
        """Places of each node that nobody works at yet."""
        self._ideas: dict[tuple[int, str], list[Proposal]] = {}
        """What the policies that answer at once propose at a node."""
        self._thinking = [0] * len(self._nodes)
        """Of those policies, so many have not answered yet."""
        self._free = [policy for policy in trials.policies if policy.again]
        self._dry: set[tuple[int, int]] = set()
        """Where a model had nothing more to propose: node, lane."""
        self._evaluating = self._asking = 0

    async def run(self) -> list[Trial]:
        """The judged candidates, in the order of their ends."""
        budget = self._trials.budget
        for place, (node, count) in enumerate(zip(self._nodes, self._left, strict=True)):
            self._ask_quick(place, node, min(count, budget.candidates - budget.used))
        while budget.stop is None:
            self._fill()
            if not self._evaluating and not self._asking and not any(self._thinking):
                break
            await self._background.step(budget.left_s)
        return self.judged

    def _ask_quick(self, place: int, node: Node, count: int) -> None:
        observation = self._trials.observe(node, self._critique(node))
        for policy in self._trials.policies:
            if not policy.again and count > 0:
                self._thinking[place] += 1
                asked = self._trials.propose(policy, node, observation, count)
                self._background.start(asked, partial(self._proposed, place, policy))

    def _proposed(self, place: int, policy: Policy, proposals: Sequence[Proposal]) -> None:
        self._thinking[place] -= 1
        self._ideas[place, policy.name] = list(proposals)

    def _fill(self) -> None:
        """Give work to whoever can take some."""
        for place in range(len(self._nodes)):
            while self._left[place] and not self._thinking[place] and self._room:
                arms = self._arms(place)
                if not arms:
                    break
                self._give(place, self._bandit.choose(arms))

    @property
    def _room(self) -> bool:
        budget = self._trials.budget
        return budget.open and budget.used + self._asking < budget.candidates

    def _arms(self, place: int) -> list[str]:
        """Policies that have something for a node, or may have."""
        arms: list[str] = []
        if self._evaluating < IN_FLIGHT:
            arms = [policy.name for policy in self._trials.policies if self._next(place, policy.name) is not None]
        return [*arms, *(lane.name for lane in self._free if (place, id(lane)) not in self._dry)]

    def _next(self, place: int, name: str) -> Proposal | None:
        ideas = self._ideas.get((place, name), [])
        while ideas and not self._trials.fresh(ideas[0]):
            ideas.pop(0)
        return ideas[0] if ideas else None

    def _give(self, place: int, arm: str) -> None:
        self._left[place] -= 1
        self._bandit.pull(arm)
        proposal = self._next(place, arm)
        if proposal is not None:
            self._ideas[place, arm].pop(0)
            self._judge(place, proposal)
            return
        lane = next(lane for lane in self._free if lane.name == arm and (place, id(lane)) not in self._dry)
        self._free.remove(lane)
        self._asking += 1
        node = self._nodes[place]
        observation = self._trials.observe(node, self._critique(node))
        asked = self._trials.propose(lane, node, observation, 1)
        self._background.start(asked, partial(self._answered, place, lane))

    def _answered(self, place: int, lane: Policy, proposals: Sequence[Proposal]) -> None:
        self._asking -= 1
        self._free.append(lane)
        fresh = [proposal for proposal in proposals if self._trials.fresh(proposal)]
        if not proposals:
            self._dry.add((place, id(lane)))
        if fresh and self._trials.budget.open:
            self._judge(place, fresh[0])
        else:
            self._left[place] += 1
            self._bandit.pay(lane.name, 0.0, proposals[0].cost_s if proposals else 0.0)

    def _judge(self, place: int, proposal: Proposal) -> None:
        node = self._nodes[place] if self._trials.parts.code else self._trials.root
        candidate = self._trials.admit(proposal, node)
        self._evaluating += 1
        work = self._trials.evaluate(candidate, proposal.text, node)
        self._background.start(work, partial(self._learn, proposal))

    def _learn(self, proposal: Proposal, trial: Trial) -> None:
        self._evaluating -= 1
        self.judged.append(trial)
        parent = trial.node.parent
        gain = math.log(trial.speedup / parent.speedup) if trial.faster and trial.speedup and parent else 0.0
        self._bandit.pay(proposal.origin.policy, gain, proposal.cost_s + trial.evaluation.elapsed_s)

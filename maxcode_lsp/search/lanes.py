"""Policies that have other ideas each time they are asked (models): each is asked one question at a time, for long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from maxcode_lsp.policy.policy import Policy, Proposal
from maxcode_lsp.records import Critique
from maxcode_lsp.search.background import Background
from maxcode_lsp.search.trials import Node, Trials

RESERVED = 0.5
"""Ours: this part of the candidates is kept for them, as those that answer at once would use up all."""

Then = Callable[[Node, Sequence[Proposal]], None]


class Lanes:
    """The policies of a search that are asked again and again.

    A lane is *busy* from its question until its proposal was judged, so that its next question can tell what came of
    it, and *dry* once it had nothing more to propose at a node.
    """

    def __init__(self, trials: Trials, background: Background) -> None:
        self._trials = trials
        self._background = background
        self._policies: tuple[Policy, ...] = tuple(policy for policy in trials.policies if policy.again)
        self._busy: set[int] = set()
        self._dry: set[int] = set()
        self._of: dict[Proposal, int] = {}
        """What is not judged yet to the lane that waits for it."""
        self._begun = 0
        trials.budget.hopeful = self.hopeful

    @property
    def hopeful(self) -> bool:
        """Some of them may still have ideas."""
        return len(self._dry) < len(self._policies)

    @property
    def leave_room(self) -> bool:
        """Whether another one's proposal may be judged: some candidates are kept for them, and a plateau, which does
        not end the search while they think, ends what others do.
        """
        budget = self._trials.budget
        kept = max(0, int(RESERVED * budget.candidates) - self._begun) if self.hopeful else 0
        return not budget.barren and budget.candidates - budget.used > kept

    def refresh(self) -> None:
        """There is something new to see: those that had nothing more to say may have."""
        self._dry.clear()
        self._trials.budget.hopeful = self.hopeful

    def ask(self, node: Node, critique: Critique, then: Then) -> None:
        """Ask all that are free about a node; ``then`` gets what each proposes."""
        for lane, policy in enumerate(self._policies):
            if lane not in self._busy | self._dry and self._trials.budget.open:
                self._busy.add(lane)
                asked = self._trials.propose(policy, node, self._trials.observe(node, critique), 1)
                self._background.start(asked, partial(self._answered, lane, node, then))

    def think(self, node: Node, critique: Critique, then: Callable[[Node, Critique], None]) -> None:
        """Let a model criticise a node, too; ``then`` gets the critique with what it adds. It may take long, so nobody
        waits for it.
        """
        opinion = self._trials.watcher.opinion
        if opinion is not None and self.hopeful:
            self._background.start(opinion(node, critique), partial(then, node))

    def made(self, proposal: Proposal) -> bool:
        """Whether a proposal, not judged yet, is one of theirs."""
        return proposal in self._of

    def began(self, proposal: Proposal) -> None:
        """A proposal is judged now."""
        self._begun += self.made(proposal)

    def free(self, proposal: Proposal) -> None:
        """A proposal was judged, or is not going to be: whoever made it may be asked again."""
        self._busy.discard(self._of.pop(proposal, -1))

    def _answered(self, lane: int, node: Node, then: Then, proposals: Sequence[Proposal]) -> None:
        if not proposals:
            self._dry.add(lane)
            self._trials.budget.hopeful = self.hopeful
        waited_for = {proposal.text for proposal in self._of}
        own = [one for one in proposals if one.text not in waited_for and self._trials.fresh(one)]
        self._of.update((one, lane) for one in own)
        if not own:
            self._busy.discard(lane)
        then(node, own)

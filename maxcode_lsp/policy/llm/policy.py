"""The ``llm`` policy: a model is shown the code, what it costs and what was tried, and proposes a version."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import models as said
from maxcode_lsp.messages import phrases
from maxcode_lsp.messages import replies as complaints
from maxcode_lsp.model.markers import secret
from maxcode_lsp.model.mixture import Mixture
from maxcode_lsp.model.model import Answer, Model, Question
from maxcode_lsp.policy.llm.directions import Direction, direction
from maxcode_lsp.policy.llm.includes import repair_includes
from maxcode_lsp.policy.llm.prompt import Form, Prompt, Request, compose
from maxcode_lsp.policy.llm.replies.reply import Reply, ReplyEnd, read_reply
from maxcode_lsp.policy.policy import Observation, Proposal
from maxcode_lsp.records import Critique, Finding, Origin, candidate_id
from maxcode_lsp.text.edits import diff

_log = logging.getLogger(__name__)

TURNS = 3
"""Ours: failed replies in a row about one text after which a lane gives up."""
PRIORITY = math.log(1.05)
"""Ours: a rewrite that is known to gain more goes first."""
HUNKS_FROM = 0.5
"""Ours: from this part of the longest answer on, a program is not to be written out again as a whole."""
ANSWER_SHARE = 0.5
"""Ours: of the context, at most; the question needs the rest."""
MOST_LANES = 64
MOST_TURNS = 1 << 12
"""More than a lane asks about one text."""
LEAST_ANSWER = 512
"""Ours: tokens that changes of a long program need; the rest of a small context is the question's."""
DRAWS = 64
"""To find a model among those that can still be asked."""
RATIONALE_CHARS = 240
_PASSING = frozenset({ModelFault.RATE_LIMITED, ModelFault.TOO_SLOW, ModelFault.UNREACHABLE})
"""May be over soon: what fails so is asked once more."""
_SILENT = frozenset({ReplyEnd.EMPTY, ReplyEnd.REFUSED, ReplyEnd.THINKING_ONLY})
"""Nothing was said: asked again once before it counts."""


class Asked(Struct, frozen=True):
    """One question of the policy, answered and read."""

    answer: Answer
    prompt_sha256: str
    sample: int
    reply: Reply


class _Turns(Struct):
    """What happened between a lane and the models about one text."""

    asked: int = 0
    ideas: int = 0
    """Directions that are done with."""
    failed: int = 0
    """Replies in a row."""
    silent: bool = False
    last: Reply | None = None
    """None: nothing failed yet, or something was proposed since."""
    given_up: Critique | None = None
    """The critique that was known then; another may give new ideas."""


class LlmPolicy:
    """One lane: asks one question at a time. Several lanes ask side by side, and never the same."""

    name = "llm"
    again = True

    def __init__(
        self,
        models: Mixture,
        *,
        lane: int = 0,
        lanes: int = 1,
        seed: int = 0,
        compiler: str = "",
        temperature: float,
        answer_tokens: int,
        on_asked: Callable[[Asked], None],
        on_trouble: Callable[[str], None],
    ) -> None:
        """``lanes``: how many there are. ``seed``: another one gets other answers. ``compiler``: as the model is to be
        told. ``on_trouble``: told, once for each model, why it cannot be asked any more; with none left nothing is
        proposed.
        """
        self._models = models
        self._lane = lane
        self._lanes = max(lanes, 1)
        self._seed = seed
        self._compiler = compiler
        self._temperature = temperature
        self._answer_tokens = answer_tokens
        self._on_asked = on_asked
        self._on_trouble = on_trouble
        self._turns: dict[str, _Turns] = {}
        self._out: set[str] = set()
        """Models that are not asked any more."""
        self._strikes: Counter[str] = Counter()
        self._room: dict[str, int] = {}
        """Tokens of the longest prompt of a model whose context is smaller than it was said to be."""
        self._told_too_long: set[str] = set()

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        """At most one proposal; see :class:`~maxcode_lsp.policy.policy.Policy`. Empty once the model had several
        turns at this text and brought nothing that can be tried, or cannot be asked.
        """
        if count <= 0 or not observation.text.strip():
            return ()
        turns = self._turns.setdefault(candidate_id(observation.text), _Turns())
        if turns.given_up is not None and turns.given_up != observation.critique:
            turns.given_up, turns.failed = None, 0
        while turns.failed < TURNS:
            idea = direction(observation.critique, turns.ideas * self._lanes + self._lane)
            asked = await self._ask(observation, turns, idea)
            if asked is None:
                return ()
            reply = asked.reply
            if reply.text is not None:
                turns.ideas, turns.failed, turns.silent, turns.last = turns.ideas + 1, 0, False, None
                return (Proposal(reply.text, _origin(asked, idea, observation.text), PRIORITY),)
            if reply.end is ReplyEnd.UNCHANGED:
                turns.ideas += 1
            turns.last = reply
            turns.silent = reply.end in _SILENT and not turns.silent
            turns.failed += not turns.silent
        turns.given_up = observation.critique
        return ()

    async def _ask(self, observation: Observation, turns: _Turns, idea: Direction) -> Asked | None:
        """One question, answered and read; None: no model can be asked."""
        key, too_small = await secret(), set[str]()
        while (
            model := self._choose(f"{candidate_id(observation.text)} {self._lane} {turns.asked}", too_small)
        ) is not None:
            composed = await asyncio.to_thread(self._compose, observation, turns, idea, model, key)
            if composed is None:
                too_small.add(model.name)
                self._too_long(model)
                continue
            prompt, max_tokens = composed
            sample = (self._seed * MOST_TURNS + turns.asked) * MOST_LANES + self._lane
            question = Question(
                messages=prompt.messages, max_tokens=max_tokens, temperature=self._temperature, sample=sample
            )
            try:
                answer = await self._models.ask(model, question)
            except ModelTrouble as trouble:
                self._failed(model, trouble, prompt)
                continue
            turns.asked += 1
            self._strikes.pop(model.name, None)
            reply = await asyncio.to_thread(_read, answer, prompt, observation)
            asked = Asked(answer, prompt.sha256, sample, reply)
            self._on_asked(asked)
            return asked
        return None

    def _choose(self, draw: str, too_small: set[str]) -> Model | None:
        """By weight among those that can be asked."""
        out = self._out | too_small
        if out.issuperset(self._models.names):
            return None
        drawn = (self._models.choose(f"{draw} {time}") for time in range(DRAWS))
        return next((model for model in drawn if model.name not in out), None)

    def _compose(
        self, observation: Observation, turns: _Turns, idea: Direction, model: Model, key: bytes
    ) -> tuple[Prompt, int] | None:
        """The prompt, and how long the answer may be; None: the program is too long for the model."""
        max_tokens = max(1, min(self._answer_tokens, int(model.context_tokens * ANSWER_SHARE)))
        request = Request(
            observation=observation,
            direction=idea.text,
            form=_form(observation.text, model, max_tokens, turns.last),
            complaint=turns.last.complaint if turns.last is not None else "",
            compiler=self._compiler,
        )
        while True:
            most_tokens = model.context_tokens - max_tokens
            if (room := self._room.get(model.name)) is not None:
                most_tokens = min(most_tokens, room)
            prompt = compose(request, secret=key, most_tokens=most_tokens, count=model.count)
            if prompt is not None:
                return prompt, max_tokens
            if request.form is Form.WHOLE or max_tokens < 2 * LEAST_ANSWER:
                return None
            max_tokens //= 2

    def _failed(self, model: Model, trouble: ModelTrouble, prompt: Prompt) -> None:
        """A model could not be asked: it is left out, unless it may work the next time."""
        if trouble.fault is ModelFault.CONTEXT_TOO_SMALL and model.name not in self._room:
            self._room[model.name] = prompt.tokens // 2
            return
        self._strikes[model.name] += 1
        if trouble.fault in _PASSING and self._strikes[model.name] == 1:
            return
        if trouble.fault is ModelFault.CAP_REACHED:
            self._out.update(self._models.names)
        self._out.add(model.name)
        self._on_trouble(str(trouble))

    def _too_long(self, model: Model) -> None:
        if model.name not in self._told_too_long:
            self._told_too_long.add(model.name)
            self._on_trouble(said.program_too_long(model.name, model.context_tokens))


def _form(text: bytes, model: Model, longest: int, last: Reply | None) -> Form:
    """As a whole where that is short enough: small models are better at it; the other way where one did not work."""
    try:
        size = model.count(text.decode())
    except UnicodeDecodeError:
        return Form.HUNKS  # what cannot be shown as it is cannot be written out again
    if size > longest * HUNKS_FROM or (last is not None and last.end is ReplyEnd.TRUNCATED):
        retried = last is not None and last.end is ReplyEnd.HUNK_FAILED and size < longest
        return Form.WHOLE if retried else Form.HUNKS
    return Form.WHOLE


def _read(answer: Answer, prompt: Prompt, observation: Observation) -> Reply:
    """The reply, its includes repaired; what is known already counts as unchanged."""
    plain = replace(answer, text=prompt.marker.without(answer.text))
    reply = read_reply(plain, observation.text)
    if reply.text is None:
        return reply
    try:
        text = repair_includes(reply.text, observation.text)
    except Exception:  # noqa: BLE001
        # A mistake of ours on one odd text must not end a user's run.
        _log.exception("includes could not be repaired")
        text = reply.text
    if candidate_id(text) == candidate_id(observation.text):
        return Reply(ReplyEnd.UNCHANGED, None, reply.rationale, complaints.unchanged())
    if candidate_id(text) in observation.tried:
        return Reply(ReplyEnd.UNCHANGED, None, reply.rationale, complaints.tried_before(reply.rationale))
    return replace(reply, text=text)


def _origin(asked: Asked, idea: Direction, before: bytes) -> Origin:
    model = phrases.printable(asked.answer.model)
    rationale = phrases.cut(" ".join(phrases.printable(asked.reply.rationale).split()), RATIONALE_CHARS)
    after = asked.reply.text or b""
    acted = idea.finding is not None and _touches(before, after, idea.finding)
    kinds = (idea.finding.kind,) if idea.finding is not None and acted else ()
    return Origin("llm", (f"llm:{model}",), rationale or said.proposed_without_a_word(model), kinds)


def _touches(before: bytes, after: bytes, finding: Finding) -> bool:
    """Whether a change is made on the lines of a finding."""
    for hunk in diff(before, after):
        first = before.count(b"\n", 0, hunk.start) + 1
        last = max(first, before.count(b"\n", 0, hunk.end))
        if first <= finding.span.last and last >= finding.span.first:
            return True
    return False

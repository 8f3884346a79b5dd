"""What a run asks of language models: the lanes of the ``llm`` policy and the critic's opinion, with the books."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from maxcode_lsp.engine.events import Event, Replied, Spent
from maxcode_lsp.errors import ModelTrouble, Refused
from maxcode_lsp.messages import models as said
from maxcode_lsp.model.keys import Keys
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.model.mixture import Mixture
from maxcode_lsp.model.model import Answer, Usage
from maxcode_lsp.policy.policy import Policy
from maxcode_lsp.records import Critique
from maxcode_lsp.search import Node
from maxcode_lsp.settings import Settings

if TYPE_CHECKING:  # heavy, and only needed where a model is asked
    from maxcode_lsp.critique.opinion import Opinion
    from maxcode_lsp.policy.llm.policy import Asked

_log = logging.getLogger(__name__)

LANES = 4
"""Ours: questions at the same time, where settings do not say; a local model has one."""


class Asking:
    """The models of one run. Close it."""

    def __init__(
        self,
        keys: Keys | None,
        local: LocalServers | None,
        tell: Callable[[Event], object],
        on_change: Callable[[], None],
    ) -> None:
        """``tell``: gets what is to be written down. ``on_change``: the books changed. ``keys``, ``local`` None: the
        run's own.
        """
        self.notes: list[str] = []
        """Why a model could not be asked, one sentence each."""
        self.replies: Counter[str] = Counter()
        """How many replies ended how."""
        self._given = keys, local
        self._tell = tell
        self._on_change = on_change
        self._settings = Settings()
        self._ledger: Ledger | None = None
        self._models: Mixture | None = None
        self._critic: Mixture | None = None
        self._open = AsyncExitStack()

    async def open(self, settings: Settings, spent: Usage) -> None:
        """Open the models; nothing is asked yet. ``spent``: by the run in earlier processes. Raises SettingsError, and
        Refused where it is known that a model cannot be asked.
        """
        if not settings.asks_models:
            return
        from maxcode_lsp.model.opening import open_critic, open_models

        given = settings.llm
        self._settings = settings
        ledger = self._ledger = Ledger(given.max_tokens, given.max_cost_usd, self._on_change)
        ledger.carry(spent)
        keys, local = self._given
        keys = keys or Keys()
        if local is None:
            local = LocalServers()
            self._open.push_async_callback(local.close)
        try:
            self._models = await open_models(settings, keys, ledger, local)
            self._open.push_async_callback(self._models.close)
            self._critic = await open_critic(settings, keys, ledger, local)
        except ModelTrouble as trouble:
            raise Refused(said.needs_its_model(str(trouble))) from trouble
        if self._critic is not None:
            self._open.push_async_callback(self._critic.close)

    def lanes(self, compiler: str, seed: int = 0) -> tuple[Policy, ...]:
        """The policies that ask models; none where the run has no model. ``compiler``: as a model is to be told;
        ``seed``: with another one they get other answers to the same questions.
        """
        if self._models is None:
            return ()
        from maxcode_lsp.policy.llm.policy import LlmPolicy

        given = self._settings.llm
        count = given.at_once or (1 if self._models.local else LANES)
        return tuple(
            LlmPolicy(
                self._models,
                lane=lane,
                lanes=count,
                seed=seed,
                compiler=compiler,
                temperature=given.temperature,
                answer_tokens=given.answer_tokens,
                on_asked=self._asked,
                on_trouble=self._note,
            )
            for lane in range(count)
        )

    @property
    def spent(self) -> Spent | None:
        """On models so far; None: the run has none."""
        if (books := self._ledger) is None:
            return None
        used = books.usage
        return Spent(books.calls, books.cached, used.tokens_in, used.tokens_out, used.cost_usd)

    @property
    def in_flight(self) -> int:
        """Questions that are not answered yet."""
        return self._ledger.asking if self._ledger is not None else 0

    @property
    def criticises(self) -> bool:
        """A model criticises, too."""
        return self._critic is not None

    async def opinion(self, node: Node, known: Critique) -> Critique:
        """``known`` with what the critic adds; it only advises: what fails becomes a note of the run."""
        if self._critic is None:
            return known
        from maxcode_lsp.critique.opinion import opinion
        from maxcode_lsp.model.markers import secret

        try:
            return await opinion(self._critic, node.text, known, secret=await secret(), on_opinion=self._opined)
        except ModelTrouble as trouble:
            self._note(str(trouble))
        except Exception:  # noqa: BLE001
            # A critic only advises: its own mistake must not end a user's run.
            _log.exception("the model's opinion failed")
        return known

    async def close(self) -> None:
        """End all questions and free everything. Idempotent."""
        await self._open.aclose()

    def _note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def _asked(self, asked: Asked) -> None:
        self._replied("llm", asked.answer, asked.prompt_sha256, asked.sample, asked.reply.end.value)

    def _opined(self, read: Opinion) -> None:
        self._replied("critic", read.answer, read.prompt_sha256, 0, read.end.value)

    def _replied(self, asked_by: str, answer: Answer, prompt_sha256: str, sample: int, reply: str) -> None:
        self.replies[reply] += 1
        self._tell(
            Replied(
                model=answer.model,
                asked_by=asked_by,
                prompt_sha256=prompt_sha256,
                sample=sample,
                tokens_in=answer.usage.tokens_in,
                tokens_out=answer.usage.tokens_out,
                cost_usd=answer.usage.cost_usd,
                cached=answer.cached,
                reply=reply,
                elapsed_s=answer.elapsed_s,
            )
        )

"""The ``Model`` seam: a language model is asked and answers.

What it answers, however odd, is data; that it cannot be asked is an exception
(:class:`~maxcode_lsp.errors.ModelTrouble`).
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from msgspec import Struct


class Role(str, Enum):
    """Who speaks in a message."""

    SYSTEM = "system"
    USER = "user"


class Message(Struct, frozen=True):
    """One message of a conversation."""

    role: Role
    text: str


class Ending(str, Enum):
    """How an answer ended, as far as the provider says."""

    STOP = "stop"
    """By itself."""
    LENGTH = "length"
    """At the limit of tokens: what came is cut off."""
    REFUSED = "refused"
    """The model or a filter of the provider declined."""
    EMPTY = "empty"
    """No choices, no message or no text in it."""
    THINKING_ONLY = "thinking_only"
    """It thought aloud and answered nothing."""


class Usage(Struct, frozen=True):
    """What one answer cost."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    """None: the price of the model is not known. 0: it costs nothing."""

    def __add__(self, other: Usage) -> Usage:
        """Together; a price that is not known does not hide one that is."""
        known = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, sum(known) if known else None
        )


class Question(Struct, frozen=True, kw_only=True):
    """What a model is asked. Never holds tools."""

    messages: tuple[Message, ...]
    max_tokens: int
    """Of the answer, thinking included."""
    temperature: float = 0.8
    top_p: float = 0.95
    sample: int = 0
    """Which of several answers to the same messages this asks for, from 0."""
    schema: bytes | None = None
    """JSON schema of the answer, where it must be JSON; a model that cannot be held to one may ignore it."""


class Answer(Struct, frozen=True, kw_only=True):
    """What came back."""

    model: str
    text: str
    ending: Ending
    usage: Usage
    elapsed_s: float = 0.0
    cached: bool = False
    """It was known from an earlier run: nothing was asked, and it cost nothing now."""


class Model(Protocol):
    """One language model with its settings."""

    @property
    def name(self) -> str:
        """As in settings: ``openai/gpt-5-mini``, ``local``."""
        ...

    @property
    def context_tokens(self) -> int:
        """Of question and answer together."""
        ...

    def count(self, text: str) -> int:
        """About how many tokens a text is; rather too many than too few."""
        ...

    async def ask(self, question: Question) -> Answer:
        """Ask once; retries are inside. Cancelling ends the request at once. Raises ModelTrouble."""
        ...

    async def close(self) -> None:
        """Free everything. Idempotent."""
        ...

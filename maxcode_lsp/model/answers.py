"""The pieces of an answer put together: its text without what was only thought, how it ended, what it cost."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from maxcode_lsp.model.model import Ending

BYTES_PER_TOKEN = 16
"""The longest that tokens are on average, in any text that is worth reading."""
_REFUSED = frozenset({"content_filter", "refusal", "safety", "prohibited_content", "recitation"})
_THOUGHT = re.compile(r"\s*<(think|thinking|thought)>.*?(?:</\1>\s*|\Z)", re.DOTALL)
_THOUGHT_BEFORE = re.compile(r"\A(?:(?!<think).)*?^[ \t]*</think(?:ing)?>\s*", re.DOTALL | re.MULTILINE)
"""Where the beginning stood in the prompt, as some models' templates have it. Its end begins a line: within one, it may
be a text in the program."""


class Collected:
    """What came of one answer so far."""

    def __init__(self, max_tokens: int) -> None:
        """``max_tokens``: that were asked for; a text far beyond is cut off."""
        self.over = False
        """It is long enough: nothing more is read."""
        self._max_tokens = max_tokens
        self._left_bytes = (64 << 10) + max_tokens * BYTES_PER_TOKEN
        self._said: list[str] = []
        self._thought: list[str] = []
        self._refused: list[str] = []
        self._finish = ""
        self._claimed_in = 0.0
        self._claimed_out = 0.0

    def take(self, piece: Any) -> None:
        """One piece of a stream, as litellm gives it. Nothing in it is taken for granted."""
        usage = getattr(piece, "usage", None)
        self._claimed_in = _number(getattr(usage, "prompt_tokens", None)) or self._claimed_in
        self._claimed_out = _number(getattr(usage, "completion_tokens", None)) or self._claimed_out
        choices: list[Any] = getattr(piece, "choices", None) or []
        for choice in choices[:1]:
            self._finish = str(getattr(choice, "finish_reason", None) or self._finish)
            delta = getattr(choice, "delta", None)
            for name, parts in (("content", self._said), ("reasoning_content", self._thought)):
                text = getattr(delta, name, None)
                if isinstance(text, str) and text:
                    parts.append(text)
                    self._left_bytes -= len(text.encode(errors="replace"))
        self.over = self._left_bytes < 0

    def end(self, stream: Any) -> None:
        """The stream came to its end. Only there it is told whether its end was said: litellm makes one up."""
        if not (getattr(stream, "received_finish_reason", "") or getattr(stream, "intermittent_finish_reason", "")):
            self._finish = ""

    def refuse(self, why: str) -> None:
        """The provider declined."""
        self._refused.append(why)

    @property
    def nothing(self) -> bool:
        """Whether nothing came at all, not even a reason."""
        return not (self._said or self._thought or self._refused or self._finish)

    @property
    def text(self) -> str:
        """What was said, without what was thought; empty where only a refusal came. It is always text that can be
        written down: JSON may hold halves of a character, whose other half comes in the next piece, or never.
        """
        said = "".join(self._said).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        while (thought := _THOUGHT.match(said)) is not None:
            said = said[thought.end() :]
        return _THOUGHT_BEFORE.sub("", said, count=1)

    def ending(self, *, cut: bool) -> Ending:
        """How it ended. ``cut``: its end was not read."""
        if self._refused or self._finish in _REFUSED:
            return Ending.REFUSED
        if not self.text.strip():
            if self._thought or "".join(self._said).strip():
                return Ending.THINKING_ONLY
            return Ending.LENGTH if self._finish == "length" else Ending.EMPTY
        # without a word about its end it broke off, even where the connection was closed in peace
        whole = self._finish not in {"", "length"} and not cut and not self.over
        return Ending.STOP if whole else Ending.LENGTH

    def tokens(self, prompt: int, count: Callable[[str], int]) -> tuple[int, int]:
        """Tokens in and out as claimed, unless that cannot be. ``prompt``: estimate of the question's."""
        written = "".join([*self._thought, *self._said])
        estimate = count(written)
        least = len(written.encode(errors="replace")) / BYTES_PER_TOKEN
        claimed_in, claimed_out = self._claimed_in, self._claimed_out
        return (
            round(claimed_in) if prompt / 4 <= claimed_in <= prompt * 4 + 1000 else prompt,
            round(claimed_out) if least <= claimed_out <= 4 * (self._max_tokens + estimate) else estimate,
        )


def _number(value: object) -> float:
    """A number that was claimed; 0 where it is none."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) and value > 0 else 0.0

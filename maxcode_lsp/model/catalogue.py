"""What is known of models offline: their context and their price, from the list that litellm brings along."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import msgspec

UNKNOWN_CONTEXT_TOKENS = 8192
"""Of a model that nothing is known of: what nearly every one has."""
LARGE_QUESTION_TOKENS = 128_000
"""From here on providers may take higher prices."""
MESSAGE_TOKENS = 8
"""Ours: what a provider puts around the text of each message, at most."""
_LIST = "litellm/model_prices_and_context_window_backup.json"
_PARTS = re.compile(r"[A-Za-z]+|[ \t]{2,}|[\r\n]+|[^\x00-\x7f]|[^\sA-Za-z]")


class Price(msgspec.Struct, frozen=True):
    """Dollars for a token."""

    usd_in: float
    usd_out: float
    large_usd_in: float
    """Where the question is large."""
    large_usd_out: float

    def most_usd(self, tokens_in: int, tokens_out: int) -> float:
        """What a question and its answer cost at most."""
        if tokens_in <= LARGE_QUESTION_TOKENS:
            return tokens_in * self.usd_in + tokens_out * self.usd_out
        return tokens_in * self.large_usd_in + tokens_out * self.large_usd_out


FREE = Price(0.0, 0.0, 0.0, 0.0)


class Known(msgspec.Struct, frozen=True):
    """What is known of one model; None: it is not."""

    context_tokens: int | None = None
    price: Price | None = None


async def known(name: str) -> Known:
    """What is known of a model, ``provider/name``. Loads no library, reaches no network."""
    listed = await asyncio.to_thread(_listed)
    return listed.get(name) or listed.get(name.partition("/")[2]) or Known()


@cache
def _listed() -> dict[str, Known]:
    try:
        data = Path(str(distribution("litellm").locate_file(_LIST))).read_bytes()
        entries = msgspec.json.decode(data, type=dict[str, dict[str, object]])
    except (PackageNotFoundError, OSError, msgspec.DecodeError):
        return {}
    return {name: Known(_context(entry), _price(entry)) for name, entry in entries.items()}


def _context(entry: dict[str, object]) -> int | None:
    size = entry.get("max_input_tokens") or entry.get("max_tokens")
    return int(size) if isinstance(size, int | float) and size >= 1024 else None


def _price(entry: dict[str, object]) -> Price | None:
    def highest(name: str) -> float:
        prices = (price for key, price in entry.items() if key.startswith(name) and key.endswith(("token", "k_tokens")))
        return max((float(price) for price in prices if isinstance(price, int | float)), default=0.0)

    usd_in, usd_out = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
    if not isinstance(usd_in, int | float) or not isinstance(usd_out, int | float):
        return None
    thinking = entry.get("output_cost_per_reasoning_token")
    usd_out = max(float(usd_out), float(thinking) if isinstance(thinking, int | float) else 0.0)
    large_in, large_out = highest("input_cost_per_token"), max(usd_out, highest("output_cost_per_token"))
    return Price(float(usd_in), usd_out, large_in, large_out)


def count(text: str) -> int:
    """About how many tokens a text is, without the model's own tokenizer: rather too many than too few.

    A word is one, and one more for each seven letters; each digit, each sign, each run of line ends or of more than one
    blank is one, and one more for each 64 of them; a letter beyond ASCII is two.
    """
    tokens = 0
    for part in _PARTS.findall(text):
        first = part[0]
        if first > "\x7f":
            tokens += 2
        else:
            tokens += 1 + len(part) // 7 if first.isalpha() else 1 + len(part) // 64
    return tokens

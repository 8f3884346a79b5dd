"""What went wrong with a question, and whether it is worth asking again."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TypeVar, cast

import httpx
from msgspec import Struct
from tenacity import AsyncRetrying, RetryCallState

from maxcode_lsp import redaction
from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import models
from maxcode_lsp.model.transport import Exchange, Transport

LONGEST_PAUSE_S = 60.0
"""Whoever wants to be left alone for longer is not asked again."""
FIRST_PAUSE_S = 1.0
AGAIN = {408: 2, 425: 2, 429: 5, 500: 4, 502: 4, 503: 4, 504: 3, 520: 3, 521: 3, 522: 3, 524: 2, 529: 4}
"""How often a question is asked in all where the answer has this status; any other: once."""
BROKEN = 3
SLOW = 2
_TOO_LONG = (
    "context_length_exceeded",
    "context length",
    "context window",
    "context size",
    "prompt is too long",
    "maximum context",
    "input is too long",
    "input token count",
    "too many tokens",
)
_DECLINED = ("content_filter", "content_policy_violation", "content management policy", "safety system")
_KEY = ("api key not valid", "invalid api key", "invalid x-api-key", "incorrect api key", "api_key_invalid")
_USED_UP = ("insufficient_quota", "exceeded your current quota", "credit balance", "billing")
_LITELLM = re.compile(r"^(?:(?:litellm\.)?\w*(?:Error|Exception)(?:: | - ))+")
"""Names of exceptions that it puts before what was said."""
Said = TypeVar("Said")


class Asked(Struct, frozen=True):
    """Who was asked, as far as sentences tell of it."""

    model: str
    has_key: bool
    looked_for: tuple[str, ...] = ()
    """Where a key was looked for."""


class Failure(Exception):
    """One try failed."""

    def __init__(self, fault: ModelFault, sentence: str, *, tries: int = 1, after_s: float | None = None) -> None:
        """``tries``: how many are worth it in all; ``after_s``: the pause that the server asks for."""
        super().__init__(sentence)
        self.trouble = ModelTrouble(redaction.redact(sentence), fault)
        self.tries = tries
        self.after_s = after_s


async def persist(ask: Callable[[], Awaitable[Said]], pause: Callable[[float], Awaitable[None]]) -> Said:
    """Ask until there is an answer or no hope. Raises ModelTrouble."""

    def worth_it(state: RetryCallState) -> bool:
        fault = state.outcome.exception() if state.outcome else None
        if not isinstance(fault, Failure) or (fault.after_s or 0) > LONGEST_PAUSE_S:
            return False
        return state.attempt_number < fault.tries

    def pause_s(state: RetryCallState) -> float:
        fault = state.outcome.exception() if state.outcome else None
        spread = random.uniform(0.5, 1.5)  # noqa: S311 (questions at the same time are not to come again all at once)
        wish = fault.after_s if isinstance(fault, Failure) and fault.after_s is not None else 0.0
        return wish + min(FIRST_PAUSE_S * 2 ** (state.attempt_number - 1), LONGEST_PAUSE_S) * spread

    async def once() -> Said:  # tenacity looks whether it is a coroutine function
        return await ask()

    try:
        return await AsyncRetrying(sleep=pause, retry=worth_it, wait=pause_s, reraise=True)(once)
    except Failure as failure:
        raise failure.trouble from None


def declined(exchange: Exchange) -> bool:
    """Whether a filter of the provider refused the question: an answer, if an unwelcome one."""
    return exchange.status in {400, 403, 422} and _any(exchange.said, _DECLINED)


def rejected(exchange: Exchange, sent: Sequence[str]) -> str | None:
    """The parameter, of those that were sent, that the provider does not take."""
    if exchange.status not in {400, 422} or _any(exchange.said, _TOO_LONG):
        return None
    said = exchange.said.lower()
    named = [name for name in sent if name in said]
    return named[0] if named else None  # of several, the one that is missed least


def explain(error: Exception, exchange: Exchange, asked: Asked, transport: Transport) -> Failure:
    """What an exception of litellm means, by what was seen on the wire."""
    if exchange.fault is not None:
        return _broken(exchange.fault, exchange, asked, transport)
    if exchange.status is not None and exchange.status >= 300:
        return _refused(exchange.status, exchange, asked)
    return _inside(error, exchange, asked)


def _broken(fault: httpx.HTTPError, exchange: Exchange, asked: Asked, transport: Transport) -> Failure:
    model, address = asked.model, exchange.address
    why = str(fault).rstrip(".") or type(fault).__name__
    if isinstance(fault, httpx.ConnectTimeout | httpx.PoolTimeout):
        sentence = models.not_connected(model, address, transport.connect_s)
        return Failure(ModelFault.UNREACHABLE, sentence, tries=SLOW)
    if isinstance(fault, httpx.TimeoutException):
        return Failure(ModelFault.TOO_SLOW, models.silent(model, address, transport.read_s), tries=SLOW)
    if "CERTIFICATE_VERIFY_FAILED" in why:
        return Failure(ModelFault.UNREACHABLE, models.not_certified(model, address, why))
    if isinstance(fault, httpx.ConnectError | httpx.ProxyError):
        return Failure(ModelFault.UNREACHABLE, models.unreachable(model, address, why), tries=BROKEN)
    if isinstance(fault, httpx.TransportError) and not isinstance(fault, httpx.UnsupportedProtocol):
        return Failure(ModelFault.SERVER, models.broken_off(model, address, why), tries=BROKEN)
    return Failure(ModelFault.UNREACHABLE, models.unreachable(model, address, why))


def _refused(status: int, exchange: Exchange, asked: Asked) -> Failure:
    model, address, said = asked.model, exchange.address, _message(exchange.said)
    if status < 400:
        where = exchange.headers.get("location", "another address")
        return Failure(ModelFault.BAD_REQUEST, models.sent_elsewhere(model, address, where))
    if status in {400, 413, 422} and _any(exchange.said, _TOO_LONG):
        return Failure(ModelFault.CONTEXT_TOO_SMALL, models.context_too_small(model, said))
    if status in {401, 403} or (status == 400 and _any(exchange.said, _KEY)):
        if not asked.has_key:
            return Failure(ModelFault.KEY_MISSING, models.key_missing(model, asked.looked_for))
        return Failure(ModelFault.KEY_REFUSED, models.key_refused(model, address, said))
    if status == 404:
        return Failure(ModelFault.NAME_UNKNOWN, models.model_unknown(model, address, said))
    if status == 402 or (status == 429 and _any(exchange.said, _USED_UP)):
        return Failure(ModelFault.RATE_LIMITED, models.quota_used_up(model, said))
    if status == 429:
        wish_s = after_s(exchange.headers)
        sentence = models.rate_limited(model, wish_s, said)
        return Failure(ModelFault.RATE_LIMITED, sentence, tries=AGAIN[status], after_s=wish_s)
    if status >= 500 or status in AGAIN:
        sentence = models.server_failed(model, address, status, said)
        return Failure(ModelFault.SERVER, sentence, tries=AGAIN.get(status, 1), after_s=after_s(exchange.headers))
    return Failure(ModelFault.BAD_REQUEST, models.request_refused(model, address, status, said))


def not_an_answer(exchange: Exchange, asked: Asked) -> Failure:
    """What came with a good status is a page, or anything else that is no stream."""
    kind = exchange.headers.get("content-type", "")
    return Failure(ModelFault.BAD_REQUEST, models.not_an_answer(asked.model, exchange.address, kind))


def _inside(error: Exception, exchange: Exchange, asked: Asked) -> Failure:
    """Nothing was wrong on the wire: litellm did not ask, or did not understand the answer."""
    while isinstance(inner := getattr(error, "original_exception", None), Exception) and inner is not error:
        error = inner
    kind, text = type(error).__name__, _LITELLM.sub("", str(getattr(error, "message", None) or error))
    if not exchange.address:
        if kind == "LiteLLMUnknownProvider" or "LLM Provider NOT provided" in text:
            return Failure(ModelFault.NAME_UNKNOWN, models.provider_unknown(asked.model))
        if kind == "AuthenticationError" or _any(text, ("api_key", "api key", "credentials")):
            return Failure(ModelFault.KEY_MISSING, models.key_missing(asked.model, asked.looked_for))
        return Failure(ModelFault.BAD_REQUEST, models.not_askable(asked.model, text))
    return Failure(ModelFault.SERVER, models.server_failed(asked.model, exchange.address, None, text), tries=BROKEN)


def _message(body: str) -> str:
    """What an error's body says to people: its message, where it has the usual shape."""
    try:
        told: object = json.loads(body)
    except (ValueError, RecursionError):
        return "" if "<html" in body.lower() else body
    for _ in range(3):
        if isinstance(told, list) and told:
            told = cast("list[object]", told)[0]
        if not isinstance(told, dict):
            break
        fields = cast("dict[str, object]", told)
        told = fields.get("error") or fields.get("message") or fields.get("detail") or ""
    return told if isinstance(told, str) else ""


def after_s(headers: httpx.Headers) -> float | None:
    """The pause that a server asks for, in seconds or until a date; None: it names none that can be read."""
    wish = headers.get("retry-after", "").strip()
    try:
        if wish.isascii() and wish.replace(".", "", 1).isdigit():
            return float(wish)
        date = parsedate_to_datetime(wish)
        return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _any(text: str, words: Sequence[str]) -> bool:
    low = text.lower()
    return any(word in low for word in words)

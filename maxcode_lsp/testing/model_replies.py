"""What the scripted model server may answer: texts, oddities and errors, in the shape of OpenAI's interface."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct, field


class Reply(Struct, frozen=True, kw_only=True):
    """One answer. As it stands: an ordinary one."""

    text: str | None = ""
    """None: a message whose content is null."""
    finish: str | None = "stop"
    refusal: str | None = None
    reasoning: str = ""
    """Comes before the text, as ``reasoning_content``."""
    choices: int = 1
    """0: an answer without any."""
    message: bool = True
    """False: a choice whose message is null."""
    usage: tuple[int, int] | Literal["true"] | None = "true"
    """Tokens in and out as claimed; None: nothing is claimed."""
    wait_s: float = 0
    """Before anything is sent."""
    pause_s: float = 0
    """Between two pieces of a stream."""
    piece: int = 16
    """Characters in a piece of a stream."""
    endless: bool = False
    """The text comes again and again until the client goes away (bounded all the same)."""
    drop: Literal["", "before", "during"] = ""
    """The connection is closed before anything is sent, or before piece ``drop_after``."""
    drop_after: int = 1
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    """Sent as it is instead of all the above."""

    @property
    def plain(self) -> bool:
        """Whether it has the shape of an answer, which can be streamed."""
        return self.body is None

    def document(self, asked: Mapping[str, Any]) -> Iterator[bytes]:
        """The body, in two pieces."""
        data = self.body
        if data is None:
            message = {"role": "assistant", "content": self.text, "refusal": self.refusal}
            if self.reasoning:
                message["reasoning_content"] = self.reasoning
            choice = {"message": message if self.message else None, "finish_reason": self.finish}
            whole: dict[str, Any] = self._frame(asked, "chat.completion")
            whole["choices"] = [{"index": index, **choice} for index in range(self.choices)]
            if self.usage is not None:
                whole["usage"] = self._usage(asked)
            data = json.dumps(whole).encode()
        half = len(data) // 2
        yield from (part for part in (data[:half], data[half:]) if part)

    def events(self, asked: Mapping[str, Any]) -> Iterator[bytes]:
        """The pieces of a stream of server-sent events."""

        def event(choices: list[dict[str, Any]], **more: Any) -> bytes:
            piece = self._frame(asked, "chat.completion.chunk") | {"choices": choices} | more
            return b"data: " + json.dumps(piece).encode() + b"\n\n"

        def delta(finish: str | None = None, **what: Any) -> bytes:
            return event([{"index": 0, "delta": what if self.message else None, "finish_reason": finish}])

        if self.choices:
            yield delta(role="assistant", content=None if self.text is None else "")
            yield from (delta(reasoning_content=part) for part in self._parts(self.reasoning))
            if self.refusal is not None:
                yield delta(refusal=self.refusal)
            yield from (delta(content=part) for part in self._parts(self.text or ""))
            while self.endless:
                yield from (delta(content=part) for part in self._parts(self.text or " "))
            yield delta(self.finish)
        if self.usage is not None and "include_usage" in str(asked.get("stream_options")):
            yield event([], usage=self._usage(asked))
        yield b"data: [DONE]\n\n"

    def _parts(self, text: str) -> Iterator[str]:
        yield from (text[start : start + self.piece] for start in range(0, len(text), self.piece))

    @staticmethod
    def _frame(asked: Mapping[str, Any], what: str) -> dict[str, Any]:
        return {"id": "chatcmpl-1", "object": what, "created": 1, "model": str(asked.get("model", "scripted"))}

    def _usage(self, asked: Mapping[str, Any]) -> dict[str, int]:
        known = (len(json.dumps(asked.get("messages", []))) // 4 + 1, len((self.text or "") + self.reasoning) // 4 + 1)
        tokens_in, tokens_out = known if self.usage == "true" or self.usage is None else self.usage
        return {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}


Said = Reply | str
"""A text is the answer with that text."""


def error(
    status: int,
    message: str,
    *,
    code: str | None = None,
    kind: str = "invalid_request_error",
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error as OpenAI words it."""
    told = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return Reply(status=status, body=json.dumps(told).encode(), headers=dict(headers or {}))


def rate_limited(retry_after: str | None = None) -> Reply:
    """429; ``retry_after``: seconds or an HTTP date, as the header has it."""
    headers = {} if retry_after is None else {"retry-after": retry_after}
    message = "Rate limit reached for requests."
    return error(429, message, code="rate_limit_exceeded", kind="requests", headers=headers)


def context_exceeded(limit: int = 8192) -> Reply:
    """400: question and answer are longer than the model's context."""
    message = (
        f"This model's maximum context length is {limit} tokens. However, your messages resulted in {limit + 1000} "
        "tokens. Please reduce the length of the messages."
    )
    return error(400, message, code="context_length_exceeded", param="messages")


def unsupported(param: str) -> Reply:
    """400: a parameter is not known to the model."""
    message = f"Unsupported parameter: '{param}' is not supported with this model."
    return error(400, message, code="unsupported_parameter", param=param)


def no_such_model(name: str) -> Reply:
    """404: there is no model of that name."""
    return error(404, f"The model `{name}` does not exist or you do not have access to it.", code="model_not_found")


def server_error(status: int = 500) -> Reply:
    """5xx."""
    return error(status, "The server had an error while processing your request.", kind="server_error")

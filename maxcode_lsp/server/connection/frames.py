"""Messages out of a stream of bytes, and back: the base protocol of LSP. Nothing that arrives makes it fail or hang."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from maxcode_lsp.redaction import holds_secret, redacted

LARGEST_BYTES = 256 << 20
"""Of one message. A length above it is taken for garbage."""
_LARGEST_HEADER = 4096
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"(?:^|\n)[ \t]*content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*(?:\r?\n|$)", re.IGNORECASE)
_EXACT = frozenset({"newText", "text", "uri", "scopeUri", "targetUri", "oldUri", "newUri", "id", "token"})
"""Members that are the user's text, or that somebody goes by: they stay as they are."""
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_NAME = re.compile(rb"content-length", re.IGNORECASE)


class Garbled(ValueError):
    """A stretch of the stream that is no message; ``str`` says why."""


class Frames:
    """Takes bytes as they come and gives the bodies of whole messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None

    def feed(self, data: bytes) -> Iterator[bytes | Garbled]:
        """All bodies that are whole now. What is no header is left out, up to the next one."""
        self._buffer += data
        while True:
            if self._length is None:
                found = self._header()
                if found is None:
                    return
                if isinstance(found, Garbled):
                    yield found
                    continue
                self._length = found
            if len(self._buffer) < self._length:
                return
            body = bytes(memoryview(self._buffer)[: self._length])
            del self._buffer[: self._length]
            self._length = None
            yield body

    def _header(self) -> int | Garbled | None:
        """The length that the next header names; None: it is not whole yet."""
        end = _HEADER_END.search(self._buffer, 0, _LARGEST_HEADER)
        if end is None:
            if len(self._buffer) < _LARGEST_HEADER:
                return None
            self._skip(1)
            return Garbled("no end of a header")
        named = _LENGTH.search(self._buffer, 0, end.end())
        length = int(named[1]) if named else 0
        if named is None or length > LARGEST_BYTES:
            self._skip(end.end())
            return Garbled("a header without a usable Content-Length")
        del self._buffer[: end.end()]
        return length

    def _skip(self, least: int) -> None:
        """Drop at least so much, up to where the next header may begin."""
        following = _NAME.search(self._buffer, least)
        keep = following.start() if following else max(least, len(self._buffer) - len(b"content-length"))
        del self._buffer[:keep]


def frame(message: Any, default: Any = None) -> bytes:
    """The bytes of a message, without secrets. ``default`` makes plain values of others, as for ``json.dumps``. Raises
    ValueError, TypeError or RecursionError for what is no JSON.
    """
    body = _written(message, default)
    if holds_secret(body):
        body = _written(redacted(json.loads(body), _EXACT))
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _written(message: Any, default: Any = None) -> bytes:
    return json.dumps(message, default=default, allow_nan=False, separators=(",", ":")).encode("ascii")


def decoded(body: bytes) -> Any:
    """The plain value of a body. Bytes that are not UTF-8 and halves of surrogate pairs, which no text has, become
    U+FFFD (one UTF-16 unit like the half), except in an ``id``: nothing that is done with the text can fail for them,
    and a request is still answered.

    Raises Garbled.
    """
    try:
        value: Any = json.loads(body.decode("utf-8", "replace"))
        if not _SURROGATE.search(body):
            return value
        if not isinstance(value, dict):
            return _whole(value)
        return {name: one if name == "id" else _whole(one) for name, one in cast("dict[str, Any]", value).items()}
    except (ValueError, RecursionError) as error:
        message = f"no JSON ({type(error).__name__})"
        raise Garbled(message) from None


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_whole(one) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {_whole(name): _whole(one) for name, one in cast("dict[str, Any]", value).items()}
    return value

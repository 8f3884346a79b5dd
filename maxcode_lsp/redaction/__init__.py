"""Secrets that must not get out: what is known to be one, and what looks like one, becomes ``[secret]``.

Applied at the root of everything that leaves a process or stays on a disk: the log, journals, crash reports, messages
between processes, what is printed. Source code is not put through it where it must stay exact: bytes stay bytes.

All is matched by RE2, in time linear in the text, a few milliseconds for a megabyte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from maxcode_lsp.redaction.expressions import HIDDEN, Match, expression
from maxcode_lsp.redaction.known import Known
from maxcode_lsp.redaction.shapes import without_shapes

__all__ = [
    "HIDDEN",
    "hide",
    "hide_environment",
    "hide_in_address",
    "holds_secret",
    "redact",
    "redact_bytes",
    "redact_known",
    "redacted",
]
_SECRET_NAME = re.compile(r"(?:^|_|API|AUTH)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT)S?$", re.IGNORECASE)
_LITERAL = expression(r'"(?:[^"\\]|\\.)*"')
_ROUNDS = 4
"""What one round leaves may look like a secret only then. No text was found that needs a third."""
_known = Known()


def hide(values: Iterable[str]) -> None:
    """Remember secrets of this process: keys from the environment, from the editor, from settings.

    They are found as they are, quoted in addresses, escaped in JSON, and in base64. What is shorter than 6 characters,
    a plain word or a short number is not hidden: it would be found where it is none.
    """
    _known.add(values)


def hide_environment(environment: Mapping[str, str]) -> None:
    """Remember the values of all variables that are named like secrets, whoever needs them."""
    named = (value for name, value in environment.items() if _SECRET_NAME.search(name))
    hide(value for value in named if not value.startswith(("/", "~", ".")))  # where one is kept is no secret
    for value in environment.values():
        hide_in_address(value)


def hide_in_address(address: str) -> None:
    """Remember the password and the keys that stand in a URL."""
    from urllib.parse import parse_qsl, unquote, urlsplit

    if "://" not in address:
        return
    try:
        parts = urlsplit(address)
        query = parse_qsl(parts.query)
    except ValueError:
        return
    user = parts.netloc.rpartition("@")[0]
    password = user.partition(":")[2] or user
    hide([user, password, unquote(password)])
    hide(value for name, value in query if redact(f"://?{name}={value}") != f"://?{name}={value}")


def redact(text: str) -> str:
    """A text without secrets."""
    data = text.encode("utf-8", "surrogatepass")
    clean = _redact(data)
    return text if clean == data else clean.decode("utf-8", "surrogatepass")


def redact_known(text: str) -> str:
    """A text without the secrets that are known; what only looks like one stays, for it may be the user's code."""
    data = text.encode("utf-8", "surrogatepass")
    clean = _known.without(data)
    return text if clean == data else clean.decode("utf-8", "surrogatepass")


def redact_bytes(data: bytes) -> bytes:
    """The same for UTF-8 (JSON lines among it: what is left is still JSON)."""
    if not holds_secret(data):
        return data
    return b"".join(map(_redact_line, data.splitlines(keepends=True)))


def holds_secret(data: bytes) -> bool:
    """Whether there is anything to hide in a text, or in JSON."""
    return _redact(data) != data


def redacted(value: Any, keep: frozenset[str] = frozenset()) -> Any:
    """Plain values (dicts, lists, texts) without secrets. Bytes, and members named in ``keep``, stay as they are."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        members = cast("dict[Any, Any]", value).items()
        return {name: one if name in keep else redacted(one, keep) for name, one in members}
    if isinstance(value, list | tuple):
        return [redacted(one, keep) for one in cast("list[Any]", value)]
    return value


def _redact(data: bytes) -> bytes:
    for _ in range(_ROUNDS):
        clean = without_shapes(_known.without(data))
        if clean == data:
            break
        data = clean
    return data


def _redact_line(line: bytes) -> bytes:
    try:
        json.loads(line, parse_int=len)  # a number may have more digits than Python reads
    except RecursionError:
        pass
    except ValueError:
        return _redact(line)
    return _LITERAL.sub(_redact_literal, line)


def _redact_literal(match: Match) -> bytes:
    text: str = json.loads(match[0])
    clean = redact(text)
    return match[0] if clean == text else json.dumps(clean).encode()

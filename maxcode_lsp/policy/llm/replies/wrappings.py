"""Code that came wrapped in something else: JSON, HTML entities, line numbers."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from msgspec import Struct

_NUMBER = re.compile(r"[ \t]*(\d{1,7})(?:[ \t]*[|:│][ ]?|\.[ ]|\t|[ ]|$)")
_OLD = ("search", "old", "old_str", "old_string", "before", "find", "original")
_NEW = ("replace", "new", "new_str", "new_string", "after", "replacement", "updated")
_WORDS = ("rationale", "explanation", "reason", "description", "summary", "change", "changes", "thought")
_MOST_VALUES = 2000


class Wrapped(Struct, frozen=True):
    """What a reply in JSON holds."""

    codes: tuple[str, ...]
    """Texts of several lines or with braces, in their order."""
    edits: tuple[tuple[str, str], ...]
    """Pairs of an old and a new text."""
    rationale: str


def from_json(text: str) -> Wrapped | None:
    """What is in a reply that is JSON; None: it is not, or holds no code."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")) or not stripped.endswith(("}", "]")):
        return None
    try:
        value = cast("object", json.loads(stripped, strict=False))
    except (ValueError, RecursionError):
        return None
    codes: list[str] = []
    edits: list[tuple[str, str]] = []
    rationale = ""
    for key, item in _values(value):
        if isinstance(item, dict):
            pair = _pair(cast("dict[str, object]", item))
            edits += [pair] if pair is not None else []
        elif isinstance(item, str) and key in _WORDS:
            rationale = rationale or item
        elif isinstance(item, str) and ("\n" in item or "{" in item):
            codes.append(item)
    return Wrapped(tuple(codes), tuple(edits), rationale) if codes or edits else None


def is_json_begun(text: str) -> bool:
    """Whether a reply begins as JSON with text in it does, and no program."""
    return re.match(r"""\s*[{\[]\s*["{]""", text) is not None


def unwrapped(code: str, shown: bytes) -> Iterator[str]:
    """A code as it is, then without what it may be wrapped in; first what is likeliest."""
    plain = without_numbers(code)
    if plain is not None:
        yield plain
        return
    escaped = "&lt;" in code and b"&lt;" not in shown and "<" not in code
    yield html.unescape(code) if escaped else code


def without_numbers(code: str) -> str | None:
    """Without the number in front of each line; None: there is none, or not in front of each."""
    lines = code.rstrip("\n").split("\n")
    numbers: list[int] = []
    bare: list[str] = []
    for line in lines:
        found = _NUMBER.match(line)
        if found is None:
            if line.strip():
                return None
            bare.append(line)
            continue
        numbers.append(int(found.group(1)))
        bare.append(line[found.end() :])
    if len(numbers) < 2 or any(b < a for a, b in pairwise(numbers)):
        return None
    return "\n".join(bare) + "\n"


def _pair(item: dict[str, object]) -> tuple[str, str] | None:
    old = next((item[key] for key in _OLD if isinstance(item.get(key), str)), None)
    new = next((item[key] for key in _NEW if isinstance(item.get(key), str)), None)
    return (old, new) if isinstance(old, str) and isinstance(new, str) else None


def _values(value: object) -> Iterator[tuple[str, object]]:
    """All values below one with their keys, in their order; those of an edit are not looked into."""
    waiting: list[tuple[str, object]] = [("", value)]
    seen = 0
    while waiting and seen < _MOST_VALUES:
        key, item = waiting.pop()
        seen += 1
        yield key, item
        if isinstance(item, dict):
            inner = cast("dict[str, object]", item)
            waiting += reversed([] if _pair(inner) is not None else list(inner.items()))
        elif isinstance(item, list):
            waiting += [(key, one) for one in reversed(cast("list[object]", item))]

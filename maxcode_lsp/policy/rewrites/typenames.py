"""Written types read: ``std::map<int, string>`` has the head ``map`` and the arguments ``int`` and ``string``."""

from __future__ import annotations

import re

from msgspec import Struct

_INTEGER_WORDS = frozenset(["unsigned", "signed", "int", "long", "short", "char", "bool"])
_INTEGER_NAMES = frozenset(
    (
        *("size_t", "ptrdiff_t", "ssize_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t"),
        *("uint16_t", "uint32_t", "uint64_t"),
    )
)


class TypeName(Struct, frozen=True):
    """A type without qualifiers, ``std::`` and white space."""

    head: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.head + (f"<{','.join(self.arguments)}>" if self.arguments else "")

    @property
    def is_integer(self) -> bool:
        """A built-in integer type under its usual names."""
        return not self.arguments and (
            self.head in _INTEGER_NAMES or (bool(self.head) and _INTEGER_WORDS.issuperset(self.head.split()))
        )


def read_type(written: str, aliases: dict[str, str] | None = None) -> TypeName:
    """The type that a text names; names of ``aliases`` (``ll``: ``long long``) are followed."""
    text = re.sub(r"\b(const|volatile|static|constexpr|typename|struct|class)\b", " ", written)
    text = re.sub(r"\bstd\s*::\s*|^\s*::", "", text).replace("&", " ")
    text = " ".join(text.split())
    left = dict(aliases or {})
    while text in left:
        # Each name is followed once: an alias may name itself in odd text.
        text = " ".join(re.sub(r"\bstd\s*::\s*", "", left.pop(text)).split())
    match = re.fullmatch(r"([\w: ]+?) ?< ?(.*) ?>", text)
    if match is None:
        return TypeName(text)
    return TypeName(match.group(1), tuple(str(read_type(part, left)) for part in split_arguments(match.group(2))))


def qualified(kind: str) -> str:
    """The type with ``std::`` where it is a string, so that it can be written without ``using namespace std``."""
    return f"std::{kind}" if kind in ("string", "string_view") else kind


def split_arguments(text: str) -> list[str]:
    """Split at the commas that are not inside brackets."""
    parts, depth, start = list[str](), 0, 0
    for at, char in enumerate(text):
        if char in "<([{":
            depth += 1
        elif char in ">)]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []

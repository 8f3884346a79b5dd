"""The names of the C++ and C standard libraries, their headers and how they are used, from ``standard_names.txt``."""

from __future__ import annotations

from enum import Enum
from functools import cache
from pathlib import Path

from msgspec import Struct

EVERYTHING = "<bits/stdc++.h>"
"""The header that includes all others."""

C_HEADERS = frozenset(
    {
        "<cassert>",
        "<cctype>",
        "<cerrno>",
        "<cfenv>",
        "<cfloat>",
        "<cinttypes>",
        "<climits>",
        "<clocale>",
        "<cmath>",
        "<csetjmp>",
        "<csignal>",
        "<cstdarg>",
        "<cstddef>",
        "<cstdint>",
        "<cstdio>",
        "<cstdlib>",
        "<cstring>",
        "<ctime>",
        "<cwchar>",
        "<cwctype>",
    }
)
"""Those that have an elder twin of C, ``<name.h>``."""


class Kind(str, Enum):
    """How a name is used."""

    FUNCTION = "function"
    """Called: before ``(``, or before template arguments and ``(``."""
    TEMPLATE = "template"
    """Before ``<``, ``(`` or ``{``."""
    TYPE = "type"
    OBJECT = "object"
    MANIPULATOR = "manipulator"
    """Behind ``<<`` or ``>>``."""
    MACRO = "macro"
    NAMESPACE = "namespace"
    """Before ``::``."""


class StandardName(Struct, frozen=True):
    """A name in namespace std, or a macro of the standard."""

    name: str
    kind: Kind
    header: str
    """What to include for it: ``<vector>``."""
    headers: frozenset[str]
    """All that bring it."""

    @property
    def is_c(self) -> bool:
        """Whether it stands in the global namespace too."""
        return self.header in C_HEADERS and self.name not in {"byte", "lerp", "to_integer"}


class StandardNames(Struct, frozen=True):
    """The table."""

    names: dict[bytes, StandardName]
    brings: dict[str, frozenset[str]]
    """The headers that a header is known to include."""

    def included(self, headers: frozenset[str]) -> frozenset[str]:
        """Headers with all that they bring."""
        return headers.union(*(self.brings.get(header, frozenset()) for header in headers))


@cache
def standard_names() -> StandardNames:
    """The table, read once."""
    found: dict[str, tuple[Kind, str]] = {}
    also: dict[str, set[str]] = {}
    brings: dict[str, frozenset[str]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        first, *rest = line.split()
        if first == "also":
            names, headers = rest[: rest.index("in")], rest[rest.index("in") + 1 :]
            for name in names:
                also.setdefault(name, set()).update(headers)
        elif rest[0] == "brings":
            brings[first] = frozenset(rest[1:])
        else:
            found.update((name, (Kind(rest[0]), first)) for name in rest[1:])
    return StandardNames(
        {
            name.encode(): StandardName(name, kind, header, frozenset(also.get(name, ())) | {header})
            for name, (kind, header) in found.items()
        },
        brings,
    )


def c_spelling(header: str) -> str:
    """``<string.h>`` for ``<cstring>``; any other as it is."""
    return f"<{header[2:-1]}.h>" if header in C_HEADERS else header

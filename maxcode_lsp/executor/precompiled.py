"""Precompiled headers that hold only what the target itself includes.

A wider one would accept a candidate whose include is missing. They only speed up the builds of a
search; what is confirmed is built without.
"""

from __future__ import annotations

import re

_SKIP = re.compile(rb"\s+|//[^\n]*\n|/\*.*?\*/", re.DOTALL)
_INCLUDE = re.compile(rb"[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>[^\n]*\n")


def leading_includes(text: bytes) -> tuple[bytes, ...]:
    """The ``<headers>`` included before anything else but comments, in order.

    Nothing can change what these headers mean, so they can be compiled ahead.
    """
    found: list[bytes] = []
    at = 3 if text.startswith(b"\xef\xbb\xbf") else 0
    while True:
        if match := _INCLUDE.match(text, at):
            found.append(match.group(1).strip())
        else:
            match = _SKIP.match(text, at)
        if match is None:
            return tuple(found)
        at = match.end()


def header_for(includes: tuple[bytes, ...]) -> bytes:
    """The text of the header to precompile."""
    return b"".join(b"#include <" + name + b">\n" for name in includes)

"""Deterministic include repair: standard names that are used without their header get it, at no token cost."""

from __future__ import annotations

import re

from maxcode_lsp.policy.llm.names_used import NamesUsed, names_used
from maxcode_lsp.policy.llm.standard_names import C_HEADERS, EVERYTHING, StandardName, c_spelling, standard_names
from maxcode_lsp.text.tokens import tokens

_USING = b"using namespace std;\n"
_INCLUDE_STYLE = b"#include "
_INCLUDE = re.compile(rb"#[ \t]*include\b[ \t]*(?=[<\"])")
_CONDITION = re.compile(rb"#\s*(if|ifdef|ifndef|endif)\b\s*(\w*)")
_DEFINE = re.compile(rb"#\s*define\s+(\w+)")
_ONCE = re.compile(rb"#\s*pragma\s+once\b")


def repair_includes(text: bytes, before: bytes) -> bytes:
    """``text`` with an ``#include`` for each standard name in it that has none and that ``before``, which compiles,
    did not use already with the same includes; and with ``using namespace std`` where ``before`` had it and ``text``
    lost it but needs it. Deterministic, idempotent, never raises; what needs nothing is returned as it is.
    """
    known = names_used(before)
    repaired = _repaired(text, known)
    # Where a line has no effect, in an open comment say, the second time would bring it once more.
    return repaired if repaired == text or _repaired(repaired, known) == repaired else text


def _repaired(text: bytes, known: NamesUsed) -> bytes:
    used = names_used(text)
    restore = known.has_using and not used.has_using and any(not name.is_c for name in used.bare)
    missing = _missing(used, known, bare_counts=used.has_using or restore)
    if not missing and not restore:
        return text
    at, style = _place(text)
    lines = b"".join(style + header.encode() + b"\n" for header in sorted(missing))
    lines = lines if at == 0 or text[at - 1 : at] == b"\n" else b"\n" + lines
    if not restore:
        return text[:at] + lines + text[at:]
    gap = b"" if text[at : at + 1] in {b"", b"\n"} else b"\n"
    return text[:at] + lines + b"\n" + _USING + gap + text[at:]


def _missing(used: NamesUsed, known: NamesUsed, *, bare_counts: bool) -> set[str]:
    """The headers that what is used needs and nothing brings."""
    if EVERYTHING in used.headers:
        return set()
    seen = frozenset[StandardName]()
    if known.headers <= used.headers:  # what no header promises came with one of them all the same
        seen = known.qualified | known.bare
    brings = standard_names().included
    for_std, for_bare = brings(used.headers | _std_of(used.headers)), brings(used.headers | _c_of(used.headers))
    bare = {name for name in used.bare - seen if bare_counts or name.is_c}
    missing = {name.header for name in used.qualified - seen if for_std.isdisjoint(name.headers)}
    missing |= {name.header for name in bare if for_bare.isdisjoint(name.headers)}
    is_c = used.headers and not used.qualified and not bare_counts
    if is_c and all(header.endswith((".h>", '"')) for header in used.headers):
        return {c_spelling(header) for header in missing}
    return missing


def _c_of(headers: frozenset[str]) -> frozenset[str]:
    """``<cstring>`` where ``<string.h>`` is included: for the global names it is as good."""
    return frozenset(header for header in C_HEADERS if c_spelling(header) in headers)


def _std_of(headers: frozenset[str]) -> frozenset[str]:
    """The same for names in ``std``: two of C's headers have them too."""
    return _c_of(headers & {"<math.h>", "<stdlib.h>"})


def _place(text: bytes) -> tuple[int, bytes]:
    """Where a line is put, and how the text writes an include: behind the last one in the leading block that stands
    under no condition; where there is none, behind the comments, the guard and ``#pragma once`` at the top.
    """
    top, place, style = 0, None, _INCLUDE_STYLE
    depth, at_top, guard = 0, True, b""
    for token in tokens(text):
        is_comment = token.text.startswith((b"//", b"/*"))
        if not is_comment and not token.text.startswith(b"#"):
            break
        end = text.find(b"\n", token.end) + 1 or len(text)
        if text[token.end : end].strip():
            break
        define = _DEFINE.match(token.text)
        is_guard = bool(guard) and define is not None and define.group(1) == guard
        depth -= is_guard
        guard = b""
        if condition := _CONDITION.match(token.text):
            depth += -1 if condition.group(1) == b"endif" else 1
            guard = condition.group(2) if at_top and condition.group(1) == b"ifndef" else b""
        if depth == 0 and (include := _INCLUDE.match(token.text)):
            place, style = end, include.group()
        at_top = at_top and (is_comment or is_guard or bool(guard) or _ONCE.match(token.text) is not None)
        if at_top and not guard:
            top = end
    return (top if place is None else place), style

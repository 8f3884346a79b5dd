"""URIs and paths: one function each way, so that two spellings of one file are one document.

The rest of a ``file:`` URI is a path and nothing else: editors that write ``#`` or ``?`` as they are mean a file of
that name. Paths are bytes, as the system has them; what is not UTF-8 goes through ``os.fsdecode`` both ways.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote, quote_from_bytes, unquote_to_bytes

_FILE = re.compile(r"file:(?://(?:localhost)?(?=/)|(?=/(?!/)))", re.IGNORECASE)
"""What stands before an absolute path on this machine."""
_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)(//[^/?#]*)?(.*)", re.DOTALL)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_RESERVED = "%:/?#[]@!$&'()*+,;="
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


def normalised(uri: str) -> str:
    """One spelling for all spellings of a URI: percent-encoding, scheme and host in lower case. Never raises."""
    path = path_of(uri)
    if path is not None:
        return uri_of(path)
    parts = _PARTS.fullmatch(uri)
    scheme, host, rest = parts.group(1, 2, 3) if parts else ("", "", uri)
    return scheme.lower() + _respelt(host or "").lower() + _respelt(rest)


def path_of(uri: str) -> Path | None:
    """The absolute path of a ``file:`` URI; None for anything else."""
    start = _FILE.match(uri)
    if start is None:
        return None
    path = unquote_to_bytes(_bytes(uri[start.end() :]))
    return None if b"\0" in path else _path(os.fsdecode(path))


def uri_of(path: Path) -> str:
    """The normalised ``file:`` URI of an absolute path, also of one that is not UTF-8."""
    return "file://" + quote_from_bytes(os.fsencode(_path(str(path))), safe="/:")


def _path(path: str) -> Path:
    # Two slashes at the start mean a network to some systems, and pathlib keeps them.
    return Path("/" + path.lstrip("/"))


def _respelt(part: str) -> str:
    """Escapes in capitals, and none for what needs none."""

    def respelt(escape: re.Match[str]) -> str:
        character = chr(int(escape.group(1), 16))
        return character if _UNRESERVED.fullmatch(character) else escape.group().upper()

    return quote(_bytes(_ESCAPE.sub(respelt, part)), safe=_RESERVED)


def _bytes(text: str) -> bytes:
    """UTF-8; half a surrogate pair, which no URI has, does not fail."""
    return text.encode(errors="surrogatepass")

"""A hundred keys for twenty places, five in each, and the search for them in everything that came out."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

PLACES = (
    "environment",
    "editor's secrets",
    "user of an address",
    "query of an address",
    "error body that echoes the header",
    "text of a 401",
    "location of a redirection",
    "code of a reply",
    "rationale of a reply",
    "chain of exceptions",
    "arguments of a log record",
    "exception of a log record",
    "warning",
    "uncaught exception",
    "print of a library",
    "journal",
    "progress",
    "result",
    "doctor",
    "message to the editor",
)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def _chance(place: str, number: int, length: int) -> str:
    data = hashlib.shake_256(f"{place} {number}".encode()).digest(length)
    return "".join(LETTERS[byte % len(LETTERS)] for byte in data)


def keys_of(place: str) -> tuple[str, str, str, str, str]:
    """Three that are known by their shape, two only by being known: the environment has them, too."""
    return (
        f"sk-proj-{_chance(place, 0, 40)}",
        f"AIza{_chance(place, 1, 35)}",
        f"ghp_{_chance(place, 2, 36)}",
        _chance(place, 3, 32),
        f"{_chance(place, 4, 14)}/+&'\"\\={_chance(place, 5, 14)}",
    )


ALL = tuple(key for place in PLACES for key in keys_of(place))
assert len(set(ALL)) == 100


def environment() -> dict[str, str]:
    """Variables of providers that nobody asks for. What a reply holds may be the user's code, so only what is known is
    hidden in it.
    """
    known = [key for place in PLACES for key in keys_of(place)[0 if "of a reply" in place else 3 :]]
    return {f"PLANTED_{number}_API_KEY": key for number, key in enumerate(known)}


def _forms(key: str) -> Iterator[bytes]:
    yield key.encode()
    yield quote(key, safe="").encode()
    yield json.dumps(key)[1:-1].encode()
    yield repr(key)[1:-1].encode()
    yield base64.b64encode(key.encode())[:-4]


FORMS = {key: set(_forms(key)) for key in ALL}
_ENCODED = re.compile(rb"[A-Za-z0-9+/]{24,}={0,2}")


def found_in(data: bytes) -> set[str]:
    """The planted keys that stand in it, as they are, escaped or encoded."""
    pieces = [data]
    for text in _ENCODED.findall(data):
        try:
            pieces.append(base64.b64decode(text + b"=" * (-len(text) % 4)))
        except ValueError:
            continue
    whole = b"\n".join(pieces)
    return {key for key, forms in FORMS.items() if any(form in whole for form in forms)}


def everything_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of all files, those in archives too."""
    for file in sorted(folder.rglob("*")):
        if not file.is_file():
            continue
        yield str(file), file.read_bytes()
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                for name in archive.namelist():
                    yield f"{file}!{name}", archive.read(name)


def leaks(folder: Path, **said: bytes) -> dict[str, set[str]]:
    """Where planted keys came out: files below a folder, and what was said. Empty: nowhere."""
    places = [*everything_below(folder), *said.items()]
    return {name: found for name, data in places if (found := found_in(data) | found_in(name.encode()))}

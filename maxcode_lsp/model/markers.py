"""Markers around text that is shown to a model as data: whoever wrote the text cannot know them, so it cannot end the
data and go on as if it were the user.

They are the same for the same program, so that the same question can be found in the cache of answers.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import re
import secrets
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from msgspec import Struct

SECRET_BYTES = 32
TOKEN_DIGITS = 16
"""Hexadecimal: 64 bits."""
_JOINER = "\u2060"
_CONTROL = re.compile(
    r"<(?=\|[^\s<>|]{1,40}\|>|｜[^\s<>]{1,40}｜>|/s>|/?(?:start|end)_of_turn>|/?(?:think|tool_call|tool_response)>"
    r"|</?SYS>>)|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])"
)
"""Where a spelling begins that a local server reads as the end of a message or the start of another, not as text.
None of them is C++ outside of comments and strings, but ``a[INST]``, which reads the same with the joiner in it."""


class Marker(Struct, frozen=True):
    """The lines that open and close data in one question."""

    token: str

    @property
    def begin(self) -> str:
        """The line before data."""
        return f"<data {self.token}>"

    @property
    def end(self) -> str:
        """The line after it."""
        return f"</data {self.token}>"

    def around(self, text: str) -> str:
        """A text as data. Spellings that a server takes for more than text are broken up by an invisible character."""
        inside = _disarmed(text).rstrip("\n")
        return f"{self.begin}\n{inside}\n{self.end}"

    def without(self, reply: str) -> str:
        """A reply in which the model did not copy the markers, or what breaks up its text."""
        lines = re.compile(rf"^[ \t]*</?data {self.token}>[ \t]*(?:\n|\Z)", re.MULTILINE)
        return re.sub(f"(?<=[<\\[]){_JOINER}", "", lines.sub("", reply))


def marker(secret: bytes, program: bytes, texts: Iterable[str]) -> Marker:
    """For questions about one program. ``texts``: all that will stand in data; none of them has the token in it, not
    even where a model had copied it into what it proposed before.
    """
    whole = "\n".join(texts).casefold()
    taken = b""
    while True:
        token = hmac.digest(secret, taken + program, "sha256").hex()[:TOKEN_DIGITS]
        if token not in whole:
            return Marker(token)
        taken += b"\0"


async def secret() -> bytes:
    """The user's own, made when first asked for; one of this process alone where it cannot be kept: then questions of
    another process are other questions.
    """
    return await asyncio.to_thread(_kept, secret_file())


def secret_file() -> Path:
    """Where it is kept."""
    import platformdirs

    return platformdirs.user_state_path("maxcode") / "marker.key"


def _disarmed(text: str) -> str:
    return _CONTROL.sub(lambda found: found.group() + _JOINER, text)


@cache
def _kept(file: Path) -> bytes:
    """What the file holds, written first where there is none. Several processes may do so at once."""
    made = secrets.token_bytes(SECRET_BYTES)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if (known := _read(file)) is not None:
            return known
        partial = file.with_suffix(f".{os.getpid()}-{secrets.token_hex(4)}")
        try:
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as whole:
                whole.write(made)
            # A link is made by one of them only, and never of half a file.
            try:
                os.link(partial, file)
            except FileExistsError:
                if (known := _read(file)) is not None:
                    return known
                partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)
    except OSError:
        return made
    return made


def _read(file: Path) -> bytes | None:
    """None: there is nothing that can be used."""
    try:
        with file.open("rb") as data:
            found = data.read(SECRET_BYTES + 1)
    except FileNotFoundError:
        return None
    return found if len(found) == SECRET_BYTES else None

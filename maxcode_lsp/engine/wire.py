"""What server and engine process say to each other: JSON lines, one record each, over pipes.

The server sends requests on the engine's standard input and reads messages from its standard output. The end
of the input means: stop everything and exit. Light to import: the server imports it at start.
"""

from __future__ import annotations

from typing import cast

from msgspec import Struct, field

from maxcode_lsp.engine.events import Event, Judgement
from maxcode_lsp.engine.journal.lines import decode
from maxcode_lsp.records import Critique
from maxcode_lsp.settings.schema import Settings

PROTOCOL = 2
"""Changed whenever a record changes; both sides must have the same."""
BEAT_S = 5.0


class Start(Struct, frozen=True, tag="start"):
    """Begin (or go on with) a run. Answered by :class:`Happened`, the last with a ``RunResult``.

    A run of the same ``file`` that is going on is replaced: it ends as ``cancelled`` first.
    """

    run: str
    """Id of the run, also of its journal; see :func:`maxcode_lsp.engine.journal.places.new_id`."""
    file: str
    """Absolute path of the program."""
    text: bytes | None
    """What the editor has, which may not be saved; None: what is on disk."""
    settings: Settings
    resume: bool = False
    """Go on from the journal of ``run``: what was evaluated is not evaluated again."""
    allow_unsafe: bool = False


class Cancel(Struct, frozen=True, tag="cancel"):
    """End a run; its ``RunResult`` (``cancelled``) follows at once, its children go within 2 s."""

    run: str


class Verify(Struct, frozen=True, tag="verify"):
    """Judge ``edited`` against ``original`` (both whole files, exact bytes), as ``maxcode verify`` does.

    Answered by :class:`Verified` with the same ``id``.
    """

    id: int
    file: str
    original: bytes
    edited: bytes
    settings: Settings
    allow_unsafe: bool = False


class Inspect(Struct, frozen=True, tag="inspect"):
    """Criticise a text without running or building anything. Answered by :class:`Inspected`."""

    id: int
    file: str
    text: bytes


class Drop(Struct, frozen=True, tag="drop"):
    """The answer to ``id`` (a Verify or Inspect) is no longer wanted; its work is torn down."""

    id: int


class Secrets(Struct, frozen=True, tag="secrets"):
    """Keys of model providers from the editor, in place of those before; runs that begin later use them. Not answered.

    The first request after each start, where there are any. Held in memory only.
    """

    values: dict[str, str]
    """By the name of the environment variable that each stands for."""

    def __repr__(self) -> str:
        """Without what it holds: it may get into a log."""
        return "Secrets(…)"


Request = Start | Cancel | Verify | Inspect | Drop | Secrets


class Ready(Struct, frozen=True, tag="ready"):
    """The engine listens; the first message, and said again every ``BEAT_S`` while it works on anything."""

    pid: int
    protocol: int = PROTOCOL


class Happened(Struct, frozen=True, tag="happened"):
    """Something happened in a run."""

    run: str
    event: Event


class Verified(Struct, frozen=True, tag="verified"):
    """The answer to :class:`Verify`. ``judgement`` None: it could not be judged, ``reason`` says why."""

    id: int
    judgement: Judgement | None
    reason: str = ""


class Inspected(Struct, frozen=True, tag="inspected"):
    """The answer to :class:`Inspect`."""

    id: int
    critique: Critique = field(default_factory=Critique)


Message = Ready | Happened | Verified | Inspected


def request_of(line: bytes) -> Request:
    """The request of a line. Raises ValueError for anything else."""
    return decode(line, cast("type[Request]", Request))


def message_of(line: bytes) -> Message:
    """The message of a line. Raises ValueError for anything else."""
    return decode(line, cast("type[Message]", Message))

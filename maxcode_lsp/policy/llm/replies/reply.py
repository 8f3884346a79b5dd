"""A reply, read: the new text, or why there is none."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from maxcode_lsp.model.model import Answer


class ReplyEnd(str, Enum):
    """What became of a reply."""

    PROGRAM = "program"
    """A whole program."""
    HUNKS = "hunks"
    """Search-and-replace hunks, all of which fitted."""
    UNCHANGED = "unchanged"
    """The text that was shown, nothing new."""
    TRUNCATED = "truncated"
    EMPTY = "empty"
    REFUSED = "refused"
    THINKING_ONLY = "thinking_only"
    NO_CODE = "no_code"
    """Words only."""
    HUNK_FAILED = "hunk_failed"
    """At least one hunk fits nowhere or at several places: then none is taken."""
    NOT_A_PROGRAM = "not_a_program"
    """Code that is a part of the program at best."""
    OUT_OF_REGION = "out_of_region"
    """It changes what may not change."""


class Reply(Struct, frozen=True):
    """What a reply is worth."""

    end: ReplyEnd
    text: bytes | None = None
    """The full new normalised text, where ``end`` is ``program`` or ``hunks``."""
    rationale: str = ""
    """The model's own words about what it did: one sentence, plain text; empty: it said nothing."""
    complaint: str = ""
    """What to tell the model so that its next try is better: which hunk failed and why, that it was cut off …"""


def read_reply(answer: Answer, shown: bytes) -> Reply:
    """What ``answer`` makes of the text that was ``shown`` (normalised, whole). Never raises.

    Takes up to some seconds for a reply of some megabytes: not for an event loop.
    """
    from maxcode_lsp.policy.llm.replies.reading import read

    return read(answer, shown)

"""What a reply says once the leavings of the model and its server are gone: thinking aloud, marks of turns."""

from __future__ import annotations

from msgspec import Struct

_THOUGHTS = ("think", "thinking", "thought", "reasoning", "analysis", "scratchpad", "antthinking")
_ENDS = (
    "<|im_end|>",
    "<|im_start|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end|>",
    "<|return|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
)
"""Marks behind which another turn begins, or nothing."""
_CHANNEL, _FINAL, _MESSAGE = "<|channel|>", "final", "<|message|>"


class Spoken(Struct, frozen=True):
    """A reply as the model meant it to be read."""

    text: str
    """Line ends are LF; no byte order mark; nothing that is not Unicode."""
    thought: bool
    """It thought aloud."""


def spoken(text: str, shown: bytes) -> Spoken:
    """The reply proper. What the program that was ``shown`` holds itself is no mark."""
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    text, thought = _final(text)
    text, aloud = _without_thoughts(text, shown)
    for mark in _ENDS:
        if mark.encode() not in shown:
            text = text.partition(mark)[0]
    if text.rstrip().endswith("</s>"):
        text = text.rstrip().removesuffix("</s>")
    return Spoken(text, thought or aloud)


def _final(text: str) -> tuple[str, bool]:
    """Of a reply in several channels, the one that is meant for others."""
    if not text.lstrip().startswith(("<|start|>", _CHANNEL)):
        return text, False
    for channel in reversed(text.split(_CHANNEL)):
        name, mark, said = channel.partition(_MESSAGE)
        if mark and name.strip().startswith(_FINAL):
            return said, _CHANNEL in text
    return "", True


def _without_thoughts(text: str, shown: bytes) -> tuple[str, bool]:
    thought = False
    for name in _THOUGHTS:
        begin, end = f"<{name}>", f"</{name}>"
        if end.encode() in shown or begin.encode() in shown or not (begin in text or end in text):
            continue
        kept, aloud = _apart(text, begin, end)
        text, thought = kept, thought or aloud
        # Some templates begin the thought themselves: then only its end is there.
        if not aloud and end in text:
            text, thought = text.rpartition(end)[2], True
    return text, thought


def _apart(text: str, begin: str, end: str) -> tuple[str, bool]:
    """The text without what stands between marks that begin a line, and whether there was any. Code that holds such
    marks stays: behind a fence there is none.
    """
    kept: list[str] = []
    at = found = 0
    thought = False
    while (found := text.find(begin, found)) >= 0 and "\n```" not in "\n" + text[at:found]:
        if text[max(at, text.rfind("\n", at, found) + 1) : found].strip():
            found += len(begin)
            continue
        kept.append(text[at:found])
        thought = True
        closed = text.find(end, found)
        at = found = len(text) if closed < 0 else closed + len(end)
    return "".join((*kept, text[at:])), thought

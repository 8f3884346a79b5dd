"""Short forms for what stands in sentences: names, output, numbers."""

from __future__ import annotations

import re
import signal as signals
from pathlib import Path

from maxcode_lsp.redaction import redact

_ODD = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What controls a terminal, or the order and the lines in which a text is shown."""
_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Halves of characters that no undecodable byte becomes; JSON may hold them."""
_LINK = re.compile(r"\](?=\([a-z]+:)", re.IGNORECASE)
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[^\[]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(data: bytes) -> str:
    """Output of a child as text: undecodable bytes replaced, control codes removed."""
    return _CONTROL.sub("", data.decode(errors="replace"))


def first_error(diagnostics: str) -> str:
    """The first error line of a compiler's output, or its first line."""
    lines = [line.strip() for line in diagnostics.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line or "undefined reference" in line]
    return (errors or lines or ["no message"])[0][:300]


def signal_name(number: int) -> str:
    """``SIGSEGV`` for 11."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"signal {number}"


def printable(text: str | Path) -> str:
    """Text or path that is safe to print: without secrets, control characters and undecodable bytes shown as ``?``."""
    return _ODD.sub("?", redact(_NO_BYTE.sub("?", str(text)).encode(errors="surrogateescape").decode(errors="replace")))


def shortened(text: str, most: int) -> str:
    """A path in at most so many characters, cut from the left: its end tells more."""
    return text if len(text) <= most else f"…{text[len(text) - most + 1 :]}"


def cut(text: str, most: int) -> str:
    """A text in at most so many characters, cut at its end."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def unlinked(sentence: str) -> str:
    """A sentence in which nothing is a link: VS Code makes one, which may run a command, of ``[name](command:…)`` in
    a message, also where that is the name of a file.
    """
    return _LINK.sub("] ", sentence)


def percent(share: float) -> str:
    """A share (0..1) for people: ``78 %``."""
    return f"{share * 100:.0f} %"


def times(speedup: float, sign: str = "×") -> str:
    """A speedup with three figures: ``2.31×``, ``14.2×``, ``130×``."""
    digits = 2 if speedup < 9.995 else 1 if speedup < 99.95 else 0
    return f"{speedup:.{digits}f}{sign}"


def interval(ci95: tuple[float, float], dash: str = "–") -> str:
    """``2.24–2.39``, with as many digits as the speedup has."""
    return dash.join(times(bound, sign="") for bound in ci95)


def counted(number: int, noun: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def dollars(amount: float) -> str:
    """``$1.20``, ``$0.034``, ``$0.0005``: two figures at least."""
    digits = 2 if amount >= 0.1 or amount == 0 else 3 if amount >= 0.01 else 4
    return f"${amount:.{digits}f}"


def tokens(number: int) -> str:
    """``870 tokens``, ``34k tokens``, ``1.2M tokens``."""
    if number < 1000:
        return counted(number, "token")
    return f"{number / 1e6:.1f}M tokens" if number >= 999_500 else f"{number / 1000:.0f}k tokens"


def spent(tokens_in: int, tokens_out: int, cost_usd: float | None) -> str:
    """What models cost: ``$0.034``; where no price is known, or it is free, ``34k tokens``."""
    return dollars(cost_usd) if cost_usd else tokens(tokens_in + tokens_out)

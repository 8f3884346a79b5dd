"""One record as one line of bytes, and back."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar

import msgspec

T = TypeVar("T")

LINE_BYTES = 32 << 20
"""No line is longer: a program of the largest size, with its edit and diff, stays well below."""
FILE_BYTES = 256 << 20
"""No journal is larger: nothing more is written, and nothing larger is read."""


def encode(record: Any) -> bytes:
    """A record as a line with its end. Names of files need not be Unicode; msgspec's own JSON has no words for such."""
    try:
        return msgspec.json.encode(record) + b"\n"
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(record, str_keys=True), separators=(",", ":")).encode() + b"\n"


def decode(line: bytes, kind: type[T]) -> T:
    """The record of a line. Raises ValueError for anything else."""
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        raw: Any = json.loads(line, parse_constant=_no_number)
        return msgspec.convert(raw, kind, str_keys=True)
    except RecursionError as error:
        raise ValueError("too deeply nested") from error


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")

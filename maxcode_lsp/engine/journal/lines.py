"""One record as one line of bytes, and back."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar

import msgspec

from maxcode_lsp.redaction import holds_secret, redacted

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


EXACT = frozenset({"file", "path", "flags", "flags_from", "bundle", "output", "workload"})
"""Members that somebody goes by, so that they stay as they are: paths, flags, patterns. Nobody puts a key there."""


def encode_redacted(record: Any) -> bytes:
    """The same without secrets: for what stays on a disk, and for what is only told. Bytes, which are source code, stay
    as they are.
    """
    line = encode(record)
    if not holds_secret(line):
        return line
    return encode(redacted(msgspec.to_builtins(record, builtin_types=(bytes,), str_keys=True), EXACT))


def without_secrets(record: T) -> T:
    """The same for a record that does not leave the process."""
    return decode(encode_redacted(record), type(record)) if holds_secret(encode(record)) else record


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

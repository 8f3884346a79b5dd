"""Code objects kept from one start to the next, so that a start does not compile the same text again.

attrs and cattrs write the methods of each class as text and compile it, 760 times while a server starts: a third of
all the time it takes. Both look ``compile`` up among their module's names first, so one put there is used. An entry
is found by the text it was compiled from: another version of a library only misses. The file is executed, so it is
read only where nobody else can have written it. Any trouble means: no cache.
"""

from __future__ import annotations

import builtins
import marshal
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast

import attr._make
import cattrs.gen

LARGEST_BYTES = 16 << 20
"""Of the file; there are about 2 MB in it."""

_Table = dict[str, CodeType]
_COMPILING: tuple[ModuleType, ...] = (attr._make, cattrs.gen)


class CodeCache:
    """Used from its making until :meth:`close`."""

    def __init__(self, file: Path) -> None:
        """Read the file, if it is there and can be trusted, and answer for ``compile``."""
        self._file = file
        self._table = _read(file)
        self._known = len(self._table)
        self._used: _Table = {}
        for module in _COMPILING:
            vars(module)["compile"] = self._compile

    def _compile(self, text: Any, filename: Any, mode: Any, *args: Any, **kwargs: Any) -> Any:
        if args or kwargs or mode != "exec" or not isinstance(text, str):
            return cast("Any", builtins.compile(text, filename, mode, *args, **kwargs))
        # The file's name, which differs from start to start, is only for tracebacks.
        code = self._table.get(text)
        if code is None:
            code = self._table[text] = builtins.compile(text, filename, mode)
        self._used[text] = code
        return code

    def close(self) -> None:
        """Compile as ever from now on, and keep what was new."""
        for module in _COMPILING:
            vars(module).pop("compile", None)
        if len(self._table) > self._known:
            # What older versions of the libraries left behind goes once it is as much again.
            _write(self._file, self._table if len(self._table) < 2 * len(self._used) else self._used)
        self._table, self._used = {}, {}


def default_file() -> Path:
    """Where the cache of this user is: below :func:`maxcode_lsp.settings.cache_folder`, without its costly imports."""
    base = os.environ.get("XDG_CACHE_HOME", "").strip()
    folder = base or os.path.expanduser("~/.cache")  # noqa: PTH111 (Path's fails where there is no home)
    return Path(folder) / "maxcode" / "server" / f"code-{sys.implementation.cache_tag}"


def _read(file: Path) -> _Table:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            status = os.fstat(descriptor)
            if not (stat.S_ISREG(status.st_mode) and _ours(status) and _ours(file.parent.stat())):
                return {}
            found: Any = marshal.loads(stream.read(LARGEST_BYTES))  # noqa: S302 (nobody else can have written it)
            version, table = found
            return cast("_Table", table) if version == sys.version and isinstance(table, dict) else {}
    except Exception:  # noqa: BLE001 (whatever is wrong with the file, a start needs none)
        return {}


def _ours(status: os.stat_result) -> bool:
    """Belongs to this user, and nobody else may write it."""
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(file: Path, table: _Table) -> None:
    written = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError, ValueError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(marshal.dumps((sys.version, table)))
            written.replace(file)
        except BaseException:
            written.unlink(missing_ok=True)
            raise

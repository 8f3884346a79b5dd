"""Writing the result: whole or not at all, and never over a file that changed since it was measured."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from maxcode_lsp.errors import MaxcodeError
from maxcode_lsp.messages import terminal


class NotWritten(MaxcodeError):
    """The file was left as it was; the message says why."""


def write_whole(path: Path, data: bytes, *, expected: bytes | None = None) -> None:
    """Replace the file's content in one step (temporary file, then rename).

    Permissions, owner (where allowed) and a symbolic link stay as they are. ``expected``: the bytes
    that the file must still have. Raises NotWritten, and then nothing has changed.
    """
    real = Path(os.path.realpath(path))
    try:
        before = real.stat() if real.exists() else None
        if before is not None and not stat.S_ISREG(before.st_mode):
            raise NotWritten(terminal.not_writable(path, "it is not a regular file"))
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name[:80]}.")
    except OSError as error:
        raise NotWritten(terminal.not_writable(path, error.strerror or str(error))) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        _take_over(temporary, before)
        if expected is not None and real.read_bytes() != expected:
            raise NotWritten(terminal.stale(path))
        temporary.replace(real)
    except OSError as error:
        raise NotWritten(terminal.not_writable(path, error.strerror or str(error))) from error
    finally:
        temporary.unlink(missing_ok=True)


def _take_over(temporary: Path, before: os.stat_result | None) -> None:
    """Give the temporary file the mode and owner of the file that it replaces (a new file: the umask's)."""
    if before is None:
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        return
    with contextlib.suppress(OSError):  # only root may give files away; the content matters more
        os.chown(temporary, before.st_uid, before.st_gid)
    temporary.chmod(stat.S_IMODE(before.st_mode))

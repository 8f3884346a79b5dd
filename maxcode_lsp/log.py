"""The log under the user's state folder: what libraries and our own faults say reaches neither terminal nor editor."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

from maxcode_lsp.redaction import hide_environment, redact

SIZE_BYTES = 1 << 20
"""Of one file; there are two at most, the newer ``maxcode.log`` and the older ``maxcode.log.1``."""


def log_file() -> Path:
    """Where the log is; it may not exist yet."""
    import platformdirs

    return platformdirs.user_state_path("maxcode") / "log" / "maxcode.log"


def write(text: str) -> Path | None:
    """Add a text without its secrets; the path of the log, or None where it cannot be written. Several processes may do
    so at once.
    """
    text = redact(text)
    file = log_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size > SIZE_BYTES:
            file.replace(file.with_suffix(".log.1"))
        with file.open("a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(text[:SIZE_BYTES] + "\n")
    except OSError:
        return None
    return file


def record(error: BaseException) -> Path | None:
    """Write an unexpected exception; the path of the log, or None where it cannot be written."""
    from maxcode_lsp import __version__

    what = "".join(traceback.format_exception(error))
    return write(f"{stamp()} maxcode {__version__} [{os.getpid()}], Python {sys.version}\n{what}")


class _Record(logging.LogRecord):
    """Holds no secret, so that it does not matter who handles it: libraries have handlers of their own."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        try:
            text = self.getMessage()
        except Exception as error:  # noqa: BLE001 (what cannot even be put into words must not end a run)
            text = f"{self.name}: {_shown(self.msg)} could not be put into words ({type(error).__name__})"
        self.msg, self.args = redact(text), None
        if self.exc_info:
            self.exc_text = redact(logging.Formatter().formatException(self.exc_info))


class _ToFile(logging.Handler):
    """Opens the file only when there is something to say."""

    def emit(self, record: logging.LogRecord) -> None:
        write(self.format(record))


def _shown(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 (as above)
        return type(value).__name__


def configure() -> None:
    """Send everything that is logged, warned of or raised where nobody catches it to the log, without secrets."""
    from maxcode_lsp import __version__

    hide_environment(os.environ)
    logging.setLogRecordFactory(_Record)
    handler = _ToFile(logging.WARNING)
    form = f"%(asctime)s maxcode {__version__} [%(process)d] %(levelname)s %(name)s: %(message)s"
    handler.setFormatter(logging.Formatter(form))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    lost = logging.getLogger("maxcode_lsp")

    def unraisable(what: sys.UnraisableHookArgs) -> None:
        lost.error("%s", what.err_msg or "ignored", exc_info=what.exc_value)

    def thread(what: threading.ExceptHookArgs) -> None:
        if what.exc_value is not None and not isinstance(what.exc_value, SystemExit):
            lost.error("a thread failed", exc_info=what.exc_value)

    def uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        what = redact("".join(traceback.format_exception(kind, error, trace)))
        write(f"{stamp()} maxcode {__version__} [{os.getpid()}] ends by an error\n{what}")
        sys.stderr.write(what)

    sys.excepthook = uncaught
    sys.unraisablehook = unraisable
    threading.excepthook = thread


def stamp() -> str:
    """The time, as it stands before each entry."""
    return time.strftime("%Y-%m-%d %H:%M:%S")

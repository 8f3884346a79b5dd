"""What the terminal does with trouble: a sentence for the user, the details in a log file, an exit code."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import typer

from maxcode_lsp import __version__
from maxcode_lsp.cli import texts
from maxcode_lsp.errors import MaxcodeError, SettingsError

FAILED = 1
USAGE = 2
CANCELLED = 130


class Interrupted(Exception):
    """The work was stopped by a signal and everything that it had started is gone."""


def say(sentence: str) -> None:
    """One sentence on standard error, unstyled and unwrapped."""
    typer.echo(f"maxcode: {texts.printable(sentence)}", err=True)


def record(error: BaseException) -> Path | None:
    """Write an unexpected exception to a log of its own under the user's state folder; None if that fails."""
    import platformdirs

    try:
        folder = platformdirs.user_state_path("maxcode") / "log"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
        what = "".join(traceback.format_exception(error))
        path.write_text(f"maxcode {__version__}, Python {sys.version}\n{what}", encoding="utf-8", errors="replace")
    except OSError:
        return None
    return path


def sentence_for(error: Exception) -> str:
    """What to tell the user about an exception; unexpected ones are written to a log."""
    if isinstance(error, SettingsError) and error.path:
        place = f"{error.path}:{error.line}" if error.line is not None else error.path
        return f"{place}: {error}"
    if isinstance(error, MaxcodeError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return texts.system_says(error.strerror, error.filename)
    log = record(error)
    return texts.unexpected(log) if log else texts.unexpected_unlogged()


@contextmanager
def told() -> Generator[None]:
    """Turn exceptions of the block into a sentence and an exit code; never a stack trace."""
    try:
        yield
    except (Interrupted, KeyboardInterrupt):
        raise typer.Exit(CANCELLED) from None
    except (typer.Exit, typer.Abort, typer.BadParameter, BrokenPipeError):
        raise
    except Exception as error:  # noqa: BLE001 (the outermost edge: any fault becomes a sentence and a log)
        say(sentence_for(error))
        raise typer.Exit(USAGE if isinstance(error, SettingsError) else FAILED) from None

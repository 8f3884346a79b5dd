"""What the terminal does with trouble: a sentence for the user, the details in a log file, an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import typer

from maxcode_lsp import __version__
from maxcode_lsp.cli import log, texts
from maxcode_lsp.errors import MaxcodeError, SettingsError

FAILED = 1
USAGE = 2
CANCELLED = 130


class Interrupted(BaseException):
    """The work was stopped by a signal and everything that it had started is gone.

    Like KeyboardInterrupt no ``Exception``: where faults are caught, a stop is not one of them.
    """


def say(sentence: str) -> None:
    """One sentence on standard error, unstyled and unwrapped."""
    typer.echo(f"maxcode: {texts.printable(sentence)}", err=True)


def record(error: BaseException) -> Path | None:
    """Write an unexpected exception to the log under the user's state folder; None if that fails."""
    what = "".join(traceback.format_exception(error))
    return log.write(f"{log.stamp()} maxcode {__version__} [{os.getpid()}], Python {sys.version}\n{what}")


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

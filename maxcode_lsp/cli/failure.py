"""What the terminal does with trouble: a sentence for the user, the details in a log file, an exit code."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import typer

from maxcode_lsp.engine.faults import sentence_for
from maxcode_lsp.errors import SettingsError
from maxcode_lsp.messages import phrases

FAILED = 1
USAGE = 2
CANCELLED = 130


class Interrupted(BaseException):
    """The work was stopped by a signal and everything that it had started is gone.

    Like KeyboardInterrupt no ``Exception``: where faults are caught, a stop is not one of them.
    """


def say(sentence: str) -> None:
    """One sentence on standard error, unstyled and unwrapped."""
    typer.echo(f"maxcode: {phrases.printable(sentence)}", err=True)


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

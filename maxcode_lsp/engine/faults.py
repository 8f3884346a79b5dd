"""What is said about trouble: a sentence for the user; what nobody expected goes to the log."""

from __future__ import annotations

from maxcode_lsp import log
from maxcode_lsp.errors import MaxcodeError, SettingsError
from maxcode_lsp.messages import troubles


def sentence_for(error: Exception) -> str:
    """What to tell the user about an exception; unexpected ones are written to a log."""
    if isinstance(error, SettingsError) and error.path:
        place = f"{error.path}:{error.line}" if error.line is not None else error.path
        return f"{place}: {error}"
    if isinstance(error, MaxcodeError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return troubles.system_says(error.strerror, error.filename)
    file = log.record(error)
    return troubles.own_fault(None if file is None else str(file))

"""The one tree of exceptions. Infrastructure trouble and refusals are exceptions; a candidate's
failure never is (it is an :class:`~maxcode_lsp.records.Outcome`).

::

    MaxcodeError
    ├── Refused               the target cannot be optimised as it stands; says what to do
    ├── SettingsError         a mistake in settings or flags; carries file and line
    ├── BundleError           a proof bundle is damaged or from another version
    ├── JournalError          the journal of a run is damaged, from another version, or not there
    └── InfrastructureError   the machine's trouble, not the code's
        ├── ToolMissing       a compiler or tool is not installed; says how to get it
        ├── SandboxUnavailable  no sandbox level holds here and unsafe running was not allowed
        ├── SandboxLost       a sandbox died or stopped answering
        ├── EngineLost        the engine process died or cannot be started
        ├── MeasurementDisturbed  what ran well before failed while it was timed
        └── StorageFull       disk or memory for our own files ran out

Every message is for people: what happened, why, and what to do next.
"""

from __future__ import annotations


class MaxcodeError(Exception):
    """Base of all; ``str(error)`` is a sentence for the user."""


class Refused(MaxcodeError):
    """The target cannot be optimised as it stands."""


class SettingsError(MaxcodeError):
    """A mistake in settings; ``line`` (from 1) is where, if it is known."""

    def __init__(self, message: str, *, path: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.line = line


class BundleError(MaxcodeError):
    """A proof bundle cannot be read or used."""


class JournalError(MaxcodeError):
    """The journal of a run cannot be read or used."""


class InfrastructureError(MaxcodeError):
    """The machine's trouble: never a verdict on code."""


class ToolMissing(InfrastructureError):
    """A tool is not installed."""


class SandboxUnavailable(InfrastructureError):
    """No sandbox level holds on this machine."""


class SandboxLost(InfrastructureError):
    """A sandbox died or stopped answering."""


class EngineLost(InfrastructureError):
    """The engine process died or cannot be started."""


class MeasurementDisturbed(InfrastructureError):
    """What ran well before failed while it was timed."""


class StorageFull(InfrastructureError):
    """No room for our own files."""

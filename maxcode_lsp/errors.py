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
        ├── ModelTrouble      a language model cannot be asked; ``fault`` says why
        ├── MeasurementDisturbed  what ran well before failed while it was timed
        └── StorageFull       disk or memory for our own files ran out

Every message is for people: what happened, why, and what to do next.
"""

from __future__ import annotations

from enum import Enum


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


class ModelFault(str, Enum):
    """Why a language model cannot be asked."""

    LIBRARY = "library"
    """What reaches it is not installed, or not in the one version that is trusted."""
    KEY_MISSING = "key_missing"
    KEY_REFUSED = "key_refused"
    NAME_UNKNOWN = "name_unknown"
    NOT_PULLED = "not_pulled"
    """The weights of a local model are not on this machine."""
    UNREACHABLE = "unreachable"
    TOO_SLOW = "too_slow"
    RATE_LIMITED = "rate_limited"
    CONTEXT_TOO_SMALL = "context_too_small"
    BAD_REQUEST = "bad_request"
    SERVER = "server"
    """It answers with an error of its own, again and again."""
    CAP_REACHED = "cap_reached"
    """The run may spend no more tokens or dollars."""


class ModelTrouble(InfrastructureError):
    """A language model cannot be asked."""

    def __init__(self, message: str, fault: ModelFault) -> None:
        super().__init__(message)
        self.fault = fault


class MeasurementDisturbed(InfrastructureError):
    """What ran well before failed while it was timed."""


class StorageFull(InfrastructureError):
    """No room for our own files."""

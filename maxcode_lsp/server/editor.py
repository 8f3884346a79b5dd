"""The editor at the other end: what it can do, and calls to it. Every call has a limit and none raises."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from msgspec import Struct
from pygls.lsp.server import LanguageServer

ANSWER_S = 10.0
"""For what the editor answers by itself."""
PERSON_S = 600.0
"""For what a person answers."""


class Abilities(Struct, frozen=True):
    """What the client said it can do (``ClientCapabilities``), in the words that features ask."""

    progress: bool = False
    annotations: bool = False
    document_changes: bool = False
    resolve_edit: bool = False
    """Code actions may get their edit in ``codeAction/resolve``."""
    disabled_actions: bool = False
    action_literals: bool = False
    """False: only commands may be listed."""
    show_document: bool = False
    markdown: bool = False
    lens_refresh: bool = False
    configuration: bool = False
    watch_files: bool = False
    """Watchers can be registered dynamically."""
    apply_edit: bool = False
    diagnostic_links: bool = False
    diagnostic_versions: bool = False
    message_actions: bool = True


def abilities(capabilities: types.ClientCapabilities) -> Abilities:
    """Read them from what ``initialize`` brought; whatever is missing is not there."""
    raise NotImplementedError


class Editor:
    """The client."""

    def __init__(self, server: LanguageServer) -> None:
        self.can = Abilities()
        raise NotImplementedError

    def say(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """``window/showMessage``."""
        raise NotImplementedError

    async def ask(
        self,
        message: str,
        choices: Sequence[str],
        kind: types.MessageType = types.MessageType.Info,
        limit_s: float = PERSON_S,
    ) -> str | None:
        """``window/showMessageRequest``: the chosen title; None: nothing was chosen in time, or it failed."""
        raise NotImplementedError

    async def apply(self, edit: types.WorkspaceEdit, label: str) -> str | None:
        """``workspace/applyEdit``. None: it was applied; else why not, a sentence."""
        raise NotImplementedError

    async def show(self, uri: str, selection: types.Range | None = None) -> bool:
        """``window/showDocument``; False: the client cannot, or did not."""
        raise NotImplementedError

    def publish(self, uri: str, version: int | None, diagnostics: Sequence[types.Diagnostic]) -> None:
        """``textDocument/publishDiagnostics``."""
        raise NotImplementedError

    def notify(self, method: str, params: object) -> None:
        """A custom notification; params are plain JSON values."""
        raise NotImplementedError

    def log(self, message: str) -> None:
        """``window/logMessage``, for what a person may want to look up."""
        raise NotImplementedError

    def refresh_lenses(self) -> None:
        """``workspace/codeLens/refresh``, where the client can; at most one in flight."""
        raise NotImplementedError

    async def begin_progress(self, token: str, title: str, message: str) -> bool:
        """``window/workDoneProgress/create`` and ``begin`` (cancellable). False: there is no progress to report to."""
        raise NotImplementedError

    def report_progress(self, token: str, message: str, percentage: int | None) -> None:
        """``report``."""
        raise NotImplementedError

    def end_progress(self, token: str, message: str) -> None:
        """``end``; the token is forgotten."""
        raise NotImplementedError

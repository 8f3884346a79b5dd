"""The life of a connection: what is offered, the first answer, and the end. What is served is loaded after the first
answer, while the client reads it (:mod:`maxcode_lsp.server.serving`).
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from maxcode_lsp import __version__
from maxcode_lsp.server.connection.decoding import strict_converter
from maxcode_lsp.server.connection.protocol import Phase, Protocol

if TYPE_CHECKING:
    from maxcode_lsp.server.serving import Serving

_log = logging.getLogger(__name__)

ACTION_KIND = "refactor.rewrite.maxcode"
COMMANDS = tuple(f"maxcode.{name}" for name in ("start", "stop", "apply", "compare", "explain", "discard", "forget"))
"""As in ``custom``, which is loaded later."""
SUFFIXES = ("c", "cc", "cpp", "cxx", "c++", "C", "cu", "h", "hh", "hpp", "hxx", "cuh")
ENCODINGS = ("utf-8", "utf-16", "utf-32")
CLOSE_S = 1.3
"""For everything that was started to end by itself; see ``start.END_S``."""


class App:
    """One connection, from its first message to the end."""

    def __init__(self, ended: asyncio.Future[int], on_end: Callable[[], None]) -> None:
        """``ended`` gets the exit code. ``on_end`` is called when the end begins."""
        self._server = LanguageServer("maxcode", __version__, protocol_cls=Protocol, converter_factory=strict_converter)
        self.protocol = cast("Protocol", self._server.protocol)
        self._ended, self._on_end = ended, on_end
        self._serving: Serving | None = None
        self._params: dict[str, Any] = {}
        self._encoding = "utf-16"
        self._closing: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None
        self.protocol.on_open = self._open
        self.protocol.handlers.update(
            {
                types.INITIALIZE: self._initialize,
                types.SHUTDOWN: self._shutdown,
                types.EXIT: self._exit,
            }
        )

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        self._params = params
        self._encoding = _encoding(params)
        self._watch(params.get("processId"))
        information = {"name": "maxcode", "version": __version__}
        return {"capabilities": _offered(self._encoding), "serverInfo": information}

    def _open(self) -> None:
        """The answer to ``initialize`` is sent: load what is served."""
        try:
            from maxcode_lsp.server.serving import Serving

            self._serving = Serving(self._server, self._encoding, self._params)
            self.protocol.handlers.update(self._serving.handlers())
        except Exception:  # noqa: BLE001 (a broken installation ends the server, with its reason in the log)
            _log.exception("the server cannot be loaded")
            self.lost()
        self._params = {}
        gc.freeze()
        gc.enable()

    def _watch(self, process: Any) -> None:
        """End when the editor's process does. One that is not there lives on another machine or in a container."""
        if not isinstance(process, int) or isinstance(process, bool) or process <= 0:
            return
        try:
            descriptor = os.pidfd_open(process)
        except (OSError, OverflowError) as error:
            _log.info("the editor's process is not watched: %s", error)
            return
        asyncio.get_running_loop().add_reader(descriptor, self._editor_died, descriptor)

    def _editor_died(self, descriptor: int) -> None:
        asyncio.get_running_loop().remove_reader(descriptor)
        self.lost()

    async def _shutdown(self, _params: Any) -> None:
        await self._closed()

    def _exit(self, _params: Any) -> None:
        self._end(0 if self.protocol.phase is Phase.CLOSING else 1)

    def lost(self) -> None:
        """There is no client any more, or somebody wants the process to end: no answers, only the end."""
        self._exit(None)

    def _end(self, code: int) -> None:
        if self._ending is None:
            self._on_end()
            self._ending = asyncio.get_running_loop().create_task(self._finish(code))

    async def _finish(self, code: int) -> None:
        await self._closed()
        if not self._ended.done():
            self._ended.set_result(code)

    async def _closed(self) -> None:
        """Everything that was started is gone; at most ``CLOSE_S``."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close())
        await asyncio.wait([self._closing])

    async def _close(self) -> None:
        if self._serving is None:
            return
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._serving.close()
        except Exception:  # noqa: BLE001 (the end comes in any case)
            _log.exception("not everything ended")


def _encoding(params: dict[str, Any]) -> str:
    """The first that the client names and the server knows."""
    named: Any = params
    for key in ("capabilities", "general", "positionEncodings"):
        named = cast("dict[str, Any]", named).get(key) if isinstance(named, dict) else None
    offered = cast("list[Any]", named) if isinstance(named, list) else []
    return next((one for one in offered if one in ENCODINGS), "utf-16")


def _offered(encoding: str) -> dict[str, Any]:
    """``ServerCapabilities``."""
    pattern = {"glob": f"**/*.{{{','.join(SUFFIXES)}}}", "matches": "file"}
    files = {"filters": [{"scheme": "file", "pattern": pattern}]}
    return {
        "positionEncoding": encoding,
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "codeActionProvider": {"codeActionKinds": [ACTION_KIND, "quickfix"], "resolveProvider": True},
        "codeLensProvider": {"resolveProvider": False},
        "hoverProvider": True,
        "executeCommandProvider": {"commands": list(COMMANDS)},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {"didRename": files, "didDelete": files},
        },
    }

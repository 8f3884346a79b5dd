"""JSON-RPC and the life of a connection, on top of pygls: every request is answered exactly once, nothing crashes it.

pygls' own handlers are not used: they keep a second copy of each text, and answer requests late, twice or never (what
does not decode, what comes before ``initialize`` or after ``shutdown``). Its types, converter and calls to the client
are.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

from maxcode_lsp import log
from maxcode_lsp.errors import MaxcodeError
from maxcode_lsp.messages import editors
from maxcode_lsp.server.connection import decoding
from maxcode_lsp.server.connection.frames import Garbled, frame

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

_log = logging.getLogger(__name__)

_Id = int | str
_JSON = dict[str, Any]
Handler = Callable[[Any], Any]
"""Gets the params of its method: lsprotocol's type, or plain JSON where the standard has none (and for ``initialize``).

What it returns is the answer; it may be a coroutine function. It may raise JsonRpcException, or MaxcodeError.
"""


class Phase(Enum):
    """Where the connection is in its life."""

    NEW = "new"
    OPEN = "open"
    CLOSING = "closing"
    """``shutdown`` came: only ``exit`` counts."""


class Protocol(LanguageServerProtocol):
    """Takes messages as plain JSON (:meth:`receive`) and hands them to ``handlers``."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.phase = Phase.NEW
        self.handlers: dict[str, Handler] = {}
        """By method, for requests and notifications."""
        self.on_open: Callable[[], None] = _nothing
        """Called once, when the answer to ``initialize`` was just sent and before anything else is handled."""
        self._answering: dict[_Id, asyncio.Task[Any] | None] = {}
        self._noticing: set[asyncio.Task[Any]] = set()

    def _register_builtin_features(self) -> None:
        """None: see above."""

    def receive(self, message: Any) -> None:
        """Take one message, whatever it is. Called on the loop."""
        if isinstance(message, Garbled):
            self._refuse(None, JsonRpcParseError(f"This was no message: {message}."))
        elif not isinstance(message, dict):
            self._refuse(None, JsonRpcInvalidRequest("A message is one JSON object; LSP has no batches."))
        else:
            self._receive(cast("_JSON", message))

    def _receive(self, message: _JSON) -> None:
        method, ident = message.get("method"), message.get("id")
        known = isinstance(ident, str) or (isinstance(ident, int) and not isinstance(ident, bool))
        if method is None and known and (message.keys() & {"result", "error"} or ident in self._request_futures):
            self._answered(cast("_Id", ident), message)
        elif message.get("jsonrpc") != self.VERSION or not isinstance(method, str) or (not known and "id" in message):
            refused = JsonRpcInvalidRequest("A message has “jsonrpc”: “2.0”, a method, and an integer or string as id.")
            self._refuse(cast("_Id", ident) if known else None, refused)
        elif known:
            self._requested(cast("_Id", ident), method, message.get("params"))
        else:
            self._notified(method, message.get("params"))

    def _requested(self, ident: _Id, method: str, params: Any) -> None:
        try:
            if ident in self._answering:
                raise JsonRpcInvalidRequest(f"Request {ident!r} is still being answered.")
            handler = self._admitted(method)
            found = decoding.params(self._converter, method, params)
        except JsonRpcException as error:
            self._refuse(ident, error)
            return
        if method == types.SHUTDOWN:
            self.phase = Phase.CLOSING
            for other in list(self._answering):
                self._cancel(other, "The server shuts down.")
        self._answering[ident] = None
        try:
            result = handler(found)
        except Exception as error:  # noqa: BLE001 (a fault of one handler is an answer, never the end)
            self._finish(ident, method, error=error)
            return
        if method == types.INITIALIZE:
            self.phase = Phase.OPEN
            self._finish(ident, method, result)
            self.on_open()
            return
        if not inspect.iscoroutine(result):
            self._finish(ident, method, result)
            return
        task = asyncio.get_running_loop().create_task(cast("Coroutine[Any, Any, Any]", result))
        self._answering[ident] = task
        task.add_done_callback(lambda done: self._done(ident, method, done))

    def _admitted(self, method: str) -> Handler:
        """The handler of a request that may come now. Raises JsonRpcException."""
        if self.phase is Phase.NEW and method != types.INITIALIZE:
            raise JsonRpcServerNotInitialized("The first request is “initialize”.")
        if self.phase is Phase.OPEN and method == types.INITIALIZE:
            raise JsonRpcInvalidRequest("The server is initialized already.")
        if self.phase is Phase.CLOSING:
            raise JsonRpcInvalidRequest("The server was asked to shut down.")
        handler = self.handlers.get(method)
        if handler is None:
            raise JsonRpcMethodNotFound(f"There is no method “{method[:100]}” here.")
        return handler

    def _done(self, ident: _Id, method: str, task: asyncio.Task[Any]) -> None:
        if self._answering.get(ident) is not task:  # cancelled and answered; the id may belong to a newer request
            if not task.cancelled() and (late := task.exception()) is not None:
                _log.error("%s failed after it was cancelled", method, exc_info=late)
        elif task.cancelled():
            self._cancel(ident, "Request was cancelled.")
        elif (error := task.exception()) is not None:
            self._finish(ident, method, error=error)
        else:
            self._finish(ident, method, task.result())

    def _finish(self, ident: _Id, method: str, result: Any = None, error: BaseException | None = None) -> None:
        """Answer. Requests that were begun are answered here and in `_cancel`, nowhere else."""
        del self._answering[ident]
        if error is None:
            try:
                data = frame(_message(id=ident, result=result), self._serialize_message)
            except Exception as fault:  # noqa: BLE001 (a result that is no JSON is a fault like any other)
                error = fault
            else:
                self._put(data)
                return
        if isinstance(error, MaxcodeError):
            error = JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed)
        elif not isinstance(error, JsonRpcException):
            _log.error("%s failed", method, exc_info=error)
            error = JsonRpcException(editors.failed_request(method, str(log.log_file())))
        self._refuse(ident, error)

    def _refuse(self, ident: _Id | None, error: JsonRpcException) -> None:
        told: _JSON = {"code": error.code, "message": error.message}
        if error.data is not None:
            told["data"] = error.data
        try:
            data = frame(_message(id=ident, error=told), self._serialize_message)
        except (TypeError, ValueError, RecursionError):
            data = frame(_message(id=ident, error={"code": error.code, "message": str(error.message)}))
        self._put(data)

    def _cancel(self, ident: _Id, why: str) -> None:
        """Answer RequestCancelled at once; the work is torn down after that, and its result dropped."""
        if ident not in self._answering:
            return
        task = self._answering.pop(ident)
        self._refuse(ident, JsonRpcRequestCancelled(why))
        if task is not None:
            task.cancel()

    def _notified(self, method: str, params: Any) -> None:
        if method == types.CANCEL_REQUEST:
            ident = cast("_JSON", params).get("id") if isinstance(params, dict) else None
            if isinstance(ident, int | str):
                self._cancel(ident, "Request was cancelled.")
            return
        handler = self.handlers.get(method)
        if handler is None or (self.phase is not Phase.OPEN and method != types.EXIT):
            return
        try:
            result = handler(decoding.params(self._converter, method, params))
        except JsonRpcInvalidParams as error:
            _log.warning("%s", error)
        except Exception:  # noqa: BLE001 (a fault of one handler never ends the others)
            _log.exception("%s failed", method)
        else:
            if inspect.iscoroutine(result):
                task = asyncio.get_running_loop().create_task(cast("Coroutine[Any, Any, Any]", result))
                self._noticing.add(task)
                task.add_done_callback(lambda done: self._noticed(method, done))

    def _noticed(self, method: str, task: asyncio.Task[Any]) -> None:
        self._noticing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("%s failed", method, exc_info=error)

    def _answered(self, ident: _Id, message: _JSON) -> None:
        future = self._request_futures.pop(ident, None)
        answer = self._result_types.pop(ident, None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        try:
            if "error" in message:
                raise decoding.error(message["error"])  # noqa: TRY301
            future.set_result(decoding.result(self._converter, answer, message.get("result")))
        except Exception as error:  # noqa: BLE001 (whoever asked is told)
            future.set_exception(error)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: _Id | None = None,
    ) -> Future[Any]:
        """Ask the client. Once the future is cancelled, its answer is not waited for any more."""
        future = super().send_request(method, params, callback, msg_id)

        def forget(done: Future[Any]) -> None:
            if done.cancelled():
                for ident in [ident for ident, known in self._request_futures.items() if known is done]:
                    del self._request_futures[ident]
                    self._result_types.pop(ident, None)

        future.add_done_callback(forget)
        return future

    def _send_data(self, data: Any) -> None:
        """For what pygls sends: notifications and requests. What is no JSON is logged and not sent."""
        try:
            self._put(frame(data, self._serialize_message))
        except Exception:  # noqa: BLE001 (whoever tells the client something goes on)
            _log.exception("a message could not be written")

    def _put(self, data: bytes) -> None:
        if self.writer is not None:
            self.writer.write(data)


def _nothing() -> None: ...


def _message(**members: Any) -> _JSON:
    return {"jsonrpc": "2.0", **members}

"""The one HTTP client of a run's models: proxy, authorities and timeouts as set, whatever the provider.

litellm makes clients of its own in many places. All of them are given :class:`Routed`, which sends a request through
the :class:`Transport` of the question that it belongs to, and that notes what really happened on the wire: litellm's
own exceptions tell little of it, and nothing of a server's wish to be left alone for a while.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx
import msgspec

from maxcode_lsp import redaction
from maxcode_lsp.errors import SettingsError
from maxcode_lsp.messages import models
from maxcode_lsp.model.thread import ended_there
from maxcode_lsp.settings import LlmSettings

ERROR_BYTES = 64 << 10
"""Of an error's body; the rest is not read."""
EVENT_BYTES = 64 << 10
"""Of one event of a stream that is looked at for a refusal."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Never behind a proxy."""


class Exchange:
    """What happened on the wire while one question was asked."""

    def __init__(self, transport: Transport, most_bytes: int) -> None:
        self.address = ""
        """Where it went: scheme, host and port."""
        self.host = ""
        self.status: int | None = None
        self.headers = httpx.Headers()
        self.said = ""
        """The body of an error, cut."""
        self.refusal = ""
        """What the model said where it declined in OpenAI's own way, of which litellm tells nothing."""
        self.fault: httpx.HTTPError | None = None
        """Why there was no answer, or no whole one."""
        self.over = False
        """Nothing more is sent or read."""
        self.cut = False
        """The answer was longer than ``most_bytes``; its end was not read."""
        self.most_bytes = most_bytes
        self._transport = transport
        self._responses: list[httpx.Response] = []

    @property
    def failed(self) -> bool:
        """Whether an answer can no longer come."""
        return self.fault is not None or (self.status or 0) >= 300

    @property
    def streamed(self) -> bool:
        """Whether what came was a stream, as was asked for."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower() not in {
            "application/json",
            "text/html",
            "text/plain",
        }

    async def send(self, request: httpx.Request) -> httpx.Response:
        """One request. Raises httpx.HTTPError."""
        if self.over or self.failed:  # whoever asks again, and how often, is not litellm's to say
            raise self.fault or httpx.ConnectError("the question is over", request=request)
        self.host = request.url.host
        port = f":{request.url.port}" if request.url.port else ""
        self.address = f"{request.url.scheme}://{f'[{self.host}]' if ':' in self.host else self.host}{port}"
        try:
            response = await self._transport.send(request)
        except httpx.HTTPError as fault:
            self.fault = fault
            raise
        self._responses.append(response)
        self.status, self.headers = response.status_code, response.headers
        # a body comes decoded; a redirection is not followed: a key would go where nobody set it to go
        dropped = {"content-encoding", "content-length", "location"}
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in dropped]
        if not self.failed:
            return httpx.Response(response.status_code, headers=headers, stream=_Watched(self, response))
        body = b""
        try:
            async for part in response.aiter_bytes():
                body = (body + part)[:ERROR_BYTES]
                if len(body) == ERROR_BYTES:
                    break
        except httpx.HTTPError:
            pass  # the status says enough
        await response.aclose()
        self.said = body.decode(errors="replace")
        return httpx.Response(response.status_code, headers=headers, content=body)

    async def close(self) -> None:
        """End what is still under way, at once."""
        self.over = True
        while self._responses:
            await self._responses.pop().aclose()


class _Watched(httpx.AsyncByteStream):
    """The body of an answer: bounded, and its troubles noted."""

    def __init__(self, exchange: Exchange, response: httpx.Response) -> None:
        self._exchange = exchange
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._exchange.most_bytes
        line = b""
        try:
            async for part in self._response.aiter_bytes():
                left -= len(part)
                if left < 0:
                    self._exchange.cut = True
                    return
                *lines, line = (line + part).split(b"\n")
                if len(line) > EVENT_BYTES:  # or each part of an endless line would copy all that came before
                    line = b""
                self._exchange.refusal += "".join(_refusal(whole) for whole in lines if b'"refusal"' in whole)
                yield part
        except httpx.HTTPError as fault:
            self._exchange.fault = fault
            raise

    async def aclose(self) -> None:
        await self._response.aclose()


def _refusal(line: bytes) -> str:
    """The refusal in an event of a stream."""
    try:
        refusal = msgspec.json.decode(line.strip().removeprefix(b"data:"), type=_Event).choices[0].delta.refusal
    except (msgspec.MsgspecError, IndexError, UnicodeDecodeError):
        return ""
    return refusal or ""


class _Delta(msgspec.Struct):
    refusal: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta


class _Event(msgspec.Struct):
    choices: list[_Choice]


_exchange: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


class Routed(httpx.AsyncBaseTransport):
    """Sends each request through the exchange that it is made in."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        exchange = _exchange.get()
        if exchange is None:
            raise httpx.UnsupportedProtocol("no question is being asked", request=request)
        return await exchange.send(request)


class Transport:
    """The client. Close it."""

    def __init__(self, client: httpx.AsyncClient, *, connect_s: float, read_s: float) -> None:
        """Made by :func:`open_transport`."""
        self.connect_s = connect_s
        self.read_s = read_s
        self._client = client

    @asynccontextmanager
    async def exchange(self, most_bytes: int) -> AsyncGenerator[Exchange, None]:
        """What is sent inside goes through this client. At the end, however it comes, nothing is left open.

        ``most_bytes``: longest answer, with all that is around its text.
        """
        exchange = Exchange(self, most_bytes)
        token = _exchange.set(exchange)
        try:
            yield exchange
        finally:
            _exchange.reset(token)
            await exchange.close()

    async def send(self, request: httpx.Request) -> httpx.Response:
        """One request, exactly as it is; the answer's body is still to come. Raises httpx.HTTPError."""
        timeout = httpx.Timeout(self.read_s, connect=self.connect_s)
        request.extensions = {**request.extensions, "timeout": timeout.as_dict()}
        request.headers["accept-encoding"] = "identity"
        return await self._client.send(request, stream=True, follow_redirects=False)

    async def close(self) -> None:
        """Close all connections. Idempotent."""
        await ended_there(self._client.aclose())


async def open_transport(settings: LlmSettings) -> Transport:
    """The client that settings describe. Raises SettingsError for a proxy or a file of authorities that is none."""
    client = await asyncio.to_thread(_client, settings.proxy.strip(), settings.ca)
    return Transport(client, connect_s=settings.connect_s, read_s=settings.read_s)


def _client(proxy: str, ca: str) -> httpx.AsyncClient:
    try:
        chosen = httpx.Proxy(proxy) if proxy else None
        if chosen is not None and not urlsplit(proxy).hostname:  # which takes less than httpx does
            raise ValueError("it names no host")  # noqa: TRY301 (told just below)
        if chosen is not None and chosen.raw_auth is not None:
            redaction.hide([unquote(chosen.raw_auth[1].decode())])
        direct = dict.fromkeys(f"all://{f'[{host}]' if ':' in host else host}" for host in LOOPBACK)
        return httpx.AsyncClient(proxy=chosen, verify=_authorities(ca), mounts=direct)
    except (ValueError, httpx.InvalidURL, ImportError) as error:
        raise SettingsError(models.proxy_odd(str(error))) from None


def _authorities(ca: str) -> ssl.SSLContext:
    """Those in the file; none given: the system's (or what ``SSL_CERT_FILE`` names) and the web's usual ones."""
    if not ca:
        import certifi

        context = ssl.create_default_context()
        context.load_verify_locations(certifi.where())
        return context
    file = Path(ca).expanduser()
    try:
        return ssl.create_default_context(cafile=str(file))
    except OSError as error:  # an SSLError is one, too
        raise SettingsError(models.ca_odd(str(file), error.strerror or type(error).__name__)) from None

"""litellm, loaded on first use: the one trusted version, silent, offline, and without a network of its own."""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import httpx

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import models
from maxcode_lsp.model.transport import Routed

VERSION = "1.98.1"
"""The only release that is trusted: at least two others were published by attackers. As in ``pyproject.toml``."""
_ENVIRONMENT = {
    # what it knows of models is what was installed with it
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_LOCAL_POLICY_TEMPLATES": "True",
    # as it is, it would read a “.env” above where it is installed, which may be a workspace
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_LOG": "WARNING",
    "DISABLE_AIOHTTP_TRANSPORT": "True",
}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
_TAKE_SCHEMAS = frozenset({"openai", "azure", "hosted_vllm", "lm_studio", "llamafile", "ollama", "ollama_chat"})
"""Providers that take a schema whatever the model; its list of models does not know what people serve themselves."""
_lock = threading.Lock()


def check() -> None:
    """Raises ModelTrouble where the library is not there, or in a version that is not trusted. Imports nothing."""
    try:
        found = version("litellm")
    except PackageNotFoundError:
        raise ModelTrouble(models.library_missing(), ModelFault.LIBRARY) from None
    if found != VERSION:
        raise ModelTrouble(models.library_not_trusted(found, VERSION), ModelFault.LIBRARY)


class Library:
    """litellm behind the few doors that are used."""

    def __init__(self, module: Any) -> None:
        self._module = module

    async def stream(self, **question: Any) -> AsyncIterator[Any]:
        """Ask; the pieces of the answer as they come. Its exceptions are litellm's own."""
        return await self._module.acompletion(stream=True, **question)

    def takes_schema(self, name: str) -> bool:
        """Whether a model can be held to a JSON schema by itself; of others litellm would ask it with a tool."""
        if name.partition("/")[0] in _TAKE_SCHEMAS:
            return True
        try:
            return bool(self._module.supports_response_schema(model=name))
        except Exception:  # noqa: BLE001 (it raises plain Exceptions for a model that it does not know)
            return False

    def cost_usd(self, name: str, tokens_in: int, tokens_out: int) -> float | None:
        """What it costs by the offline list of prices; None: the model is not on it."""
        try:
            cost_in, cost_out = self._module.cost_per_token(
                model=name, prompt_tokens=tokens_in, completion_tokens=tokens_out
            )
        except Exception:  # noqa: BLE001 (the same)
            return None
        return float(cost_in) + float(cost_out)


_library: Library | None = None


async def load() -> Library:
    """The library. The first time takes some seconds of a thread. Raises ModelTrouble as :func:`check`."""
    return _library or await asyncio.to_thread(_load)


def _load() -> Library:
    global _library  # noqa: PLW0603 (a library is loaded once in a process)
    with _lock:
        if _library is None:
            check()
            os.environ.update(_ENVIRONMENT)
            os.environ.pop("JSON_LOGS", None)  # it would take over what happens to exceptions
            try:
                module = importlib.import_module("litellm")
                handlers = importlib.import_module("litellm.llms.custom_httpx.http_handler")
            except ImportError as error:
                raise ModelTrouble(models.library_broken(str(error)), ModelFault.LIBRARY) from error
            _silence(module)
            _connect(module, handlers)
            _library = Library(module)
    return _library


def _silence(module: Any) -> None:
    """Nothing is told to anybody, and only what is wrong to our log."""
    module.telemetry = False
    module.suppress_debug_info = True
    module.set_verbose = False
    module.turn_off_message_logging = True
    module.redact_messages_in_exceptions = True
    for hooks in ("callbacks", "input_callback", "success_callback", "failure_callback", "service_callback"):
        getattr(module, hooks).clear()
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.WARNING)


def _connect(module: Any, handlers: Any) -> None:
    """Every request goes through the transport of the question that it belongs to; there is no other way out."""
    module.num_retries = 0
    module.REPEATED_STREAMING_CHUNK_LIMIT = sys.maxsize  # a model that repeats itself is an answer, not an error
    module.disable_hf_tokenizer_download = True  # it would fetch one to count tokens that nobody asked it to count
    module.drop_params = True  # what it knows a model not to have it leaves out itself
    module.disable_aiohttp_transport = True
    module.aclient_session = httpx.AsyncClient(transport=Routed())
    module.client_session = httpx.Client(transport=NoWay())
    module.sync_transport = NoWay()
    handlers.AsyncHTTPHandler._create_httpx_transport = staticmethod(Routed)  # noqa: SLF001 (no other place has it)
    module.module_level_aclient.client = module.aclient_session
    module.module_level_client.client = module.client_session


class NoWay(httpx.BaseTransport):
    """What asks while it blocks a thread cannot be cancelled, so nothing does."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        raise httpx.UnsupportedProtocol("only asynchronous requests are made", request=request)

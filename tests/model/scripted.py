"""What the tests of models share: a model behind real litellm that asks a scripted server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from maxcode_lsp.errors import ModelTrouble
from maxcode_lsp.model.model import Answer, Message, Question, Role
from maxcode_lsp.model.through_litellm import LitellmModel
from maxcode_lsp.model.transport import open_transport
from maxcode_lsp.settings import LlmSettings
from maxcode_lsp.testing.model_server import ModelServer, Script

KEY = "sk-planted-8f3b1c2d9e7a6b5c"
QUESTION = Question(messages=(Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Hello?")), max_tokens=256)


class Pauses:
    """Pauses that take no time, and are written down."""

    def __init__(self) -> None:
        self.taken_s: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken_s.append(seconds)
        await asyncio.sleep(0)


@asynccontextmanager
async def asking(
    address: str, *, name: str = "openai/any", key: str | None = KEY, settings: LlmSettings | None = None, **more: Any
) -> AsyncGenerator[tuple[LitellmModel, Pauses], None]:
    """A model at an address, and the pauses that it takes."""
    transport = await open_transport(settings or LlmSettings(connect_s=5, read_s=20))
    pauses = Pauses()
    model = LitellmModel(name, transport, api_base=address, key=key, pause=pauses, **more)
    try:
        yield model, pauses
    finally:
        await model.close()
        await transport.close()


async def answer_to(script: Script, question: Question = QUESTION) -> Answer:
    """What comes of one question to a server with a script."""
    with ModelServer(script) as server:
        async with asking(server.api_base) as (model, _):
            return await model.ask(question)


async def trouble_with(script: Script) -> tuple[ModelTrouble, int, list[float]]:
    """What goes wrong with one question, how often it was asked, and the pauses between."""
    with ModelServer(script) as server:
        async with asking(server.api_base) as (model, pauses):
            try:
                answer = await model.ask(QUESTION)
            except ModelTrouble as trouble:
                return trouble, len(server.questions), pauses.taken_s
    raise AssertionError(f"it answered {answer}")


async def until(what: Any, limit_s: float = 60.0) -> bool:
    """Wait until something holds; whether it does."""
    end_s = time.monotonic() + limit_s
    while not what() and time.monotonic() < end_s:  # noqa: ASYNC110 (a thread of the server's makes it so)
        await asyncio.sleep(0.01)
    return bool(what())

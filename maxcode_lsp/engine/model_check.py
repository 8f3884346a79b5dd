"""Whether the models that settings name can be asked: by one tiny question each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

from msgspec.structs import replace

from maxcode_lsp.engine.health import Check, State
from maxcode_lsp.errors import ModelTrouble, SettingsError
from maxcode_lsp.messages import models as said
from maxcode_lsp.settings import Settings
from maxcode_lsp.settings.schema import NO_CRITIC

TRIAL_S = 180.0
"""Limit of one question; a local model is loaded within it."""
SLOW_S = 30.0
"""Ours: who takes longer for three words brings few versions in a run."""
ANSWER_TOKENS = 512
"""Enough for a model that thinks first."""
QUESTION = "Reply with the one word: ready"


async def model_checks(settings: Settings, *, limit_s: float = TRIAL_S, slow_s: float = SLOW_S) -> AsyncIterator[Check]:
    """One line a model, the critic's among them; none where settings name no model.

    ``limit_s``: of each question. ``slow_s``: who takes longer to answer is slow.
    """
    named = [replace(settings, models=())] if settings.model else []
    named += [replace(settings, model="", api_base="", models=(one,)) for one in settings.models]
    critic = settings.llm.critic
    if critic not in {"", NO_CRITIC, settings.model, *(one.name for one in settings.models)} and settings.asks_models:
        named.append(replace(settings, model=critic, api_base="", models=()))
    for alone in named:
        yield await _check(alone, limit_s, slow_s)


async def _check(settings: Settings, limit_s: float, slow_s: float) -> Check:
    name = settings.model or settings.models[0].name
    try:
        async with asyncio.timeout(limit_s):
            return await _asked(name, settings, slow_s)
    except (ModelTrouble, SettingsError) as trouble:
        return Check("model", State.MISSING, str(trouble))
    except TimeoutError:
        return Check("model", State.MISSING, said.no_answer_in_time(name, limit_s))


async def _asked(name: str, settings: Settings, slow_s: float) -> Check:
    from maxcode_lsp.model.keys import Keys
    from maxcode_lsp.model.ledger import Ledger
    from maxcode_lsp.model.local.servers import LocalServers
    from maxcode_lsp.model.model import Ending, Message, Question, Role
    from maxcode_lsp.model.opening import open_models

    async with AsyncExitStack() as stack:
        local = LocalServers()
        stack.push_async_callback(local.close)
        given = replace(settings, llm=replace(settings.llm, cache=False))
        ledger = Ledger(settings.llm.max_tokens, settings.llm.max_cost_usd)
        try:
            models = await open_models(given, Keys(), ledger, local)
        except (ModelTrouble, SettingsError) as trouble:
            return Check("model", State.MISSING, said.needs_its_model(str(trouble)), needed=True)  # a run is refused
        stack.push_async_callback(models.close)
        model = models.choose("")
        question = Question(
            messages=(Message(Role.USER, QUESTION),), max_tokens=ANSWER_TOKENS, temperature=settings.llm.temperature
        )
        answer = await models.ask(model, question)
        detail = said.answered(name, answer.elapsed_s, model.context_tokens, answer.usage.cost_usd)
        if answer.ending is not Ending.STOP:
            return Check("model", State.LIMITED, f"{detail}; {said.answered_oddly(answer.ending.value)}")
        if model.context_tokens < settings.llm.answer_tokens * 2:
            return Check("model", State.LIMITED, detail, said.context_is_small(settings.llm.answer_tokens))
        if answer.elapsed_s > slow_s:
            return Check("model", State.LIMITED, detail, said.model_is_slow())
        return Check("model", State.OK, detail)

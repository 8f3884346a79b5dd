"""From settings to models."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import urlsplit

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import models
from maxcode_lsp.model import catalogue, library
from maxcode_lsp.model.cache import AnswerCache, answers_folder
from maxcode_lsp.model.catalogue import FREE
from maxcode_lsp.model.keys import Keys, names_of
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.local import store
from maxcode_lsp.model.local.running import CONTEXT_TOKENS
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.model.local_model import LocalModel
from maxcode_lsp.model.mixture import Member, Mixture
from maxcode_lsp.model.through_litellm import LitellmModel, is_loopback
from maxcode_lsp.model.transport import Transport, open_transport
from maxcode_lsp.settings import ModelSettings, Settings, mistake
from maxcode_lsp.settings.schema import NO_CRITIC

LOCAL = "local"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9_@][A-Za-z0-9._:@+-]*)+")
"""Some providers take a model's name for an address, so it can be none."""
_ODD_REGION = re.compile(r"(?:[^:]*:){3}[^:/]*/")
"""The fourth part of a name that is an ARN is Amazon's region, of which litellm makes a host as it is."""
_ANOTHER_WAY = frozenset({"aiohttp_openai"})
"""Providers that litellm asks with a client that is not ours: neither proxy nor limits would hold."""


async def open_models(settings: Settings, keys: Keys, ledger: Ledger, local: LocalServers) -> Mixture:
    """The models that propose. Raises SettingsError for a name that cannot be one, ModelTrouble for what is known to
    be missing (the library, a key, the weights). Reaches no network.
    """
    return await _open(settings, _proposing(settings), keys, ledger, local)


async def open_critic(settings: Settings, keys: Keys, ledger: Ledger, local: LocalServers) -> Mixture | None:
    """The model that criticises; None: none is to. Raises as :func:`open_models`."""
    named = _proposing(settings)
    critic = settings.llm.critic
    if critic == NO_CRITIC or not named:
        return None
    if not critic:
        # A model that runs here is small and slow: what it proposes is worth its time, what it thinks is not.
        able = [one for one in named if not _is_local(one.name)]
        if not able:
            return None
        critic = max(able, key=lambda one: one.weight).name
    one = next((one for one in named if one.name == critic), ModelSettings(name=critic))
    return await _open(settings, (one,), keys, ledger, local, setting="llm.critic")


def _is_local(name: str) -> bool:
    return name.partition("/")[0] == LOCAL


def _proposing(settings: Settings) -> tuple[ModelSettings, ...]:
    first = (ModelSettings(name=settings.model, api_base=settings.api_base),) if settings.model else ()
    return (*first, *settings.models)


async def _open(
    settings: Settings,
    named: tuple[ModelSettings, ...],
    keys: Keys,
    ledger: Ledger,
    local: LocalServers,
    setting: str = "",
) -> Mixture:
    for index, one in enumerate(named):
        place = setting or ("model" if settings.model and index == 0 else "models")
        if not _can_be_a_model(one.name):
            raise mistake(settings, place, models.name_odd(place, one.name))
    await asyncio.to_thread(library.check)
    transport = await open_transport(settings.llm)
    try:
        members = [await _member(one, keys, local, transport) for one in named]
    except BaseException:
        await transport.close()
        raise
    cache = AnswerCache(answers_folder()) if settings.llm.cache else None
    return Mixture(members, ledger, cache, on_close=[transport.close])


async def _member(one: ModelSettings, keys: Keys, local: LocalServers, transport: Transport) -> Member:
    provider, _, rest = one.name.partition("/")
    if _is_local(one.name):
        weights = await asyncio.to_thread(store.need, rest)
        context_tokens = one.context_tokens or min(weights.context_tokens, CONTEXT_TOKENS)
        model = LocalModel(one.name, weights.name, context_tokens, local, transport)
        return Member(model, one.weight, (f"{LOCAL}/{weights.name}", weights.sha256), FREE, local=True)
    names = (one.key_env,) if one.key_env else names_of(provider)
    key = keys.first(names)
    if key is None and (one.key_env or (not one.api_base and keys.lacks(provider))):
        raise ModelTrouble(models.key_missing(one.name, names), ModelFault.KEY_MISSING)
    known = await catalogue.known(one.name)
    model = LitellmModel(
        one.name,
        transport,
        api_base=one.api_base,
        key=key,
        looked_for=names,
        context_tokens=one.context_tokens or known.context_tokens or catalogue.UNKNOWN_CONTEXT_TOKENS,
    )
    free = bool(one.api_base) and is_loopback(urlsplit(one.api_base).hostname or "")
    return Member(model, one.weight, (one.name, one.api_base), FREE if free else known.price)


def _can_be_a_model(name: str) -> bool:
    if name == LOCAL:
        return True
    odd = name.partition("/")[0] in _ANOTHER_WAY or _ODD_REGION.match(name)
    return not odd and bool(_NAME.fullmatch(name))

"""How one run is to search: picked by the user in questions, or by a client that has a picker of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import msgspec

from maxcode_lsp.messages import editors
from maxcode_lsp.server.connection.editor import Editor
from maxcode_lsp.settings.schema import EFFORTS, STRATEGIES, USERS_OWN, Settings
from maxcode_lsp.settings.tables import NO_MODEL

LOCAL = "local"
LIMIT_S = 2.0
"""For the disk to say whether weights are there."""


async def models_of(settings: Settings) -> tuple[str, ...]:
    """Models that can be picked: those of the settings, the local one where its weights are here, and none."""
    try:
        async with asyncio.timeout(LIMIT_S):
            here = (LOCAL,) if await asyncio.to_thread(weights_here) else ()
    except TimeoutError:
        here = ()
    return tuple(dict.fromkeys((*_named(settings), *here, NO_MODEL)))


def weights_here() -> bool:
    """Whether the weights of any local model are on this machine, going by their size; blocks on the disk."""
    from maxcode_lsp.model.local.catalogue import CATALOGUE
    from maxcode_lsp.model.local.store import file_of

    for weights in CATALOGUE:
        try:
            if file_of(weights).stat().st_size == weights.size_bytes:
                return True
        except OSError:
            continue
    return False


async def pick(editor: Editor, settings: Settings, name: str) -> dict[str, Any] | None:
    """Settings of a start, from the user's answers; what is set is the first answer to each question, and changes
    nothing. None: one of them was not answered.
    """
    picked: dict[str, Any] = {}
    for key, question, choices in (
        ("effort", editors.which_effort(name), _efforts(settings)),
        ("search", editors.which_search(name), _searches(settings)),
        ("model", editors.which_model(name), _models(settings, await models_of(settings))),
    ):
        if len(choices) < 2:
            continue
        answer = await editor.ask(question, tuple(choices))
        if answer is None:
            return None
        if choices[answer] is not None:
            picked[key] = choices[answer]
    return {**picked, "budget": None} if "effort" in picked else picked


def for_this_run(settings: Settings, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a start gives, so that it holds over ``settings``: an effort stands above a budget of theirs, and a model
    that is one of their ``models`` has the address and the key that it has there.
    """
    laid = dict(given)
    effort, model = given.get("effort"), given.get("model")
    if settings.budget is not None and isinstance(effort, str) and effort in EFFORTS and given.get("budget") is None:
        laid["budget"] = EFFORTS[effort]
    entry = next((one for one in settings.models if one.name == model and model != settings.model), None)
    if entry is not None and given.get("models") is None:
        del laid["model"]
        laid["models"] = [msgspec.to_builtins(entry)]
    return laid


def users_own(given: object, at: str = "") -> Iterator[str]:
    """Keys in what a start gives that only the user may set, nested or dotted.

    A workspace can have its editor execute a command (VS Code: an input of a task), so what comes with one is not
    necessarily the user's word: neither a key nor money may go where its author wants.
    """
    if not isinstance(given, dict) or at.count(".") > 1:
        return
    for key, value in cast("dict[object, object]", given).items():
        name = f"{at}.{key}" if at else str(key).removeprefix("maxcode.")
        if name in USERS_OWN and value is not None:
            yield name
        for inner in cast("list[object]", value) if isinstance(value, list) else (value,):
            yield from users_own(inner, name)


def _named(settings: Settings) -> tuple[str, ...]:
    named = (settings.model, *(model.name for model in settings.models))
    return tuple(dict.fromkeys(filter(None, named)))


def _efforts(settings: Settings) -> dict[str, str | None]:
    if settings.budget is not None:
        as_set = editors.budget_choice(settings.budget)
    else:
        as_set = editors.effort_choice(settings.effort, settings.candidates)
    return _first(as_set, {editors.effort_choice(effort, count): effort for effort, count in EFFORTS.items()})


def _searches(settings: Settings) -> dict[str, str | None]:
    return _first(settings.search, {name: name for name in STRATEGIES})


def _models(settings: Settings, models: Sequence[str]) -> dict[str, str | None]:
    named = _named(settings)
    as_set = editors.mixed_choice(named) if len(named) > 1 else named[0] if named else NO_MODEL
    return _first(as_set, {name: name for name in models})


def _first(as_set: str, choices: Mapping[str, str]) -> dict[str, str | None]:
    """Answer to what it sets, what is set before all others; None: nothing, as that is so already."""
    return {as_set: None, **{answer: value for answer, value in choices.items() if answer != as_set}}

"""What the user picks for one run: effort, strategy, model. The setting of now is the first answer to each question."""

from __future__ import annotations

from collections.abc import Sequence

from maxcode_lsp.messages import editors
from maxcode_lsp.server.connection.editor import Editor
from maxcode_lsp.settings.schema import EFFORTS, STRATEGIES, Settings

LOCAL = "local"
NO_MODEL = "none"


def models_of(settings: Settings) -> tuple[str, ...]:
    """Models that can be picked: those of the settings, the local one, and none."""
    named = (settings.model, *(model.name for model in settings.models))
    return tuple(dict.fromkeys((*filter(None, named), LOCAL, NO_MODEL)))


async def pick(editor: Editor, settings: Settings, name: str) -> dict[str, object] | None:
    """Settings for this run alone; None: one of the questions was not answered."""
    efforts = _first(settings.effort, tuple(EFFORTS))
    labels = {editors.effort_choice(effort, EFFORTS[effort]): effort for effort in efforts}
    effort = await editor.ask(editors.which_effort(name), tuple(labels))
    if effort is None:
        return None
    search = await editor.ask(editors.which_search(name), _first(settings.search, STRATEGIES))
    if search is None:
        return None
    now = settings.model or NO_MODEL
    model = await editor.ask(editors.which_model(name), _first(now, models_of(settings)))
    if model is None:
        return None
    picked: dict[str, object] = {"effort": labels[effort], "budget": EFFORTS[labels[effort]], "search": search}
    # Several models are mixed: what is picked as it is stays as it is.
    return picked if model == now else {**picked, "model": model}


def _first(now: str, choices: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((now, *choices)))

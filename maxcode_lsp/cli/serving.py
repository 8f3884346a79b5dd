"""``maxcode model serve``: a local model that stays, and is found by the runs of this user."""

from __future__ import annotations

import asyncio

from maxcode_lsp.cli.consoles import console
from maxcode_lsp.cli.failure import FAILED, Interrupted, say
from maxcode_lsp.cli.interruption import run_interruptible
from maxcode_lsp.messages import local_models
from maxcode_lsp.model.local import store
from maxcode_lsp.model.local.endpoint import published_file, publishing
from maxcode_lsp.model.local.running import Running


def serve(name: str, *, port: int, context_tokens: int) -> int:
    """Serve until a signal comes (0) or the server ends by itself (1). Raises ModelTrouble."""
    try:
        return run_interruptible(_serve(name, port, context_tokens))
    except Interrupted:
        return 0  # it is how it is meant to end


async def _serve(name: str, port: int, context_tokens: int) -> int:
    weights = await asyncio.to_thread(store.need, name)
    with publishing(weights.name) as publication:
        if publication is None:
            say(local_models.served_already(weights.name))
            return FAILED
        file = store.file_of(weights)
        running = await Running.open(weights, file, context_tokens=context_tokens, port=port)
        try:
            publication.tell(running.endpoint)
            place = str(published_file(weights.name))
            said = local_models.serving(weights.name, running.endpoint.api_base, place)
            console().print(said, soft_wrap=True)
            say(local_models.serving_ended(weights.name, await running.ended()))
            return FAILED
        finally:
            await running.close()

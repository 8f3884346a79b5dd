"""Criticising a text without running or building anything: what the slow-pattern critic sees in it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from maxcode_lsp.critique.critique import merge
from maxcode_lsp.critique.patterns.patterns import look, weigh
from maxcode_lsp.critique.source import Source
from maxcode_lsp.messages import refusals, troubles
from maxcode_lsp.records import Critique
from maxcode_lsp.target.program import LARGEST_BYTES
from maxcode_lsp.text.source import normalise

LIMIT_S = 10.0

# One at a time, and none of the threads that runs work with: a text that takes for ever delays no run.
_looking = ThreadPoolExecutor(1, "inspect")


async def inspect(name: str, text: bytes) -> Critique:
    """The critique of a text (exact bytes), within ``LIMIT_S``. What cannot be looked at becomes a note."""
    if len(text) > LARGEST_BYTES:
        return Critique(notes=(refusals.source_too_large(name, LARGEST_BYTES),))
    looking = asyncio.get_running_loop().run_in_executor(_looking, _inspect, normalise(text))
    try:
        async with asyncio.timeout(LIMIT_S):
            return await looking
    except TimeoutError:
        return Critique(notes=(troubles.not_inspected_in_time(LIMIT_S),))


def _inspect(data: bytes) -> Critique:
    source = Source(data)
    found = (weigh(sight, None) for sight in look(source))
    return Critique(findings=merge(source, (finding for finding in found if finding is not None)))

"""Critique of versions of a target during a run, on the executor's own inputs."""

from __future__ import annotations

import asyncio
import random

from maxcode_lsp.critique.critique import critique
from maxcode_lsp.critique.evidence import Subject, Tidy
from maxcode_lsp.errors import MaxcodeError, Refused
from maxcode_lsp.executor.generator import InputSource
from maxcode_lsp.executor.original import Original
from maxcode_lsp.executor.profile.sandboxed import open_workbench
from maxcode_lsp.messages import verdicts
from maxcode_lsp.records import Critique
from maxcode_lsp.search import Node

GROWTH = (4, 2, 1)
"""The timed size is divided by these for the growth of the time."""


async def view(original: Original, node: Node, tidy: Tidy, limit_s: float) -> Critique:
    """The critique of a node, within ``limit_s``. It only advises: what fails becomes a note."""
    try:
        async with asyncio.timeout(limit_s):
            return await _view(original, node, tidy, limit_s)
    except (MaxcodeError, TimeoutError) as trouble:
        return Critique(notes=(verdicts.no_critique(str(trouble) or f"it took more than {limit_s:.0f} s."),))


async def _view(original: Original, node: Node, tidy: Tidy, limit_s: float) -> Critique:
    job, room = original.job, original.room
    unit = original.source.raw if node.candidate is None else original.source.render(node.candidate.change.hunks)
    inputs = tuple(None if c.stdin is None else (original.inputs / c.stdin).read_bytes() for c in original.timed)
    scaled = await _scaled(original) if node.candidate is None else ()
    async with open_workbench(
        room.scratch, job, unit, allow_unconfined=room.allow_unconfined, cores=room.cores
    ) as bench:
        subject = Subject(text=node.text, job=job, bench=bench, inputs=inputs, scaled=scaled, tidy=tidy)
        return await critique(subject, limit_s=limit_s)


async def _scaled(original: Original) -> tuple[tuple[int, bytes], ...]:
    generator, size = original.job.generator, original.generated_size
    if generator is None or size < max(GROWTH):
        return ()
    source = await InputSource.open(
        original.room.scratch,
        original.job,
        generator,
        allow_unconfined=original.room.allow_unconfined,
        cores=original.room.cores,
    )
    seed = random.getrandbits(31)
    try:
        return tuple([(size // part, await source.make(seed, size // part)) for part in GROWTH])
    except Refused:
        return ()
    finally:
        await source.close()

"""Verifying the original, and choosing the inputs on which candidates are judged and timed."""

from __future__ import annotations

import random
import time

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.generator import InputSource
from maxcode_lsp.executor.mutations import mutations
from maxcode_lsp.executor.original import REPEATS, Original
from maxcode_lsp.executor.rig import Case, Rig
from maxcode_lsp.executor.sanitize import clean_cases
from maxcode_lsp.messages import preparing
from maxcode_lsp.target.comparison import compare, is_empty
from maxcode_lsp.target.program import uses_arguments

MEASURABLE_NS = 10_000_000
"""Ours: below this, starting the process weighs too much to tell 5 % apart."""
SAMPLE_NS = 1_000_000_000
"""Ours: one sample is kept below this where there is a choice of inputs."""
LARGEST_SCALE = 4096
MUTATED = 8
"""Further inputs that are wanted where there is no generator."""
MUTATED_S = 3.0
"""No more of them once looking for them took this long: some make the original hang."""


async def observe_all(original: Original, rng: random.Random) -> list[str]:
    """Fill in the original's cases; returns notes. Raises Refused with the reason."""
    notes: list[str] = []
    if original.job.generator is None:
        original.begin_sanitizing()  # changed inputs are vetted with it
    rig = await original.rig({"original": original.program})
    original.level = rig.level.value
    try:
        await _given(original, rig)
        if original.job.generator is not None:
            notes += await _generated(original, rig, rng)
        elif any(case.stdin for case in original.given):
            notes += await _mutated(original, rig, rng)
        else:
            notes.append(preparing.fixed_input_only())
    finally:
        await rig.close()
    everything = [*original.given, *original.held_out, *original.timed]
    if all(is_empty(case.expected, original.job.output) for case in everything):
        takes = uses_arguments(original.source)
        raise Refused(preparing.original_prints_nothing(original.name, uses_arguments=takes))
    if not original.timed:
        original.timed = choose_timed(original)
    return notes


async def _given(original: Original, rig: Rig) -> None:
    job = original.job
    for case in job.cases:
        stdin = None if case.stdin_sha256 is None else original.store(job.blobs[case.stdin_sha256])
        seen = await original.observe(rig, case.name, stdin, REPEATS)
        if case.expected_sha256 is not None:
            difference = compare(job.blobs[case.expected_sha256], seen.expected, job.output)
            if difference is not None:
                raise Refused(preparing.original_contradicts(original.name, case.name, difference))
        original.given.append(seen)


def choose_timed(original: Original) -> list[Case]:
    """The longest given inputs, as many as stay below one second in sum (at least one)."""
    order = sorted(original.given, key=lambda case: -original.times_ns[case.name])
    chosen: list[Case] = []
    total = 0
    for case in order:
        time_ns = original.times_ns[case.name]
        if chosen and (total + time_ns > SAMPLE_NS or time_ns < total / 10):
            break
        chosen.append(case)
        total += time_ns
    return chosen


async def _generated(original: Original, rig: Rig, rng: random.Random) -> list[str]:
    generator = original.job.generator
    assert generator is not None
    notes: list[str] = []
    source = await InputSource.open(
        original.room.scratch,
        original.job,
        generator,
        allow_unconfined=original.room.allow_unconfined,
        cores=original.room.cores,
    )
    try:
        size, case = await _scale(original, rig, source, rng)
        original.generated_size = size
        given_ns = sum(original.times_ns[c.name] for c in original.given)
        if given_ns >= generator.sample_s * 1e9 / 2:
            original.held_out.append(case)
        else:
            original.timed = [case]
            if size != generator.size:
                notes.append(preparing.scaled_up(size, original.times_ns[case.name] / 1e6))
        for part in dict.fromkeys((size, max(1, size // 4), max(1, size // 20), 1)):
            try:
                original.held_out.append(await fresh(original, rig, source, rng, part))
            except Refused:
                # Not every generator makes sense at every size; the author's own size does.
                continue
    finally:
        await source.close()
    return notes


async def _scale(original: Original, rig: Rig, source: InputSource, rng: random.Random) -> tuple[int, Case]:
    """The author's size, doubled until the original takes long enough."""
    generator = original.job.generator
    assert generator is not None
    seed = rng.getrandbits(31)
    data = await source.make(seed, generator.size)
    if await source.make(seed, generator.size) != data:
        raise Refused(preparing.generator_not_deterministic(generator.file.path))
    size = generator.size
    case = await original.observe(rig, f"size {size:,}, seed {seed}", original.store(data), REPEATS)
    wanted_ns = generator.sample_s * 1e9 / 2
    while original.times_ns[case.name] < wanted_ns and size < generator.size * LARGEST_SCALE:
        factor = 2 if original.times_ns[case.name] > wanted_ns / 4 else 4
        try:
            larger = await fresh(original, rig, source, rng, size * factor)
        except Refused:
            # The author's size works; a larger one asks too much of the program or of the generator.
            break
        if original.times_ns[larger.name] > SAMPLE_NS and original.times_ns[case.name] >= MEASURABLE_NS:
            break
        size, case = size * factor, larger
    return size, case


async def fresh(original: Original, rig: Rig, source: InputSource, rng: random.Random, size: int) -> Case:
    """A new input of the given size from a secret seed, with what the original says to it."""
    seed = rng.getrandbits(31)
    data = await source.make(seed, size)
    return await original.observe(rig, f"size {size:,}, seed {seed}", original.store(data), 1)


async def _mutated(original: Original, rig: Rig, rng: random.Random) -> list[str]:
    cases = await mutated_cases(original, rig, rng, MUTATED)
    original.held_out += cases
    notes = [preparing.no_generator_mutations(len(cases))]
    if await original.sanitized() is None:
        notes.append(preparing.unvetted())
    return notes


async def fresh_timed(original: Original, rig: Rig, rng: random.Random) -> list[Case]:
    """For each timed input a changed one that takes about as long; the given one where there is none."""
    timed: list[Case] = []
    for case in original.timed:
        least, most = original.times_ns[case.name] / 2, original.times_ns[case.name] * 2
        changed = await mutated_cases(original, rig, rng, 2, [case])
        alike = [other for other in changed if least <= original.times_ns[other.name] <= most]
        timed.append(alike[0] if alike else case)
    return timed


async def mutated_cases(
    original: Original, rig: Rig, rng: random.Random, count: int, sources: list[Case] | None = None
) -> list[Case]:
    """Changed inputs that the original handles: it ends normally, says the same twice, and is clean with sanitizers.

    Made from ``sources``; None: from all given ones.
    """
    chosen = original.given if sources is None else sources
    inputs = [(original.inputs / c.stdin).read_bytes() for c in chosen if c.stdin is not None]
    cases: list[Case] = []
    end_s = time.monotonic() + MUTATED_S
    # Short inputs first: they are as telling, and each candidate will run on them.
    inputs.sort(key=len)
    for data in mutations(inputs, rng, count):
        if time.monotonic() > end_s:
            break
        try:
            stdin = original.store(data)
            cases.append(await original.observe(rig, f"changed input {stdin[:8]}", stdin, 2))
        except Refused:
            continue
    return await clean_cases(original, cases)

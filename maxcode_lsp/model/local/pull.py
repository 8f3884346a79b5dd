"""Getting the weights of a local model: from one source, or where that fails the next, resumed after any end.

It blocks; Ctrl-C, or being killed, at any moment leaves what came, and the next pull goes on from there.
"""

from __future__ import annotations

import errno
import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack

from maxcode_lsp.errors import InfrastructureError, ModelFault, ModelTrouble, StorageFull
from maxcode_lsp.messages import local_models
from maxcode_lsp.model.local import hub, wheels
from maxcode_lsp.model.local.catalogue import Weights
from maxcode_lsp.model.local.source import Partial, SourceFailed
from maxcode_lsp.model.local.store import State, alone, file_of, hash_of, models_folder, partial_of, stamp, state, sweep
from maxcode_lsp.settings import LlmSettings

SPARE_BYTES = 64 << 20
WAIT_S = 3600.0
"""Ours: how long another pull of the same weights is waited for."""
_LOOK_S = 0.2
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})

_Fetch = Callable[[Weights, Partial, LlmSettings], None]
_SOURCES: tuple[tuple[str, _Fetch], ...] = ((hub.NAME, hub.fetch), (wheels.NAME, wheels.fetch))


def pull(
    weights: Weights, settings: LlmSettings, *, seen: Callable[[int], None], tell: Callable[[str], None]
) -> int | None:
    """Get the weights; the bytes that were fetched, None where they are here and whole already.

    ``seen``: told how many bytes are here whenever that changes. ``tell``: given a sentence where something else
    than planned happens. Raises ModelTrouble, StorageFull and InfrastructureError.
    """
    folder = str(models_folder())
    try:
        with ExitStack() as stack:
            _wait_until_alone(stack, weights, tell)
            stack.callback(sweep, weights)
            found = state(weights)
            if found is State.WHOLE:
                return None
            sweep(weights)
            if found is State.DAMAGED:
                file_of(weights).unlink()
            return _from_any(weights, settings, seen, tell)
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFull(local_models.disk_full(folder)) from error
        raise InfrastructureError(local_models.not_writable(folder, error.strerror or str(error))) from error


def _wait_until_alone(stack: ExitStack, weights: Weights, tell: Callable[[str], None]) -> None:
    end_s = time.monotonic() + WAIT_S
    told = False
    while True:
        with ExitStack() as attempt:
            if attempt.enter_context(alone(weights)):
                stack.push(attempt.pop_all())
                return
        if not told:
            tell(local_models.waiting_for_other_pull(weights.name))
            told = True
        if time.monotonic() > end_s:
            raise ModelTrouble(local_models.other_pull_too_long(weights.name), ModelFault.NOT_PULLED)
        time.sleep(_LOOK_S)


def _from_any(weights: Weights, settings: LlmSettings, seen: Callable[[int], None], tell: Callable[[str], None]) -> int:
    reasons: list[str] = []
    with Partial(partial_of(weights), weights, seen) as partial:
        _need_room(weights, partial)
        if partial.size:
            tell(local_models.going_on(partial.size, weights.size_bytes))
        for name, fetch in _SOURCES:
            try:
                _fetch_right(fetch, weights, partial, settings)
            except SourceFailed as failed:
                reasons.append(local_models.source_failed(name, str(failed)))
                tell(reasons[-1])
                continue
            partial.path.replace(file_of(weights))
            stamp(weights)
            return partial.added
    if not partial.size:
        partial.path.unlink(missing_ok=True)
    raise ModelTrouble(local_models.not_to_be_had(weights.name, " ".join(reasons)), ModelFault.UNREACHABLE)


def _fetch_right(fetch: _Fetch, weights: Weights, partial: Partial, settings: LlmSettings) -> None:
    """All of it, with the right hash. What came earlier may be what is wrong; then it is begun anew once."""
    resumed = bool(partial.size)
    fetch(weights, partial, settings)
    if hash_of(partial.path) == weights.sha256:
        return
    partial.truncate()
    if not resumed:
        raise SourceFailed(local_models.wrong_hash())
    _fetch_right(fetch, weights, partial, settings)


def _need_room(weights: Weights, partial: Partial) -> None:
    """Raises StorageFull, before anything is fetched."""
    part = weights.parts.part_bytes
    needed = weights.size_bytes - partial.size + 2 * part + SPARE_BYTES
    free = shutil.disk_usage(models_folder()).free
    if free < needed:
        raise StorageFull(local_models.no_room(str(models_folder()), needed, free))

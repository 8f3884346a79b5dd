"""``maxcode model list``, ``pull`` and ``remove``."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager

from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table

from maxcode_lsp.cli.choices import own_settings
from maxcode_lsp.cli.consoles import console, print_json
from maxcode_lsp.messages import local_models
from maxcode_lsp.model.local import store
from maxcode_lsp.model.local.catalogue import CATALOGUE, Weights, find
from maxcode_lsp.model.local.pull import pull as get
from maxcode_lsp.model.local.store import State

_STEP = 0.1
"""Of the whole, after which a line is printed where there is no terminal."""


class Listed(Struct, frozen=True):
    """One model, for ``--json``."""

    name: str
    title: str
    state: State
    size_bytes: int
    fetched_bytes: int
    file: str
    owner: str
    licence: str
    licence_url: str
    good_for: str


def list_models(*, check: bool, json: bool) -> None:
    """``maxcode model list``."""
    found = [_listed(weights, check=check) for weights in CATALOGUE]
    if json:
        print_json({"models": found})
        return
    out = console()
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", show_edge=False)
    for head in ("name", "model", "size", "here", "licence", "good for"):
        grid.add_column(head, justify="right" if head == "size" else "left", no_wrap=head != "good for")
    for each in found:
        size = local_models.size(each.size_bytes)
        grid.add_row(each.name, each.title, size, _here(each), each.licence, each.good_for)
    out.print(grid)
    if any(each.state is State.DAMAGED for each in found):
        for each in found:
            if each.state is State.DAMAGED:
                out.print(local_models.damaged(each.name), soft_wrap=True)
    elif not any(each.state is State.WHOLE for each in found):
        out.print(local_models.not_pulled(""), soft_wrap=True)


def _listed(weights: Weights, *, check: bool) -> Listed:
    found = store.state(weights, check=check)
    here = weights.size_bytes if found is State.WHOLE else store.fetched(weights)
    return Listed(
        name=weights.name,
        title=weights.title,
        state=found,
        size_bytes=weights.size_bytes,
        fetched_bytes=here,
        file=str(store.file_of(weights)),
        owner=weights.owner,
        licence=weights.licence,
        licence_url=weights.licence_url,
        good_for=weights.good_for,
    )


def _here(each: Listed) -> str:
    if each.state is State.PARTLY:
        return f"{100 * each.fetched_bytes // each.size_bytes} %"
    return {State.WHOLE: "yes", State.ABSENT: "no"}.get(each.state, "damaged")


def pull(name: str) -> None:
    """``maxcode model pull``. Raises InfrastructureError."""
    weights, settings, out = find(name), own_settings().llm, console()
    if store.state(weights) is State.WHOLE:
        out.print(local_models.here_already(weights.name), soft_wrap=True)
        return
    out.print(
        local_models.pulling(
            weights.title, weights.owner, weights.licence, weights.licence_url, weights.size_bytes,
            str(store.models_folder()),
        ),
        soft_wrap=True,
    )  # fmt: skip
    began_s = time.monotonic()
    with _shown(out, weights) as bar:
        fetched = get(weights, settings, seen=bar.seen, tell=bar.tell)
    if fetched is None:
        out.print(local_models.here_already(weights.name), soft_wrap=True)
    else:
        elapsed_s = time.monotonic() - began_s
        out.print(local_models.pulled(weights.name, weights.size_bytes, fetched, elapsed_s), soft_wrap=True)


def remove(name: str) -> None:
    """``maxcode model remove``. Raises ModelTrouble while it is being pulled."""
    weights = find(name)
    freed = store.remove(weights)
    sentence = local_models.removed(weights.name, freed) if freed else local_models.nothing_to_remove(weights.name)
    console().print(sentence, soft_wrap=True)


class _Shown:
    """How far a pull is: a bar on a terminal, else a line now and then."""

    def __init__(self, out: Console, weights: Weights, progress: Progress | None) -> None:
        self._out = out
        self._whole = weights.size_bytes
        self._progress = progress
        self._task = progress.add_task(weights.name, total=weights.size_bytes) if progress is not None else None
        self._next: float | None = None

    def seen(self, count: int) -> None:
        """So many bytes are here."""
        if self._progress is not None and self._task is not None:
            about = local_models.CHECKING if count == self._whole else local_models.FETCHING
            if not count or self._next is None:
                # What is here from before was not fetched in no time.
                self._progress.reset(self._task, completed=count, description=about)
                self._next = 0
            self._progress.update(self._task, completed=count, description=about)
        elif self._next is None or count >= self._next:
            self._out.print(local_models.so_much(count, self._whole), soft_wrap=True)
            self._next = (count // (self._whole * _STEP) + 1) * self._whole * _STEP

    def tell(self, sentence: str) -> None:
        """Above the bar."""
        self._out.print(sentence, soft_wrap=True)


@contextmanager
def _shown(out: Console, weights: Weights) -> Generator[_Shown]:
    if not out.is_terminal:
        yield _Shown(out, weights, None)
        return
    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TransferSpeedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=out) as progress:
        yield _Shown(out, weights, progress)

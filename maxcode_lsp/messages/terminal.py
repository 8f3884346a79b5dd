"""Sentences that only the terminal shows."""

from __future__ import annotations

import shlex
from pathlib import Path

from maxcode_lsp.messages import phrases


def applied(path: Path) -> str:
    return f"Applied to {phrases.printable(path)}."


def written(path: Path) -> str:
    return f"Written to {phrases.printable(path)}."


def not_written(path: Path) -> str:
    return f"{phrases.printable(path)} was not written, because there is no improvement to write."


def how_to_apply() -> str:
    return "The file was not changed: --apply changes it, --output FILE writes a changed copy."


def how_to_go_on(run: str) -> str:
    return f"What was found is kept: “maxcode runs resume {run}” goes on from there."


def no_runs() -> str:
    return "There are no runs. “maxcode optimize FILE” begins one."


def unfinished(run: str, target: str, *, live: bool) -> str:
    if live:
        return f"{phrases.printable(target)}: the run is going on."
    return f"{phrases.printable(target)}: the run was interrupted. “maxcode runs resume {run}” goes on with it."


def nothing_to_apply(run: str) -> str:
    return f"Run {run} has no proven result, so there is nothing to apply."


def removed(gone: int, live: int) -> str:
    kept = f" {phrases.counted(live, 'run')} could not be removed, because it is going on." if live == 1 else ""
    kept = f" {phrases.counted(live, 'run')} could not be removed, because they are going on." if live > 1 else kept
    return f"Removed {phrases.counted(gone, 'run')}.{kept}"


def proof(bundle: str) -> str:
    return f"Proof: maxcode verify {phrases.printable(bundle)}"


def part_of(worth: float | None) -> str:
    """Of a hunk that belongs to a part which was announced before."""
    return f"Part of the {phrases.times(worth)} above." if worth is not None else "Part of the same change as above."


def what_worth_is() -> str:
    return "Worth: how much slower the result is without that part alone; parts overlap and need not multiply."


def stale(path: Path) -> str:
    shown = phrases.printable(path)
    return (
        f"{shown} changed since it was measured, so the result no longer fits and was not applied. "
        f"For a result that fits: maxcode optimize {shlex.quote(shown)}"
    )


def applied_before(run: str, path: Path) -> str:
    return f"The result of run {run} is in {phrases.printable(path)} already."


def search_ended(why: str) -> str:
    """``why``: one sentence."""
    return f"The search ended: {why[:1].lower()}{why[1:]}"


def not_writable(path: Path, why: str) -> str:
    return f"{phrases.printable(path)} could not be written ({why}); it is unchanged. Use --output to write the result elsewhere."


def stopping() -> str:
    return "Stopping …"


def cancelled(target: str) -> str:
    return f"{target}: stopped before the end. Nothing was changed."


def judging(name: str) -> str:
    return f"Judging {name} …"


def health(*, ok: bool) -> str:
    return "Everything that is needed is here." if ok else "Something that is needed is missing; see above."


def no_programs(folder: Path) -> str:
    return f"There is no C++ file with a main function in {phrases.printable(folder)}."

"""Sentences people see at the end of a run, and about the bundle that proves it."""

from __future__ import annotations

from collections.abc import Sequence


def improved(name: str, speedup: float, low: float, high: float, *, reads: bool, fresh_inputs: bool) -> str:
    """``reads``: the program reads input; ``fresh_inputs``: it was timed on inputs that the search never saw."""
    on = " on inputs made for it" if fresh_inputs else " on the given inputs"
    confirmed = f"confirmed by fresh measurements{on if reads else '; it reads no input'}"
    return f"“{name}” is {speedup:.2f}× faster (95 % CI {low:.2f}–{high:.2f}), {confirmed}."


def no_improvement(name: str, tried: int, correct: int, threshold: float, noise_pct: float | None) -> str:
    if tried == 0:
        return f"No measurable difference. Nothing in “{name}” gave an idea for a faster version."
    noise = "" if noise_pct is None else f" (noise here is ±{noise_pct:.1f} %)"
    return (
        f"No measurable difference. {tried} {'version' if tried == 1 else 'versions'} of “{name}” "
        f"{_were(tried)} tried; {correct} {_were(correct)} correct and none was more than {(threshold - 1) * 100:.0f} % faster{noise}."
    )


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def not_confirmed(name: str, speedup: float, low: float, high: float) -> str:
    return (
        f"No measurable difference. The best version of “{name}” looked faster in the search, but fresh measurements "
        f"gave {speedup:.2f}× (95 % CI {low:.2f}–{high:.2f}), which is not enough to claim."
    )


def same_text() -> str:
    return "Both files hold the same text."


def claimed(speedup: float, low: float, high: float, machine: str) -> str:
    return f"Claimed: {speedup:.2f}× (95 % CI {low:.2f}–{high:.2f}) on {machine}."


def no_time(name: str) -> str:
    return f"There was no time to try anything: checking “{name}” used it up. Give more with --seconds (300 where nothing is said), or make its inputs smaller ([workload] seconds)."


def proving_anyway(trouble: str) -> str:
    return f"The search was cut short: {trouble} What it had found by then was proven all the same."


def not_formatted(why: str) -> str:
    return f"The edit is not formatted in the project's style: {why}. It is right all the same; format it by hand if you take it."


def run_stopped(name: str, best: float | None) -> str:
    found = "" if best is None else f" The best so far, {best:.2f}× in the search and not yet proven, is kept."
    return f"“{name}”: stopped before the end; nothing was changed.{found}"


def input_kept_safe() -> str:
    return (
        "A faster input reader changes how errors in the input behave, so it was not proposed. "
        'Allow it with rewrites.input = "fast" in maxcode.toml.'
    )


def stopped_because(stop: str) -> str:
    return _STOPS[stop]


def trimmed(parts: Sequence[tuple[str, float | None]]) -> str:
    if not parts:
        return "Nothing was left out."
    said = [name if worth is None else f"{name} (worth {worth:.2f}×)" for name, worth in parts]
    return f"Left out, because hardly anything is lost without it: {', '.join(said)}."


def bundle_not_saved(folder: str, why: str) -> str:
    return f"The result could not be saved in {folder} ({why}). Free some space or set XDG_DATA_HOME; the edit itself is not affected."


def bundle_damaged(name: str, why: str) -> str:
    return f"{name} is not a usable proof bundle: {why}. Make a new one with maxcode optimize."


def bundle_of_other_version(name: str, found: int, known: int) -> str:
    return f"{name} has bundle format {found}; this MaxCode reads format {known}. Use the version that wrote it, or make a new one."


_STOPS = {
    "goal": "The goal was reached.",
    "plateau": "Many candidates in a row brought nothing.",
    "exhausted": "There were no more ideas.",
    "budget": "The budget of candidates was used up.",
    "time": "The time was used up.",
    "trouble": "The machine's trouble cut it short.",
}


def acts_on(finding: str) -> str:
    return f"It acts on: {finding}"


def came_from(why: str) -> str:
    return f"Why the search was there: {why}"

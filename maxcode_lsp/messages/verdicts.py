"""Sentences people see about one candidate: why it is out, or what was measured."""

from __future__ import annotations


def ran_too_long(case: str, limit_s: float) -> str:
    return f"It did not end within {limit_s:.1f} s on input {case}, where the original does."


def printed_too_much(case: str) -> str:
    return f"It printed more than the limit on input {case}."


def broke(case: str, how: str) -> str:
    return f"On input {case} {how}, where the original ends normally."


def wrong_output(case: str, difference: str) -> str:
    return f"Different output on input {case}: {difference}."


def wrong_while_timed(case: str, difference: str) -> str:
    return f"Right at first, but different output in a timed run on input {case}: {difference}."


def same_machine_code(twin: str | None) -> str:
    if twin is None:
        return "The compiler makes the same machine code from it as from the original: it already does this."
    return f"The compiler makes the same machine code from it as from candidate {twin}."


def sanitizer_says(case: str, report: str) -> str:
    return f"With sanitizers on, it has undefined behaviour on input {case} that the original has not: {report}"


def correct_untimed() -> str:
    return "Correct on all inputs; too short to be timed."


def measured(speedup: float, low: float, high: float, pairs: int) -> str:
    return f"Correct; {speedup:.2f}× (95 % CI {low:.2f}–{high:.2f}, {pairs} pairs)."


def forbidden_name(name: str) -> str:
    return f"It brings in {name}, which making a computation faster has no need of (processes, clocks, files, the machine)."


def forbidden_assembly() -> str:
    return "It brings in inline assembly, which cannot be checked."


def forbidden_include(path: str) -> str:
    return f"It includes {path}, which the original does not; only standard headers may be added."


def forbidden_pragma(text: str) -> str:
    return f"It brings in “{text[:80]}”, which changes what the code means, not how fast it is."


def forbidden_path(path: str) -> str:
    return f"It brings in the path {path[:80]}; a candidate may not look at the machine it runs on."


def cached_answer(token: str) -> str:
    return f"It carries “{token[:40]}”, a part of the expected output, as a literal that the original does not have."


def sandbox_brought_down() -> str:
    return "It brought its sandbox down twice, where the original runs well (memory or processes without bound)."


def rival_failed(candidate: str) -> str:
    return f"Correct, but not timed: candidate {candidate}, which it was compared with, failed meanwhile."


def no_sanitizer_build() -> str:
    return (
        "It cannot be built with sanitizers, where the original can, so it cannot be checked for undefined behaviour."
    )


def measured_afresh(speedup: float, low: float, high: float, pairs: int) -> str:
    return f"{speedup:.2f}× (95 % CI {low:.2f}–{high:.2f}) in {pairs} fresh pairs."


def went_on(speedup: float) -> str:
    return f"At {speedup:.2f}× it is the best so far, so the search goes on from it."


def chosen_fastest(speedup: float) -> str:
    return f"At {speedup:.2f}× it is the fastest of those that the search may go on from."


def chosen_by_value(speedup: float, score: float, u: float) -> str:
    return f"It is at {speedup:.2f}×, and {score:.2f}× is to be expected from it, more than from any other; {u:.2f}× is in hand."


def chosen_original() -> str:
    return "Nothing was found yet, so the search goes on from the original."


def chosen_dry(speedup: float) -> str:
    return f"There was nothing left to try where the search was, so it goes back to this one at {speedup:.2f}×."


def no_critique(trouble: str) -> str:
    return f"There is no critique of this version: {trouble}"


def not_answered_in_time(limit_s: float) -> str:
    return f"It was not judged within {limit_s / 60:.0f} minutes and was given up. Give a smaller input, or try again when the machine is less busy."

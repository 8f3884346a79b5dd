"""What editors show in lists, above the code and on buttons: a few words each."""

from __future__ import annotations


def optimize_title(name: str, *, again: bool = False) -> str:
    """The lightbulb's first entry."""
    return f"Optimize “{name}” {'again ' if again else ''}with MaxCode"


def inspect_title(name: str) -> str:
    """What is left where nothing may be run."""
    return f"Look for slow code in “{name}” with MaxCode (runs nothing)"


def choose_title(name: str) -> str:
    return f"Optimize “{name}” with MaxCode, choosing how…"


def stop_title(name: str, best: float | None) -> str:
    """While a run goes on."""
    return f"Stop MaxCode on “{name}”" + (f" (best {best:.1f}× so far)" if best is not None else "")


def apply_title(name: str, speedup: str, interval: str) -> str:
    """A proven result that fits."""
    return f"Apply MaxCode: “{name}” {speedup} faster (95 % CI {interval})"


def compare_title(name: str) -> str:
    """Look before applying."""
    return f"Compare “{name}” with MaxCode’s version"


def explain_title(name: str, *, measured: bool) -> str:
    """A run ended without a result."""
    return f"Why no improvement for “{name}”?" if measured else f"Why was “{name}” not optimised?"


def hindrance_title(name: str) -> str:
    """Nothing can be done, and somebody asked what can."""
    return f"Why can MaxCode not optimise “{name}”?"


def continue_title(name: str, best: float | None, done: int, budget: int) -> str:
    """A run was interrupted by the end of its process."""
    so_far = f"best {best:.1f}×, " if best is not None else ""
    return f"Continue optimising “{name}” with MaxCode ({so_far}{done} of {budget} tried)"


def apply_label(name: str) -> str:
    """What an editor's undo list calls the edit."""
    return f"MaxCode: faster version of “{name}”"


def undo_label(name: str) -> str:
    """What an editor's undo list calls its removal."""
    return f"MaxCode: original version of “{name}”"


def hunk_label(what: str, worth: str, *, again: bool = False) -> str:
    """One change in an editor's preview; ``worth`` is a speedup as text, ``again``: of a part that has a label."""
    counted = f" (part of the {worth})" if again else f" ({worth} of it)"
    return "MaxCode" + (f": {what}" if what else "") + (counted if worth else "")


def optimize_lens(share: float | None) -> str:
    """Above a program that can be optimised; ``share`` (0..1): of the run, where that is known."""
    known = f"{share:.0%} of run time · ".replace("%", " %") if share is not None else ""
    return f"MaxCode: {known}Optimize"


def running_lens(phase: str, best: float | None, counted: str) -> str:
    """While a run goes on; ``counted`` like ``14 of 64``, or empty."""
    known = [f"best {best:.1f}×"] if best is not None else []
    return f"MaxCode: {', '.join([phase, *known, *([counted] if counted else [])])} · Stop"


def ready_lens(speedup: str) -> str:
    """A proven version can be put in."""
    return f"MaxCode: {speedup} ready · Apply"


def outdated_lens(speedup: str) -> str:
    """There is a proven version of a text that is no longer there."""
    return f"MaxCode: {speedup} found, but the code changed since · Optimize again"


def ended_lens(outcome: str) -> str:
    """A run without an improvement; ``outcome`` in two or three words."""
    return f"MaxCode: {outcome} · Why"


def interrupted_lens(best: float | None) -> str:
    """A run that ended without a result, because engine or editor were gone."""
    known = f", best {best:.1f}× so far" if best is not None else ""
    return f"MaxCode: interrupted{known} · Continue"


def checking_lens() -> str:
    """A result was put in, and the file is being verified once more."""
    return "MaxCode: applied, being checked on this file"


def confirmed_lens(speedup: str) -> str:
    """The file with the result in it was verified."""
    return f"MaxCode: applied, {speedup} confirmed on this file"


def unconfirmed_lens() -> str:
    """The file with the result in it did not hold what was promised."""
    return "MaxCode: applied, but not confirmed on this file · Why"


def unchecked_lens() -> str:
    """The file with the result in it could not be verified."""
    return "MaxCode: applied, could not be checked on this file · Why"


def again_lens() -> str:
    """Beside what has ended."""
    return "Optimize again"


def compare_lens() -> str:
    """Beside what is ready."""
    return "Compare"


def progress_title(target: str) -> str:
    """Of the one progress of a run."""
    return f"MaxCode: {target}"


def interrupted_progress() -> str:
    """The server ends while a run goes on."""
    return "interrupted; it can go on later"


def trust_yes() -> str:
    """One answer to the question."""
    return "Trust this folder"


def trust_no() -> str:
    """The other; it is asked again at the next start."""
    return "Not now"

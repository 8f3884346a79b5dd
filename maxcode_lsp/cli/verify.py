"""``maxcode verify``: the judge alone, for a saved proof or for a version written by hand."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from rich.text import Text

from maxcode_lsp.cli.choices import settings_for
from maxcode_lsp.cli.consoles import console, print_json
from maxcode_lsp.cli.failure import CANCELLED, FAILED, Interrupted
from maxcode_lsp.cli.interruption import run_interruptible
from maxcode_lsp.engine import wording
from maxcode_lsp.engine.faults import sentence_for
from maxcode_lsp.errors import SettingsError
from maxcode_lsp.messages import phrases, terminal
from maxcode_lsp.records import Outcome, Verdict

if TYPE_CHECKING:  # the judge brings the whole engine with it
    from maxcode_lsp.engine.events import Judgement

_STYLES = {Verdict.FASTER: "bold green", Verdict.SLOWER: "bold yellow"}


class Report(Struct, frozen=True):
    """The one object that ``--json`` prints. ``outcome`` is null where nothing could be judged."""

    outcome: Outcome | None
    verdict: Verdict | None
    speedup: float | None
    ci95: tuple[float, float] | None
    reason: str


def verify(
    result: Path | None, original: Path | None, candidate: Path | None, *, flags: str | None, json: bool, unsafe: bool
) -> int:
    """The whole command; 0 where a saved result is again faster, or a candidate is correct, whatever its speed.

    Else 1, and 130 where it was stopped.
    """
    if result is not None:
        from maxcode_lsp.engine.judge import verify_bundle

        return _judged(verify_bundle(result, allow_unsafe=unsafe), phrases.printable(result.name), _again, json=json)
    assert original is not None
    assert candidate is not None
    from maxcode_lsp.engine.judge import judge

    settings = settings_for(original, flags=flags)
    work = judge(original, candidate, settings=settings, allow_unsafe=unsafe)
    return _judged(work, phrases.printable(candidate.name), _correct, json=json)


def _again(said: Judgement) -> bool:
    """Whether what was claimed holds: correct, and faster."""
    return said.outcome is Outcome.CORRECT and said.verdict is Verdict.FASTER


def _correct(said: Judgement) -> bool:
    """Whether it does the same as its original, whatever its speed."""
    return said.outcome in (Outcome.CORRECT, Outcome.IDENTICAL)


def _judged(work: Coroutine[Any, Any, Judgement], name: str, holds: Callable[[Judgement], bool], *, json: bool) -> int:
    """Run the judge and print what it says."""

    def stopped() -> None:
        if json:
            print_json(Report(None, None, None, None, terminal.cancelled(name)))

    human = console(stderr=True)
    waiting = human.status(terminal.judging(name)) if human.is_terminal else nullcontext()
    try:
        with waiting:
            said = run_interruptible(work, on_deadline=stopped)
    except (Interrupted, KeyboardInterrupt):
        stopped()
        return CANCELLED
    except SettingsError:
        raise
    except Exception as error:
        if not json:
            raise
        print_json(Report(None, None, None, None, sentence_for(error)))
        return FAILED
    if json:
        print_json(Report(said.outcome, said.verdict, said.speedup, said.ci95, phrases.printable(said.reason)))
    else:
        style = _STYLES.get(said.verdict, "bold") if said.verdict else "bold"
        console().print(Text(wording.judgement(said), style=style), soft_wrap=True)
    return 0 if holds(said) else FAILED

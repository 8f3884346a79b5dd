"""Short forms and sentences about runs that every face shows. Light to import: the server imports it at start."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from maxcode_lsp.engine import board
from maxcode_lsp.engine.board import Improvement, Row
from maxcode_lsp.engine.events import Judgement, Progress, Replied, RunResult, Spent
from maxcode_lsp.messages import endings, phrases
from maxcode_lsp.records import Environment, RunStatus, Verdict
from maxcode_lsp.settings.schema import RewriteSettings, Settings

INPUT_SHARE = 0.25
"""Ours: from this part of a run on, a faster input reader is worth a sentence."""
_FATES = {
    "rejected": "not admitted",
    "identical": "same machine code",
    "compile_error": "does not compile",
    "timeout": "ran past its limit",
    "runtime_error": "crashed",
    "wrong_output": "wrong output",
    "correct": "correct, not timed",
    "faster": "faster",
    "slower": "slower",
    "no_difference": "no difference",
}
_TALLY = {
    "not correct": ("compile_error", "timeout", "runtime_error", "wrong_output"),
    "not admitted": ("rejected",),
    "same machine code": ("identical",),
    "correct but not timed": ("correct",),
    "slower": ("slower",),
    "no difference": ("no_difference",),
    "faster": ("faster",),
}
_STATUSES = {
    RunStatus.RUNNING: "running",
    RunStatus.IMPROVED: "faster",
    RunStatus.NO_IMPROVEMENT: "no measurable difference",
    RunStatus.UNMEASURED: "not measured",
    RunStatus.REFUSED: "refused",
    RunStatus.FAILED: "failed",
    RunStatus.CANCELLED: "stopped",
}
_USABLE = ("program", "hunks")
_UNUSABLE = {
    "unchanged": "changed nothing",
    "truncated": "cut off",
    "empty": "empty",
    "refused": "refused",
    "thinking_only": "thought only",
    "no_code": "without code",
    "hunk_failed": "with a hunk that did not fit",
    "not_a_program": "not a whole program",
    "out_of_region": "beyond what may change",
    "malformed": "not understood",
    "failed": "failed",
}
_PHASES = {"preparing": "checking the original", "confirming": "confirming the best", "trimming": "trimming the edit"}


def speedup_cell(speedup: float | None, ci95: tuple[float, float] | None) -> str:
    """``1.90× (1.85–1.95)``; ``≈ 1.90×`` where the number comes from another candidate's."""
    if speedup is None:
        return ""
    return f"{phrases.times(speedup)} ({phrases.interval(ci95)})" if ci95 else f"≈ {phrases.times(speedup)}"


def fate(kind: str) -> str:
    """How a candidate ended, in words."""
    return _FATES[kind]


def outcome(row: Row) -> str:
    """How the candidate of a row ended: one that was measured against another candidate is told from that one."""
    against_best = row.verdict is Verdict.NO_DIFFERENCE and row.ci95 is None
    return "no better than the best" if against_best else fate(board.fate(row))


def tally(counts: Mapping[str, int]) -> str:
    """``12 not correct, 9 same machine code, 20 no difference, 4 faster``; empty when nothing was tried."""
    sums = {words: sum(counts.get(kind, 0) for kind in kinds) for words, kinds in _TALLY.items()}
    return ", ".join(f"{count} {words}" for words, count in sums.items() if count)


def outcome_cell(result: RunResult) -> str:
    """The result of a run in two or three words."""
    if result.status is RunStatus.IMPROVED and result.speedup is not None and result.ci95 is not None:
        return f"{phrases.times(result.speedup)} faster ({phrases.interval(result.ci95)})"
    return _STATUSES[result.status]


def phase(at: Progress | None) -> str:
    """What a run is at: ``searching``, ``checking the original`` …"""
    return "starting" if at is None else _PHASES.get(at.phase, at.phase)


def progress(target: str, best: float | None, at: Progress | None) -> str:
    """``matmul — best 1.9× · 14 of 64 · building 2, measuring 1``."""
    return f"{target} — {standing(best, at)}"


def standing(best: float | None, at: Progress | None) -> str:
    """``best 1.9× · 14 of 64 · building 2, measuring 1``: the same without a name."""
    if at is None:
        return "starting"
    parts = [f"best {best:.1f}×"] if best is not None else []
    if at.phase == "searching":
        parts.append(f"{at.done} of {at.budget}")
        parts += [f"depth {at.depth}"] if at.depth else []
    else:
        parts.append(phase(at))
    stages = (
        ("asking", at.asking),
        ("building", at.building),
        ("verifying", at.verifying),
        ("measuring", at.measuring),
    )
    busy = ", ".join(f"{stage} {count}" for stage, count in stages if count)
    cost = cost_so_far(at.spent)
    return " · ".join([*parts, *filter(None, (busy, cost))])


def improvement(one: Improvement) -> str:
    """``#12  2.31×  loop-order, depth 3. Acts on: Inner loop strides … Made where the search was because: …``"""
    facts = f"#{one.number}  {phrases.times(one.speedup)}  {phrases.printable(one.origin)}, depth {one.depth}."
    said = [facts, endings.acts_on(phrases.printable(one.because)) if one.because else ""]
    said.append(endings.came_from(phrases.printable(one.why)) if one.why else "")
    return " ".join(filter(None, said))


def how(settings: Settings) -> str:
    """``greedy, effort high (64 candidates)``: how a run searches."""
    plain = ", plain" if settings.strategy.plain else ""
    seed = f", seed {settings.seed}" if settings.seed else ""
    effort = "" if settings.budget is not None else f"effort {settings.effort}, "
    return f"{settings.search}{plain}, {effort}{phrases.counted(settings.candidates, 'candidate')}{seed}"


def cost_so_far(spent: Spent | None) -> str:
    """``$0.034`` or ``34k tokens``; empty where nothing was spent."""
    if spent is None or not spent.tokens_in + spent.tokens_out:
        return ""
    return phrases.spent(spent.tokens_in, spent.tokens_out, spent.cost_usd)


def models_line(result: RunResult) -> str:
    """What the models of a run did and cost, in one line; empty where it had none.

    ``Models: 12 replies, 3 known from before; 7 to try (3 without code, 2 cut off); 34k tokens, $0.034``
    """
    spent = result.spent
    if spent is None or not spent.calls:
        return ""
    usable = sum(result.replies.get(end, 0) for end in _USABLE)
    lost = [f"{count} {_UNUSABLE[end]}" for end, count in result.replies.items() if end in _UNUSABLE]
    why = f" ({', '.join(lost)})" if lost else ""
    kept = f", {spent.cached} known from before" if spent.cached else ""
    cost = [phrases.tokens(spent.tokens_in + spent.tokens_out)]
    cost += [phrases.dollars(spent.cost_usd)] if spent.cost_usd else []
    replies = f"{spent.calls} {'reply' if spent.calls == 1 else 'replies'}{kept}"
    return f"Models: {replies}; {usable} to try{why}; {', '.join(cost)}"


def reply_line(event: Replied) -> str:
    """``local answered after 54 s: a version to try``."""
    worth = "a version to try" if event.reply in _USABLE else _UNUSABLE.get(event.reply, event.reply)
    known = "from before" if event.cached else f"after {event.elapsed_s:.0f} s"
    return f"{phrases.printable(event.model)} answered {known}: {worth}"


def verdict_line(result: RunResult) -> str:
    """Why there is no improvement, beginning with the target's name."""
    named = result.target in result.reason or Path(result.target).stem in result.reason
    return result.reason if named else f"{result.target}: {result.reason}"


def worth(speedup: float | None) -> str:
    """What one hunk is worth: ``1.62×``; empty where it cannot be told apart."""
    return phrases.times(speedup) if speedup is not None else ""


def judgement(said: Judgement) -> str:
    """What the judge said, in one line."""
    if said.speedup is None or said.ci95 is None or said.verdict is None:
        return f"{fate(said.outcome.value)}: {phrases.printable(said.reason)}"
    facts = f"{phrases.times(said.speedup)}, 95 % CI {phrases.interval(said.ci95)}, {said.pairs} pairs"
    return f"{fate(said.verdict.value)} ({facts}): {phrases.printable(said.reason)}"


def commit_line(result: RunResult) -> str:
    """One ASCII sentence for a commit message; empty without an improvement.

    ``matmul: 2.31x faster (95% CI 2.24-2.39, n=24 pairs, g++ 12.2 -O3, i7-8700)``
    """
    if result.speedup is None or result.ci95 is None:
        return ""
    facts = [f"95% CI {phrases.interval(result.ci95, dash='-')}", f"n={result.pairs} pairs"]
    if result.environment is not None:
        facts += [_compiler(result.environment), _processor(result.environment.machine)]
    return f"{result.target}: {phrases.times(result.speedup, sign='x')} faster ({', '.join(facts)})"


def _compiler(environment: Environment) -> str:
    """``g++ 12.2 -O3``: name, version and the flags that decide about speed."""
    name = re.search(r"g\+\+|clang\+\+|gcc|clang|^\S+", environment.compiler)
    version = re.search(r"(\d+\.\d+)(?:\.\d+)?(?!.*\d\.\d)", environment.compiler)
    flags = [flag for flag in environment.flags if flag.startswith(("-O", "-march", "-mtune", "-fopenmp"))]
    return " ".join([name[0] if name else "", version[1] if version else "", *flags]).strip()


def _processor(machine: str) -> str:
    """``Intel Core i7-8700``: the model without trade marks, clock rate and what follows."""
    plain = re.sub(r"\((?:R|TM|C)\)|\bCPU\b|\bProcessor\b", " ", machine.partition(",")[0])
    return " ".join(plain.partition("@")[0].split())


def advice(result: RunResult, rewrites: RewriteSettings) -> str:
    """What the user may allow where that could help a run without an improvement; empty: nothing."""
    reading = (finding.share or 0.0 for finding in result.critique.findings if finding.kind == "stream-input")
    held_back = result.status is RunStatus.NO_IMPROVEMENT and rewrites.input == "safe"
    return endings.input_kept_safe() if held_back and max(reading, default=0.0) >= INPUT_SHARE else ""

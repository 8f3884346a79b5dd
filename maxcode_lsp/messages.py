"""Sentences people see while the original is checked and candidates are judged.

Each says what happened, why, and what to do next.
"""

from __future__ import annotations

import os
import re
import signal as signals
from collections.abc import Sequence

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[^\[]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(data: bytes) -> str:
    """Output of a child as text: undecodable bytes replaced, control codes removed."""
    return _CONTROL.sub("", data.decode(errors="replace"))


def first_error(diagnostics: str) -> str:
    """The first error line of a compiler's output, or its first line."""
    lines = [line.strip() for line in diagnostics.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line or "undefined reference" in line]
    return (errors or lines or ["no message"])[0][:300]


def signal_name(number: int) -> str:
    """``SIGSEGV`` for 11."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"signal {number}"


def compiler_missing(name: str) -> str:
    return f'The compiler {name} was not found on PATH. Install it (Debian: apt install g++) or set another with compiler = "…".'


def compiler_silent(name: str) -> str:
    return f"The compiler {name} did not answer to --version within 20 s. Check that it runs from a shell."


def compiler_killed() -> str:
    return "The compiler was stopped at its memory or output limit (limits.build_memory_mb)."


def build_too_slow(limit_s: float) -> str:
    return f"The build did not end within {limit_s:g} s (limits.build_s)."


def original_does_not_compile(name: str, error: str) -> str:
    return f"“{name}” does not compile, so there is nothing to compare with: {error}"


def missing_header(name: str, header: str) -> str:
    return f"“{name}” does not compile: the header {header} was not found. Add its folder to flags (-I…) or to compile_commands.json."


def original_too_slow(name: str, case: str, limit_s: float) -> str:
    return f"“{name}” did not end within {limit_s:g} s on input {case}. Give a smaller input, or raise limits.run_s in maxcode.toml."


def original_crashed(name: str, case: str, how: str, *, uses_arguments: bool) -> str:
    advice = without_arguments() if uses_arguments else "Mend that first; then there is a behaviour to preserve."
    return f"“{name}” does not end normally on input {case}: {how}. {advice}"


def without_arguments() -> str:
    return "It looks at its command-line arguments and is run without any: give them defaults, or read standard input instead."


def original_prints_too_much(name: str, case: str, limit_bytes: int) -> str:
    return (
        f"“{name}” printed more than {limit_bytes >> 20} MB on input {case}. "
        "Give a smaller input, or raise limits.output_mb in maxcode.toml."
    )


def original_prints_nothing(name: str, *, uses_arguments: bool) -> str:
    advice = without_arguments() if uses_arguments else "Let it print its results."
    return f"“{name}” prints nothing on any input, so there is no behaviour to compare. {advice}"


def original_not_deterministic(name: str, difference: str) -> str:
    return (
        f"“{name}” cannot be optimised yet: two runs on the same input gave different output ({difference}). "
        "Give it a fixed clock or seed, or exclude that line with output.ignore in maxcode.toml."
    )


def original_contradicts(name: str, case: str, difference: str) -> str:
    return (
        f"“{name}” does not print what {case} expects ({difference}). "
        "Mend the program or the expected output; until then it cannot be told what is right."
    )


def generator_failed(name: str, seed: int, size: int, how: str) -> str:
    return f"The input generator {name} failed: {how}. It is run as “{name} SEED SIZE” (here {seed} {size}) and must print one input."


def ran_past(limit_s: float) -> str:
    return f"it did not end within {limit_s:g} s"


def printed_without_end(limit_bytes: int) -> str:
    return f"it printed more than {limit_bytes >> 20} MB"


def left_processes(count: int) -> str:
    return f"it ended and left {count} process{'es' if count > 1 else ''} running"


def generator_not_deterministic(name: str) -> str:
    return f"The input generator {name} gave two different inputs for the same seed and size. Seed its random numbers from its first argument."


def ended_with(code: int | None, signal: int | None) -> str:
    if signal is not None:
        return f"it was stopped by {signal_name(signal)}"
    return f"it ended with status {code}"


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


def too_short(run_ms: float, limit_ms: float, *, reads: bool) -> str:
    advice = (
        "Give a larger input, or a generator (gen.py) so that larger ones can be made."
        if reads
        else "It reads no input: let it do more of its work in one run."
    )
    return (
        f"Not measured: one run takes {run_ms:.1f} ms, and below {limit_ms:g} ms starting the process decides. {advice}"
    )


def scaled_up(size: int, run_ms: float) -> str:
    return f"Inputs of size {size:,} were generated so that one run takes {run_ms:.0f} ms."


def no_generator_mutations(count: int) -> str:
    if count == 0:
        return "No generator, and no change of the given inputs that the original handles cleanly: only the given ones are compared."
    return f"No generator: {count} further inputs were made by changing the given ones, kept where the original handles them cleanly."


def fixed_input_only() -> str:
    return "The program reads no input, so it was compared on its one output."


def unvetted() -> str:
    return "The original could not be built with sanitizers, so the further inputs were not checked for undefined behaviour."


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


def unreadable(path: str, why: str) -> str:
    return f"{path} cannot be read ({why}). Make it readable and run again."


def closure_too_large(limit_bytes: int) -> str:
    return f"The files that this unit includes come to more than {limit_bytes >> 20} MB; that is too much to evaluate."


def reference_failed(why: str) -> str:
    return f"The original itself failed while it was timed, which it did not before: {why} The machine may be overloaded; run again."


def bundle_not_saved(folder: str, why: str) -> str:
    return f"The result could not be saved in {folder} ({why}). Free some space or set XDG_DATA_HOME; the edit itself is not affected."


def bundle_damaged(name: str, why: str) -> str:
    return f"{name} is not a usable proof bundle: {why}. Make a new one with maxcode optimize."


def bundle_of_other_version(name: str, found: int, known: int) -> str:
    return f"{name} has bundle format {found}; this MaxCode reads format {known}. Use the version that wrote it, or make a new one."


def improved(name: str, speedup: float, low: float, high: float, *, fresh_inputs: bool) -> str:
    on = "inputs made for it" if fresh_inputs else "the given inputs"
    return f"“{name}” is {speedup:.2f}× faster (95 % CI {low:.2f}–{high:.2f}), confirmed by fresh measurements on {on}."


def no_improvement(name: str, tried: int, correct: int, threshold: float, noise_pct: float | None) -> str:
    if tried == 0:
        return f"No measurable difference. Nothing in “{name}” gave an idea for a faster version."
    noise = "" if noise_pct is None else f" (noise here is ±{noise_pct:.1f} %)"
    return (
        f"No measurable difference. {tried} versions of “{name}” were tried; {correct} were correct "
        f"and none was more than {(threshold - 1) * 100:.0f} % faster{noise}."
    )


def not_confirmed(name: str, speedup: float, low: float, high: float) -> str:
    return (
        f"No measurable difference. The best version of “{name}” looked faster in the search, but fresh measurements "
        f"gave {speedup:.2f}× (95 % CI {low:.2f}–{high:.2f}), which is not enough to claim."
    )


def same_text() -> str:
    return "Both files hold the same text."


def claimed(speedup: float, low: float, high: float, machine: str) -> str:
    return f"Claimed: {speedup:.2f}× (95 % CI {low:.2f}–{high:.2f}) on {machine}."


def sandbox_brought_down() -> str:
    return "It brought its sandbox down twice, where the original runs well (memory or processes without bound)."


def no_time(name: str) -> str:
    return f"There was no time to try anything: checking “{name}” used it up. Give more with --seconds (300 where nothing is said), or make its inputs smaller ([workload] seconds)."


def original_reaches_outside(name: str, function: str) -> str:
    return f"“{name}” calls {function}: a program that starts others or uses the network cannot be judged by its output. Only what it computes can be optimised."


def rival_failed(candidate: str) -> str:
    return f"Correct, but not timed: candidate {candidate}, which it was compared with, failed meanwhile."


def rebuild_failed(error: str) -> str:
    return f"A version that was built before could not be built again: {error} The machine may be short of memory; run again."


def no_sanitizer_build() -> str:
    return (
        "It cannot be built with sanitizers, where the original can, so it cannot be checked for undefined behaviour."
    )


def proving_anyway(trouble: str) -> str:
    return f"The search was cut short: {trouble} What it had found by then was proven all the same."


def no_critique(trouble: str) -> str:
    return f"There is no critique of this version: {trouble}"


def not_formatted(why: str) -> str:
    return f"The edit is not formatted in the project's style: {why}. It is right all the same; format it by hand if you take it."


def journal_missing(run: str) -> str:
    return f"There is no journal of a run {run}: it was removed, or swept because of its age. “maxcode runs” lists all."


def journal_damaged(run: str, why: str) -> str:
    return f"The journal of run {run} cannot be used: {why}. Start the run again."


def journal_of_other_version(run: str, version: int, ours: int) -> str:
    return f"The journal of run {run} has format {version} and this MaxCode reads format {ours}. Start the run again."


def journal_not_kept(folder: str, why: str) -> str:
    return f"The run goes on, but it cannot be continued later: its journal could not be kept in {folder} ({why})."


def journal_live(run: str) -> str:
    return f"Run {run} is going on in another process at this moment. Wait for its end or stop it there."


def no_such_candidate(run: str, candidate: str) -> str:
    return f"Run {run} has no candidate {candidate}."


def begun_anew(why: str) -> str:
    return f"The run was begun anew: {why}"


def source_changed(name: str) -> str:
    return f"“{name}” is not the text any more that it was about."


def environment_changed() -> str:
    return "compiler, flags, machine or MaxCode itself are not those of before, so its measurements tell nothing now."


def run_stopped(name: str, best: float | None) -> str:
    found = "" if best is None else f" The best so far, {best:.2f}× in the search and not yet proven, is kept."
    return f"“{name}”: stopped before the end; nothing was changed.{found}"


def stopped_because(stop: str) -> str:
    return _STOPS[stop]


_STOPS = {
    "goal": "The goal was reached.",
    "plateau": "Many candidates in a row brought nothing.",
    "exhausted": "There were no more ideas.",
    "budget": "The budget of candidates was used up.",
    "time": "The time was used up.",
    "trouble": "The machine's trouble cut it short.",
}


def went_on(speedup: float) -> str:
    return f"At {speedup:.2f}× it is the best so far, so the search goes on from it."


def trimmed(parts: Sequence[tuple[str, float | None]]) -> str:
    if not parts:
        return "Nothing was left out."
    said = [name if worth is None else f"{name} (worth {worth:.2f}×)" for name, worth in parts]
    return f"Left out, because hardly anything is lost without it: {', '.join(said)}."


def measured_afresh(speedup: float, low: float, high: float, pairs: int) -> str:
    return f"{speedup:.2f}× (95 % CI {low:.2f}–{high:.2f}) in {pairs} fresh pairs."


def system_says(why: str, path: object) -> str:
    """An error of the operating system about a file (``path`` None: about something else)."""
    about = "" if path is None else f" about {plain(os.fsencode(str(path)))}"
    return f"The system said{about}: {why}. Nothing more was done; mend that and run again."


def own_fault(log: str | None) -> str:
    where = "No log could be written." if log is None else f"The details are in {log}."
    return f"MaxCode met a fault of its own and stopped; your files are unchanged. {where}"


def engine_not_started(why: str) -> str:
    return f"MaxCode's engine could not be started: {why}. Check the installation with “maxcode doctor”."


def engine_silent(limit_s: float) -> str:
    return f"it said nothing for {limit_s:g} s"


def engine_other_version() -> str:
    return "MaxCode's engine is from another version than its server, as after an update. Restart the language server."


def engine_closed() -> str:
    return "MaxCode is shutting down, so nothing new is started."


def engine_died(how: str, log: str) -> str:
    return f"MaxCode's engine was lost: {how}. Details may be in {log}."


def engine_goes_on(why: str) -> str:
    return f"{why} It is started again, and what was running goes on from its journal."


def run_given_up(name: str, why: str) -> str:
    return f"“{name}”: {why} What was found so far is kept in the run's journal; go on with it, or run again."


def run_interrupted(name: str) -> str:
    return f"“{name}”: MaxCode was closed before the end; what was found so far is kept, and the run can go on later."


def run_ended_oddly(name: str) -> str:
    return f"“{name}”: the run ended without a result, which is a fault of ours. Run it again."


def request_too_large(name: str) -> str:
    return f"“{name}” is too large to be looked at."


def not_answered_in_time(limit_s: float) -> str:
    return f"It was not judged within {limit_s / 60:.0f} minutes and was given up. Give a smaller input, or try again when the machine is less busy."


def not_inspected_in_time(limit_s: float) -> str:
    return f"The text was not looked through within {limit_s:g} s, so nothing is said about it."

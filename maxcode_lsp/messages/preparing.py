"""Sentences people see while a compiler, the original and its inputs are made ready."""

from __future__ import annotations

from maxcode_lsp.messages import phrases


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
        "Give it a fixed clock or seed, print what differs to standard error, or leave its line out of the comparison with output.ignore in maxcode.toml."
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
        return f"it was stopped by {phrases.signal_name(signal)}"
    return f"it ended with status {code}"


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
    made, kept = ("1 further input was", "it") if count == 1 else (f"{count} further inputs were", "them")
    return f"No generator: {made} made by changing the given ones and kept, as the original handles {kept} cleanly."


def fixed_input_only() -> str:
    return "The program reads no input, so it was compared on its one output."


def unvetted() -> str:
    return "The original could not be built with sanitizers, so the further inputs were not checked for undefined behaviour."


def unreadable(path: str, why: str) -> str:
    return f"{path} cannot be read ({why}). Make it readable and run again."


def closure_too_large(limit_bytes: int) -> str:
    return f"The files that this unit includes come to more than {limit_bytes >> 20} MB; that is too much to evaluate."


def original_reaches_outside(name: str, function: str) -> str:
    return f"“{name}” calls {function}: a program that starts others or uses the network cannot be judged by its output. Only what it computes can be optimised."

"""What is said when searches are compared."""

from __future__ import annotations

from collections.abc import Sequence


def unknown_method(name: str, strategies: Sequence[str], parts: Sequence[str]) -> str:
    return f"“{name}” is no method. Write STRATEGY, STRATEGY+maxcode for all parts, +PART or -PART for one, STRATEGY@WIDTH for another width. Strategies: {', '.join(strategies)}. Parts: {', '.join(parts)}."


def other_journal(file: str, field: str) -> str:
    return f"{file} is the journal of another comparison: its {field} is not the same. Give another file, or remove it."


def no_journal(file: str, why: str) -> str:
    return f"{file} is no journal of a comparison, or is damaged: {why}. Give another file."


def no_suite(name: str) -> str:
    return f"There is no suite “{name}”. Give “dev” or “test” in a checkout of maxcode, a folder of programs with their inputs, or a file of pairs in PIE's form (NAME.jsonl)."


def no_programs(name: str, missing: Sequence[str]) -> str:
    if missing:
        return f"The suite “{name}” has no {', '.join(missing)}."
    return f"There are no programs in “{name}”: files like NAME.cpp, or folders like NAME/NAME.cpp, are looked for."


def no_table(file: str, suite: str) -> str:
    return f"There is no replay table at {file}. Make it first, which takes about two minutes a program: maxcode bench table --suite {suite}"


def not_in_table(file: str, missing: Sequence[str]) -> str:
    return f"The replay table {file} has no {', '.join(missing)}. Make it anew: maxcode bench table"


def peer_without_python() -> str:
    return "The method “openevolve” needs a Python that has it: --openevolve PYTHON. Make one with: python3 -m venv DIR && DIR/bin/pip install openevolve"


def no_openevolve(python: str, why: str) -> str:
    return f"{python} has no OpenEvolve that could be started ({why}). Make a Python that has it with: python3 -m venv DIR && DIR/bin/pip install openevolve, and give DIR/bin/python."


def openevolve_unanswered(why: str) -> str:
    return f"OpenEvolve got no answer from the model: {why}"


def openevolve_ended(code: int, said: str) -> str:
    return f"OpenEvolve ended before its last iteration, with status {code}: {said or 'it said nothing'}"


def replay_without_models() -> str:
    return "A replay table holds what rules lead to, so a model cannot propose on it. Leave out --model or --replay."


def pair_wrong(file: str, line: int, why: str) -> str:
    return f"{file}, line {line}: this is no pair in PIE's form: {why}."


def pair_without_tests(problem: str, folder: str) -> str:
    return f"Problem {problem} has no test cases: {folder} is looked in for input.N.txt and output.N.txt."


def replay_told(programs: int, methods: int, seeds: int) -> str:
    return f"replaying {programs} programs, {methods} methods, {seeds} seeds"


def peer_needs_local() -> str:
    return "The method “openevolve” is there for the local model only: --model local."

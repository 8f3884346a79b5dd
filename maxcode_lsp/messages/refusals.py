"""Sentences people see about what they gave: settings, flags, the file, its inputs."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence


def setting_wrong(key: str, value: object, wanted: str) -> str:
    return f"{key[:80]} should be {wanted}, not {_shown(value)}."


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f"“{value[:60]}”"
    try:
        return reprlib.repr(value)[:60]
    except ValueError:  # Python writes no number of thousands of digits
        return "a number that long"


def setting_unbalanced(key: str) -> str:
    return f"{key} has a quotation mark that is not closed."


def setting_bad_pattern(key: str, pattern: str, error: str) -> str:
    return f"{key}: “{pattern[:60]}” is not a regular expression ({error})."


def setting_ignored(sentence: str) -> str:
    return f"{sentence.removesuffix('.')}; it is ignored."


def setting_unknown(key: str, alike: str | None) -> str:
    return f"There is no setting {key[:80]}." + (
        f" Did you mean {alike}?" if alike else " docs/settings.md lists them all."
    )


def setting_never_in_file() -> str:
    return "The sandbox is never loosened by a file in a workspace; use --unsafe on the command line. This is ignored."


def setting_only_in_file(key: str) -> str:
    return f"The table {key} is read from a workspace's maxcode.toml only; here it is ignored."


def setting_users_own(key: str, own: str, argument: str) -> str:
    """``own``: the user's file; ``argument`` of the command line, empty where there is none."""
    left_out = " This model is left out." if key.startswith("models.") else ""
    places = [f"your own file ({own})", "the editor's settings", *([argument] if argument else [])]
    return (
        f"{key} is ignored in a workspace's file, since your key or your money would go where its author "
        f"wants.{left_out} If you want it, put it into {', '.join(places[:-1])} or {places[-1]}."
    )


def setting_is_key(key: str) -> str:
    return (
        f"{key[:80]} is ignored: a key never belongs into settings, which are kept with each run. Put it into the "
        "provider's environment variable, such as OPENAI_API_KEY, or your editor's secret store."
    )


def setting_not_address(key: str, schemes: Sequence[str]) -> str:
    return f"{key} should be an address that begins with {' or '.join(f'{scheme}://' for scheme in schemes)}."


def setting_holds_secret(key: str, instead: str) -> str:
    return (
        f"{key} should hold no user name, password or query, since settings are kept with each run ({instead} instead)."
    )


def instead_of_secret_in_address() -> str:
    return "put the key into the provider's environment variable"


def instead_of_secret_in_proxy() -> str:
    return "set HTTPS_PROXY in the environment"


def setting_not_variable(key: str) -> str:
    return f"{key} should be the name of an environment variable in capitals, such as MY_KEY, never the key itself."


def setting_no_list_of_tables(key: str) -> str:
    return f"{key} should be a list of tables; write [[{key}]] above each. It is ignored."


def model_without_name() -> str:
    return 'A model without a name is left out. Write name = "provider/name", or name = "local".'


def in_variable(variable: str, sentence: str) -> str:
    """``sentence`` is about a setting that an environment variable gave."""
    return f"From {variable} in the environment: {sentence}"


def setting_too_many(key: str, most: int) -> str:
    return f"{key} has more than {most} elements."


def settings_not_toml(error: str) -> str:
    return f"This line is not TOML ({error}); it is ignored."


def settings_unreadable(name: str, error: str) -> str:
    return f"{name} cannot be read ({error}); the defaults hold."


def settings_too_large(name: str) -> str:
    return f"{name} is larger than 1 MB, which no settings file is; the defaults hold."


def flag_refused(flag: str, *, database: bool) -> str:
    """``database``: the flag is from compile_commands.json."""
    instead = ', or set flags = "…" in maxcode.toml' if database else ""
    return f"The compiler flag “{flag[:80]}” is not allowed. Leave it out{instead}."


def flag_without_value(flag: str) -> str:
    return f"The compiler flag “{flag}” stands at the end without its value."


def flag_other_language(kind: str, name: str) -> str:
    return f"The flag “-x {kind[:40]}” does not fit “{name}”. Leave it out: the language is told from the file's name."


def flag_other_file(word: str) -> str:
    return f"“{word[:80]}” is another file to build. Only programs of one translation unit can be optimised for now."


def compiler_not_allowed(name: str, language: str) -> str:
    allowed = "g++, clang++ (with a version: g++-12)" + (", gcc, clang or cc" if language == "C" else " or c++")
    return f"“{name[:80]}” cannot be used as a {language} compiler. Name one that is on PATH: {allowed}."


def compiler_in_workspace(path: str) -> str:
    return f"The compiler {path} lies in the folder of the code, so it is not started. Take that folder out of PATH."


def compiler_from_path(named: str, found: str) -> str:
    return f"compile_commands.json names the compiler {named}; {found} is used."


def built_without_optimisation(source: str) -> str:
    return (
        f"The flags from {source} do not ask for optimisation, so speed is judged without it. Set flags to change that."
    )


def database_damaged(name: str, error: str) -> str:
    return f'{name} cannot be used ({error[:200]}). Make it again, or set flags = "…" in maxcode.toml.'


def database_too_large(name: str) -> str:
    return f'{name} is larger than 256 MB. Set flags = "…" in maxcode.toml.'


def not_a_source_file(name: str) -> str:
    return f"“{name}” is not a C or C++ source file (.cpp, .cc, .cxx, .c). Name the file that holds main."


def not_an_ordinary_file(name: str) -> str:
    return f"“{name}” is not an ordinary file, so it is not read. Put a real file in its place."


def file_unreadable(path: str, error: str) -> str:
    return f"“{path}” cannot be read: {error}. Check the name and who may read it."


def source_too_large(name: str, limit_bytes: int) -> str:
    return f"“{name}” is larger than {limit_bytes / 1e6:g} MB, too much to search in. Move its tables to a header."


def source_empty(name: str) -> str:
    return f"“{name}” is empty: there is nothing to make faster yet."


def source_not_text(name: str) -> str:
    return f"“{name}” holds zero bytes, so it is not C or C++ text (UTF-16, perhaps). Save it as UTF-8."


def no_main(name: str) -> str:
    return (
        f"“{name}” has no main function. Only whole programs can be optimised for now: choose the file that holds main."
    )


def no_inputs(name: str, stem: str) -> str:
    return f"No inputs for “{name}”, which reads standard input. Put one in {stem}_1.in, or write gen.py."


def expected_is_empty(name: str) -> str:
    return f"“{name}” is empty, so the original's own output is expected in its place."


def arguments_unused(name: str) -> str:
    return f"“{name}” looks at its command-line arguments; it is run without any."


def input_outside(name: str, folder: str) -> str:
    return f"“{name}” is a link or path that leads out of {folder}, so it is not read. Copy the file in its place."


def inputs_too_large(name: str, limit_bytes: int) -> str:
    return (
        f"With “{name}” the inputs are larger than {limit_bytes >> 20} MB. "
        "Leave some out, or name those to use under workload.inputs in maxcode.toml."
    )


def pattern_unusable(pattern: str) -> str:
    return (
        f"workload.inputs: “{pattern}” cannot be used as a pattern. It must be relative to the folder of maxcode.toml."
    )


def pattern_finds_nothing(pattern: str, folder: str) -> str:
    return f"workload.inputs: “{pattern}” finds no file in {folder}."


def expected_pattern_wrong(pattern: str) -> str:
    return f"workload.expected: “{pattern}” is not understood. Write it as “{{stem}}.out”."


def generator_missing(name: str, folder: str) -> str:
    return f"workload.generator: there is no file “{name}” in {folder}."


def nested_too_deeply(name: str, deepest: int) -> str:
    return f"“{name}” has more than {deepest:,} brackets inside each other, or never closed. Mend that first."


def not_parsed_in_time(name: str, limit_s: float) -> str:
    return (
        f"“{name}” could not be parsed within {limit_s:g} s, as happens with text that is not C or C++. Check the file."
    )


def target_busy(name: str, pid: int | None) -> str:
    by = "another MaxCode" if pid is None else f"another MaxCode (process {pid})"
    return f"“{name}” is being optimised by {by} at this moment. Wait for its end or stop it there, then start again."

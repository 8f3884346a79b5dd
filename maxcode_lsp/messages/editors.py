"""Sentences that editors show; the tone is calm and exact."""

from __future__ import annotations

from collections.abc import Sequence


def cannot_apply() -> str:
    """The editor takes no edits from servers."""
    return "This editor takes no edits from a language server. Use “Compare” and copy what you want."


def apply_unanswered() -> str:
    """``workspace/applyEdit`` brought no answer."""
    return "The editor did not say whether it made the change. Look at the document, and apply again if it did not."


def not_applied(why: str | None) -> str:
    """The editor refused an edit; ``why`` are its own words."""
    said = f": {why.strip()}" if why and why.strip() else "."
    return f"The editor did not make the change{said}"


def failed_request(method: str, log: str) -> str:
    """A fault of our own while a request was handled."""
    return f"MaxCode could not answer {method} because of a fault of its own. Details are in {log}."


def undecodable(method: str, why: str) -> str:
    """The parameters of a request make no sense."""
    return f"The parameters of {method} could not be read: {why}."


def one_argument(command: str) -> str:
    """A command was not given exactly one object."""
    return f"{command} takes one object as its only argument; see docs/protocol.md."


def run_or_uri(command: str) -> str:
    """A command was given neither a run nor a document."""
    return f"{command} takes the id of a run, or the uri of a document; see docs/protocol.md."


def unknown_command(command: str) -> str:
    """``workspace/executeCommand`` names something else."""
    return f"There is no command “{command}” here."


def changed_since() -> str:
    """Why a result cannot be applied, in an editor's list."""
    return "Changed since it was measured"


def untrusted_reason() -> str:
    """Why nothing is run, in an editor's list."""
    return "This folder is not trusted, so nothing of it is run"


def stale(name: str) -> str:
    """A result does not fit the text any more."""
    return f"“{name}” was edited where the result changes it, so nothing was applied. Choose “Optimize” again."


def stale_question(name: str) -> str:
    """The same, where it can be answered with a button."""
    return f"“{name}” was edited where the result changes it, so nothing was applied. Run again?"


def edited_meanwhile(name: str) -> str:
    """The text changed while its edit was made."""
    return f"“{name}” was edited while the change was made. Choose it again."


def untrusted(findings: int) -> str:
    """The end of a look at an untrusted folder."""
    start = "Nothing was run: this folder is not trusted."
    if findings == 0:
        return f"{start} Nothing slow was seen by reading alone; trust the folder to measure it."
    return f"{start} {findings} {'finding applies' if findings == 1 else 'findings apply'} without running it."


def not_a_file() -> str:
    """A document that is in no file."""
    return "This document is not a file on this machine, so it cannot be built. Save it as a .cpp or .c file first."


def unknown_run(run: str) -> str:
    """A client named a run that neither this session nor the journals know."""
    return f"There is no run “{run[:40]}” here; it may have been swept. Run again."


def forget_running(name: str) -> str:
    """A run that goes on is to be removed."""
    return f"“{name}” is still being optimised. Stop it first, then remove it."


def forget_failed(run: str) -> str:
    """The journal of a run could not be removed."""
    return f"Run “{run[:40]}” was not removed: another MaxCode is at it, or its journal cannot be deleted. Try again later."


def run_of_other_file(name: str) -> str:
    """A run is to go on for another file than its own."""
    return f"That run is about another file than “{name}”. Start a new one."


def nothing_to_apply(name: str) -> str:
    """Apply was asked for without a result."""
    return f"There is no faster version of “{name}” to apply."


def already_applied(name: str) -> str:
    """Apply was asked for twice."""
    return f"The faster version of “{name}” is already in the document."


def applied_is_wrong(name: str, why: str) -> str:
    """The check after applying found a difference."""
    return f"“{name}” was checked again after the change was applied, and it does not hold: {why} Undo it?"


def applied_is_slow(name: str, why: str) -> str:
    """The check after applying found no gain."""
    return f"“{name}” was measured again after the change was applied, and it is not faster here: {why} Undo it?"


def proven(name: str, speedup: str) -> str:
    """The end of a run with a result, for a message line: the rest is in the hover."""
    return f"“{name}”: {speedup} faster, proven. Choose “Apply” to take it."


def no_difference(name: str) -> str:
    """The end of a run without a result whose reason is too long for a message line."""
    return f"“{name}”: no measurable difference. “Why …” says more."


def applied_confirmed(name: str, speedup: str) -> str:
    """The check after applying says the same, for a message line."""
    return f"“{name}”: {speedup} confirmed as applied."


def applied_unchecked(name: str, why: str) -> str:
    """The check after applying could not be made."""
    return f"The change is in “{name}”, but it could not be checked again there: {why}"


def undo_stale(name: str) -> str:
    """The text was edited after the change that is to be undone."""
    return f"“{name}” was edited after the change was applied, so it was not undone. Use your editor's undo."


def copy_failed(name: str, why: str) -> str:
    """A version could not be written beside the cache."""
    return f"MaxCode’s version of “{name}” could not be written for comparing ({why}). Free some space and try again."


def copy_at(name: str, path: str) -> str:
    """Where a version is, for editors that cannot show it."""
    return f"MaxCode’s version of “{name}” is in {path}"


def is_copy() -> str:
    """A version that was written for comparing is open."""
    return "This is a version by MaxCode, for comparing only. Optimize the original."


def no_version(name: str) -> str:
    """Compare was asked for without a version."""
    return f"There is no faster version of “{name}” to compare with yet."


def background_limit(limit_s: float) -> str:
    """Something of the engine took too long."""
    return f"There was no answer within {limit_s / 60:.0f} min."


def server_closing() -> str:
    """Status while the server ends."""
    return "MaxCode is ending, because the editor asked for it."


def not_open(uri: str) -> str:
    """Status of a document that is not open."""
    return f"“{uri}” is not open here. Open it in the editor to have it served."


def not_trusted() -> str:
    """Status of an untrusted folder."""
    return "Nothing is run: this folder is not trusted. Trust it in the editor, or start a run and say yes."


def no_compiler(name: str) -> str:
    """Status where nothing can be built; ``name`` empty: none of the usual ones is there."""
    which = f"the compiler {name}" if name else "a C++ compiler"
    return f"Nothing can be built: {which} was not found on PATH. Install it (Debian: apt install g++) and try again."


def ready_to_start() -> str:
    """Status of a program that nothing is done with."""
    return "Ready: choose “Optimize” to start."


def still_running(name: str) -> str:
    """Why there is no improvement, asked too early."""
    return f"“{name}” is still being optimised, so there is no result to explain yet."


def unknown_candidate(run: str, candidate: str) -> str:
    """A candidate that a run does not know."""
    return f"Run “{run[:40]}” has no version “{candidate[:40]}” that can be shown."


def option_wrong(name: str, wanted: str) -> str:
    """Something in ``initializationOptions``."""
    return f"MaxCode: {name} should be {wanted}. It is ignored, and its default holds; see docs/protocol.md."


def secrets_wrong(place: str) -> str:
    """Keys that the client handed over; none of them is repeated."""
    return (
        f"MaxCode: {place} should be an object of keys by the names of environment variables, such as OPENAI_API_KEY. "
        "What is not is left out; see docs/protocol.md."
    )


def settings_wrong(sentences: Sequence[str]) -> str:
    """Mistakes in the settings that the editor sent; three are shown."""
    more = len(sentences) - 3
    said = [*sentences[:3], *([f"{more} more {'is' if more == 1 else 'are'} in the log."] if more > 0 else [])]
    return f"MaxCode settings in this editor: {' '.join(said)}"


def settings_slow(path: str) -> str:
    """The disk did not give a settings file in time."""
    return f"{path} or the folders above it could not be read in time; what was known before holds."


def trust_question(folder: str) -> str:
    """Asked once a folder, before anything of it is built or run."""
    return (
        f"Trust the folder {folder}? MaxCode builds and runs code from it, in a sandbox, to check and time each "
        "change. Without trust it only reads the code and runs nothing."
    )


def trust_not_kept(path: str) -> str:
    """A yes could not be written."""
    return f"Your answer holds until the editor is closed: {path} could not be written, so it will be asked again."


def tried(tally: str) -> str:
    """What became of the versions that were tried."""
    return f"Of what was tried: {tally}."


def cuda_is_coming() -> str:
    """A CUDA file was opened."""
    return "CUDA targets are coming; until then only C and C++ programs are made faster."


def other_language(language: str) -> str:
    """The editor says that a document is neither C nor C++."""
    return f"The editor takes this for “{language[:40]}”; only C and C++ programs are made faster. Set its language."


def start_users_own(keys: Sequence[str]) -> str:
    """A start gives settings that only the user may set."""
    what = f"{', '.join(keys)} {'is' if len(keys) == 1 else 'are'}"
    return (
        f"Nothing was started: {what} not taken from a single start, since your key or your money would go where "
        "others want. Put it into your own settings file or into the editor's settings."
    )


def nothing_chosen() -> str:
    """One of the questions before a start was left."""
    return "Nothing was started, because nothing was chosen."


def which_effort(name: str) -> str:
    """The first question; of each, the first answer is what is set."""
    return f"How hard should MaxCode try to make “{name}” faster? First: as set."


def effort_choice(effort: str, candidates: int) -> str:
    """An answer to it."""
    return f"{effort.capitalize()}: {candidates} candidates"


def budget_choice(candidates: int) -> str:
    """The answer where the settings name a number."""
    return f"As set: {candidates} {'candidate' if candidates == 1 else 'candidates'}"


def which_search(name: str) -> str:
    """The second question."""
    return f"How should MaxCode search for faster versions of “{name}”? First: as set."


def which_model(name: str) -> str:
    """The third question."""
    return f"Which language model should propose versions of “{name}”, besides the rules? First: as set."


def mixed_choice(names: Sequence[str]) -> str:
    """The answer where the settings name several models."""
    return f"As set: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}"

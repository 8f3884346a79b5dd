"""Sentences that editors show. Each says what happened, why, and what to do next; the tone is calm and exact."""

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


def unknown_command(command: str) -> str:
    """``workspace/executeCommand`` names something else."""
    return f"There is no command “{command}” here."


def optimize_title(name: str, *, again: bool = False) -> str:
    """The lightbulb's first entry."""
    return f"Optimize “{name}” {'again ' if again else ''}with MaxCode"


def inspect_title(name: str) -> str:
    """What is left where nothing may be run."""
    return f"Look for slow code in “{name}” with MaxCode (runs nothing)"


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


def continue_title(name: str, best: float | None, done: int, budget: int) -> str:
    """A run was interrupted by the end of its process."""
    so_far = f"best {best:.1f}×, " if best is not None else ""
    return f"Continue optimising “{name}” with MaxCode ({so_far}{done} of {budget} tried)"


def changed_since() -> str:
    """Why a result cannot be applied, in an editor's list."""
    return "Changed since it was measured"


def untrusted_reason() -> str:
    """Why nothing is run, in an editor's list."""
    return "This folder is not trusted, so nothing of it is run"


def stale(name: str) -> str:
    """A result does not fit the text any more."""
    return f"“{name}” changed since it was measured; the result no longer fits. Run again?"


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


def run_of_other_file(name: str) -> str:
    """A run is to go on for another file than its own."""
    return f"That run is about another file than “{name}”. Start a new one."


def nothing_to_apply(name: str) -> str:
    """Apply was asked for without a result."""
    return f"There is no faster version of “{name}” to apply."


def already_applied(name: str) -> str:
    """Apply was asked for twice."""
    return f"The faster version of “{name}” is already in the document."


def apply_label(name: str) -> str:
    """What an editor's undo list calls the edit."""
    return f"MaxCode: faster version of “{name}”"


def undo_label(name: str) -> str:
    """What an editor's undo list calls its removal."""
    return f"MaxCode: original version of “{name}”"


def hunk_label(what: str, worth: str) -> str:
    """One change in an editor's preview; ``worth`` is a speedup as text."""
    return "MaxCode" + (f": {what}" if what else "") + (f" ({worth} of it)" if worth else "")


def applied_is_wrong(name: str, why: str) -> str:
    """The check after applying found a difference."""
    return f"“{name}” was checked again after the change was applied, and it does not hold: {why} Undo it?"


def applied_is_slow(name: str, why: str) -> str:
    """The check after applying found no gain."""
    return f"“{name}” was measured again after the change was applied, and it is not faster here: {why} Undo it?"


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


def no_main(name: str) -> str:
    """Status of a file that is no program."""
    return f"“{name}” has no main function. MaxCode optimises whole programs; open the file that has it."


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


def trust_yes() -> str:
    """One answer to the question."""
    return "Trust this folder"


def trust_no() -> str:
    """The other; it is asked again at the next start."""
    return "Not now"


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

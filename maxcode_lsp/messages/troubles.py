"""Sentences people see where something of ours or of the machine did not go well: engine, journals, system."""

from __future__ import annotations

import os

from maxcode_lsp.messages import phrases


def reference_failed(why: str) -> str:
    return f"The original itself failed while it was timed, which it did not before: {why} The machine may be overloaded; run again."


def rebuild_failed(error: str) -> str:
    return f"A version that was built before could not be built again: {error} The machine may be short of memory; run again."


def journal_missing(run: str) -> str:
    return f"There is no journal of a run {run}: it was removed, or swept because of its age. “maxcode runs” lists all."


def no_such_run(run: str) -> str:
    return f"There is no run “{phrases.printable(run)[:60]}”. “maxcode runs” lists all."


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
    return f"Begun anew: {why}"


def source_changed(name: str) -> str:
    return f"“{name}” changed since that run."


def environment_changed() -> str:
    return "compiler, flags, machine or MaxCode itself are not those of before, so its measurements tell nothing now."


def system_says(why: str, path: object) -> str:
    """An error of the operating system about a file (``path`` None: about something else)."""
    about = "" if path is None else f" about {phrases.plain(os.fsencode(str(path)))}"
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


def not_inspected_in_time(limit_s: float) -> str:
    return f"The text was not looked through within {limit_s:g} s, so nothing is said about it."

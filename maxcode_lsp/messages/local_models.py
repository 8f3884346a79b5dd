"""Sentences about local models: their weights, and the servers that run them."""

from __future__ import annotations

from maxcode_lsp.messages.phrases import printable

PULL = "maxcode model pull"
EXTRA = "pip install 'maxcode-lsp[local]'"
FETCHING = "fetching"
CHECKING = "checking"


def size(count: int) -> str:
    """Bytes for people: ``1.12 GB``, ``491 MB``."""
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def so_much(here: int, whole: int) -> str:
    return f"{100 * here // whole} %: {size(here)} of {size(whole)}"


def no_such_local_model(name: str, known: str) -> str:
    return f"There is no local model “{printable(name)[:60]}”. There are: {known}."


def not_pulled(name: str) -> str:
    missing = f"The weights of the local model {name} are not" if name else "No weights of a local model are"
    return f"{missing} on this machine yet. Get them once with: {PULL}{f' {name}' if name else ''}"


def damaged(name: str) -> str:
    return f"The weights of {name} are not what they should be: their checksum is wrong. Get them again with: {PULL} {name}"


def library_missing() -> str:
    return f"Local models need xllamacpp, which is not installed. Get it with: {EXTRA}"


def client_missing() -> str:
    return f"the library httpx is not installed ({EXTRA} brings it)"


def too_little_memory(name: str, free: int, needed: int) -> str:
    return f"The local model {name} needs {size(needed)} of free memory and there are {size(free)}. Close something large, or use a smaller model: maxcode model list"


def server_not_started(name: str, why: str) -> str:
    return f"The server of the local model {name} cannot be started: {printable(why)}. Check the weights with: maxcode model list --check"


def server_too_slow(name: str, limit_s: float) -> str:
    return f"The server of the local model {name} was not ready within {limit_s:.0f} s. The machine may be very busy, or its disk slow; run again."


def server_keeps_dying(name: str) -> str:
    return f"The server of the local model {name} died several times in a row. The machine may be short of memory; use a smaller model: maxcode model list"


def servers_closed(name: str) -> str:
    return f"The server of the local model {name} is not started: MaxCode is ending."


def ended_with(code: int) -> str:
    return f"it ended at once with {f'signal {-code}' if code < 0 else f'exit code {code}'}"


def served_already(name: str) -> str:
    return f"The local model {name} is being served in another terminal already; runs use that one."


def pulling(title: str, owner: str, licence: str, licence_url: str, count: int, folder: str) -> str:
    return f"{title} Instruct (4 bits, Q4_K_M), by {owner}. Licence: {licence}, {licence_url}\n{size(count)} go to {printable(folder)}"


def going_on(here: int, whole: int) -> str:
    return f"{size(here)} of {size(whole)} are here from before; going on from there."


def pulled(name: str, count: int, fetched: int, elapsed_s: float) -> str:
    return f"{name} is here and whole: {size(count)}, {size(fetched)} of it fetched in {elapsed_s:.0f} s. Use it with: maxcode optimize FILE --model local"


def here_already(name: str) -> str:
    return f"{name} is here already and whole. Use it with: maxcode optimize FILE --model local"


def waiting_for_other_pull(name: str) -> str:
    return f"Another maxcode is getting {name} at this moment; waiting for it."


def other_pull_too_long(name: str) -> str:
    return f"Another maxcode has been getting {name} for very long. Stop it, or wait for its end and run again."


def source_failed(source: str, why: str) -> str:
    return f"Not from {source}: {printable(why)}."


def not_to_be_had(name: str, reasons: str) -> str:
    return f"{name} could not be fetched. {reasons} What came is kept; run “{PULL} {name}” again to go on."


def wrong_hash() -> str:
    return "what came has the wrong checksum and was thrown away"


def hub_offline() -> str:
    return "HF_HUB_OFFLINE is set"


def hub_unreachable(why: str) -> str:
    return f"it cannot be reached ({why})"


def hub_refuses(status: int) -> str:
    return f"it answers with status {status}"


def hub_broke_off(why: str) -> str:
    return f"the connection broke off again and again ({why})"


def other_file(expected: int, got: int) -> str:
    return f"it has another file of that name ({got} bytes, not {expected})"


def pip_missing() -> str:
    return "this Python has no pip"


def pip_failed(part: int, count: int, why: str) -> str:
    return f"pip could not get part {part} of {count} ({why.rstrip('.')})"


def pip_stalled(part: int, count: int, limit_s: float) -> str:
    return f"nothing of part {part} of {count} came for {limit_s:.0f} s"


def part_damaged(part: int, count: int) -> str:
    return f"part {part} of {count} is not what its own list of contents says"


def no_room(folder: str, needed: int, free: int) -> str:
    return f"There is no room for the weights: {size(needed)} are needed in {printable(folder)} and {size(free)} are free. Make room and run again; what is here already is kept."


def disk_full(folder: str) -> str:
    return f"The disk ran full while weights were written to {printable(folder)}. What came is kept; make room and run again."


def not_writable(folder: str, why: str) -> str:
    return f"Weights cannot be written to {printable(folder)}: {why}. Make the folder writable, or set XDG_CACHE_HOME."


def removed(name: str, freed: int) -> str:
    return f"Removed {name}: {size(freed)} are free again."


def nothing_to_remove(name: str) -> str:
    return f"Nothing of {name} is on this machine."


def being_pulled(name: str) -> str:
    return f"Another maxcode is getting {name} at this moment. Stop it, or wait for its end."


def serving(name: str, api_base: str, key_file: str) -> str:
    return (
        f"{name} is served at {api_base} until Ctrl-C. Runs with --model local on this machine find it by themselves.\n"
        f"Other programs: any OpenAI client with this address, the model name {name} and the key that stands in\n"
        f"{printable(key_file)}\n"
        "It stands still while maxcode measures."
    )


def serving_ended(name: str, why: str) -> str:
    return f"The server of {name} ended by itself: {why}. The machine may be short of memory."

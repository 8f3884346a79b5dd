"""``initializationOptions``: what a client may say at the start. Anything may stand there."""

from __future__ import annotations

from typing import Any, cast

from msgspec import Struct, field

from maxcode_lsp.messages import editors


class Options(Struct, frozen=True):
    """What was said; see ``docs/protocol.md``."""

    trusted: bool | None = None
    """Whether code of the open folders may be run. False: nobody is asked either. None: a person is asked."""
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    """As ``workspace/configuration`` would give them, under those."""
    run_changed: bool = False
    """Whether ``maxcode/runChanged`` is wanted."""
    buttons: bool = False
    """Whether the end of a run may be told with buttons. In some clients (Neovim) they interrupt typing."""


def read_options(given: Any) -> tuple[Options, tuple[str, ...], tuple[str, ...]]:
    """The options, sentences about what is wrong in them, and keys that mean nothing here. Never raises."""
    if given is None:
        return Options(), (), ()
    if not isinstance(given, dict):
        return Options(), (editors.option_wrong("initializationOptions", "an object"),), ()
    said = cast("dict[object, Any]", given)
    wrong: list[str] = []

    def take(name: str, kind: type, wanted: str, default: Any) -> Any:
        value = said.get(name)
        if value is None or isinstance(value, kind):
            return default if value is None else value
        wrong.append(editors.option_wrong(f"initializationOptions.{name}", wanted))
        return default

    options = Options(
        # What is neither yes nor no is no yes.
        trusted=take("trusted", bool, "true or false", None),
        settings=take("settings", dict, "an object", {}),
        run_changed=take("runChanged", bool, "true or false", False),
        buttons=take("buttons", bool, "true or false", False),
    )
    known = {"trusted", "settings", "runChanged", "buttons"}
    return options, tuple(wrong), tuple(str(key)[:60] for key in said if key not in known)

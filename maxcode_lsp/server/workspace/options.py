"""``initializationOptions``: what a client may say at the start. Anything may stand there."""

from __future__ import annotations

from typing import Any, cast

from msgspec import Struct, field

from maxcode_lsp.messages import editors
from maxcode_lsp.settings.checks import VARIABLE

MOST_SECRETS = 100
LONGEST_SECRET = 1 << 14


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
    comparing: bool = False
    """Whether the client shows comparisons itself, when ``maxcode/compare`` names them."""
    secrets: dict[str, str] = field(default_factory=dict[str, str])
    """Keys of model providers, by the name of the environment variable that each stands for."""

    def __repr__(self) -> str:
        """Without what it holds: it may get into a log."""
        return "Options(…)"


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
        comparing=take("comparing", bool, "true or false", False),
        secrets=read_secrets(said.get("secrets"), "initializationOptions.secrets", wrong),
    )
    known = {"trusted", "settings", "runChanged", "buttons", "comparing", "secrets"}
    return options, tuple(wrong), tuple(str(key)[:60] for key in said if key not in known)


def read_secrets(given: Any, place: str, wrong: list[str]) -> dict[str, str]:
    """The keys that a client handed over; ``wrong`` gets a sentence, without any of them, where something is no sense.

    ``place``: what the sentence is about. Names without a key are left out.
    """
    if given is None:
        return {}
    if not isinstance(given, dict):
        wrong.append(editors.secrets_wrong(place))
        return {}
    said = {name: key for name, key in cast("dict[object, Any]", given).items() if key is not None and key != ""}
    right = {name: key for name, key in said.items() if _is_secret(name, key)}
    if len(right) < len(said) or len(right) > MOST_SECRETS:
        wrong.append(editors.secrets_wrong(place))
    return cast("dict[str, str]", dict(list(right.items())[:MOST_SECRETS]))


def _is_secret(name: object, key: object) -> bool:
    named = isinstance(name, str) and VARIABLE.fullmatch(name) is not None
    return named and isinstance(key, str) and len(key) <= LONGEST_SECRET

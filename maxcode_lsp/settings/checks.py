"""What the schema cannot say about single values: patterns that compile, addresses that hold no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from maxcode_lsp.messages import refusals
from maxcode_lsp.settings.patterns import pattern

MOST_PATTERNS = 100
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,127}")
"""Name of an environment variable that holds a key. Capitals only: a pasted key has small letters, or a dash."""
_PROXIES = ("http", "https", "socks5", "socks5h")


def _patterns(key: str, value: Any) -> Any:
    patterns = cast("tuple[str, ...]", value)
    if len(patterns) > MOST_PATTERNS:
        raise ValueError(refusals.setting_too_many(key, MOST_PATTERNS))
    for text in patterns:
        try:
            pattern(text)
        except ValueError as error:
            raise ValueError(refusals.setting_bad_pattern(key, text, str(error))) from error
    return patterns


def _api_base(key: str, value: Any) -> Any:
    return _address(key, value, ("http", "https"), refusals.instead_of_secret_in_address())


def _proxy(key: str, value: Any) -> Any:
    return _address(key, value, _PROXIES, refusals.instead_of_secret_in_proxy())


def _address(key: str, value: str, schemes: tuple[str, ...], instead: str) -> str:
    """Settings are kept in journals and shown, so an address may hold no secret, and no sentence repeats it."""
    if not value:
        return value
    wrong = ValueError(refusals.setting_not_address(key, schemes))
    if not value.isascii() or not value.isprintable() or " " in value:
        raise wrong
    try:
        parts = urlsplit(value)
        named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        raise wrong from None
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(refusals.setting_holds_secret(key, instead))
    if parts.scheme not in schemes or not named:
        raise wrong
    return value


def _variable(key: str, value: Any) -> Any:
    if value and not VARIABLE.fullmatch(value):
        raise ValueError(refusals.setting_not_variable(key))
    return value


def _path(key: str, value: Any) -> Any:
    """Absolute, since nobody knows which folder another path would start from."""
    if not value:
        return value
    try:
        path = Path(value).expanduser()
    except RuntimeError:  # there is no such user
        path = Path(value)
    if not path.is_absolute():
        raise ValueError(refusals.setting_wrong(key, value, "an absolute path"))
    return str(path)


CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    "output.ignore": _patterns,
    "api_base": _api_base,
    "models.api_base": _api_base,
    "models.key_env": _variable,
    "llm.proxy": _proxy,
    "llm.ca": _path,
}
"""By key: takes the key and the value, gives the value that holds. Raises ValueError with a sentence about the key."""

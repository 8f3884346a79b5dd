"""What looks like a secret, whoever knows it: keys of well-known shapes, headers, passwords in addresses."""

from __future__ import annotations

import re

from maxcode_lsp.redaction.expressions import HIDDEN, Match, expression, hidden

BEFORE = r"(?:\b|\\[bfnrt]|\\u[0-9a-fA-F]{4})"
"""A word begins; in JSON it may come right after an escaped line end."""
_IS = r"[\\\"' ]*[:=,][\\\"' ]*b?[\\\"']*"
"""Between a name and its value: of a header, an assignment, JSON, or the ``repr`` of such."""
_KEY_BLOCK = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,.]|-[A-Za-z0-9])*"
    r"(?:-----END [A-Z0-9 ]{0,40}-----)?"
)
_NAME = r"(?i:(?:(?:api|access|account|subscription|secret)[-_ ]?)+key|client[-_ ]?secret|(?:access|auth)[-_ ]?token)"
_SHAPES = expression(
    # Nothing else looks like these.
    r"AIza[\w-]{35}",  # Google
    r"ya29\.[\w-]{20,}",
    r"gh[pousr]_\w{36,}",  # GitHub
    r"github_pat_\w{22,}",
    r"gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\w-]{20,}",  # GitLab
    r"xox[a-z]-[\w-]{10,}",  # Slack
    r"xapp-[\w-]{20,}",
    r"hooks\.slack\.com/services/[\w/]{20,}",
    r"hf_[A-Za-z0-9]{30,}",  # Hugging Face
    r"gsk_[A-Za-z0-9]{40,}",  # Groq
    r"(?:xai-|pplx-|nvapi-|csk-|r8_|fw_|tgp_v1_)[A-Za-z0-9][\w-]{30,}",
    r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?",  # JSON web tokens
    _KEY_BLOCK,
    # Only where the value in the group looks like chance, too: there is code that has such words.
    rf"{BEFORE}(sk-[\w-]{{16,}})",  # OpenAI, Anthropic and who copied them
    rf"{BEFORE}((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}})\b",  # AWS
    rf"(?i:authorization{_IS}(?:(?:bearer|basic|token) +)?)([\w.~+/=:-]{{8,}})",
    r"(?i:bearer +)([\w.~+/=-]{8,})",
    rf"{_NAME}(?i:{_IS})([\w.~+/=-]{{12,}})",
)
_PIECE = r"\\u[0-9a-fA-F]{4}"
_ADDRESS = expression(rf"://((?:[^\s\"'<>\\`/?#]|{_PIECE})*)((?:[^\s\"'<>\\`]|{_PIECE})*)")
_PARAMETER = re.compile(rb"([?&;#])([^=?&;#]*)=([^&;#]*[^&;#.,:!?)])")
"""Without what ends the sentence that it stands in."""
_SECRET_PARAMETER = re.compile(
    rb"(?i)(?:^|[-_])(?:apikey|key|token|secret|password|passwd|sig|signature|credential|auth|code)$"
)
_AZURE_MARK = b"JQQJ99"
_AZURE = expression(rf"[A-Za-z0-9]{{20,80}}{_AZURE_MARK.decode()}[A-Za-z0-9]{{8,80}}")


def without_shapes(data: bytes) -> bytes:
    """A text without what looks like a secret."""
    if _AZURE_MARK in data:  # too costly to look for everywhere, for it is known only by its middle
        data = _AZURE.sub(hidden, data)
    return _ADDRESS.sub(_without_user, _SHAPES.sub(_without_value, data))


def _without_value(match: Match) -> bytes:
    group = match.lastindex
    return match[0] if group and not _by_chance(match[group]) else hidden(match)


def _without_user(match: Match) -> bytes:
    user, at, host = match[1].rpartition(b"@")
    if b":" in user or _by_chance(user):
        user = HIDDEN.encode()
    return b"://" + user + at + host + _PARAMETER.sub(_without_secret, match[2])


def _without_secret(parameter: re.Match[bytes]) -> bytes:
    mark, name, value = parameter.groups()
    return mark + name + b"=" + (HIDDEN.encode() if _SECRET_PARAMETER.search(name) else value)


def _by_chance(value: bytes) -> bool:
    """Whether it looks like made by chance, rather than by a person who names things."""
    digits = sum(char in b"0123456789" for char in value)
    return digits > 1 or (digits == 1 and not value.islower()) or value.endswith(b"=")

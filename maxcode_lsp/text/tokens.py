"""C and C++ text as tokens: what stays when only white space changes.

Comments and literals are tokens, as they are. So is a whole preprocessing directive with its continuation lines:
what white space means in there is a matter of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

LOOKAHEAD = 32
"""No token depends on more bytes behind its own end: an R is one before a quote, 16 bytes of name, and a bracket."""

_LEXEME = re.compile(
    rb"""^[ \t\f\v]*(?P<directive>\#(?: //(?:\\\n|[^\n])* | /\*.*?(?:\*/|\Z) | "(?:\\.|[^"\\\n])*" | \\\n | [^\n] )*)
    | (?P<token> //(?:\\\n|[^\n])* | /\*.*?(?:\*/|\Z)
        | (?:u8|[uUL])?R"(?P<end>[^()\\\s"]{0,16})\(.*?(?:\)(?P=end)"\w*|\Z)
        | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*(?:"\w*)?
        | (?:u8|[uUL])?'(?:\\.|[^'\\\n])*(?:'\w*)?
        | \.?\d(?:[eEpP][+-]|'?[\w\x80-\xff]|\.)*
        | [A-Za-z_$\x80-\xff][\w$\x80-\xff]*
        | <=> | ->\* | \.\.\. | <<= | >>= | :: | -> | \.\* | \+\+ | -- | << | >> | && | \|\|
        | <: | :> | <% | %> | %: | \#\# | [-+*/%&|^!=<>]=
        | \S )""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class Token(Struct, frozen=True):
    """A token of a normalised text, at its offsets."""

    start: int
    end: int
    text: bytes


def tokens(data: bytes) -> list[Token]:
    """All tokens of a normalised text in their order. Never raises: what is no token is one, byte by byte."""
    return list(tokens_from(data, 0))


def tokens_from(data: bytes, at: int) -> Iterator[Token]:
    """Those behind the end of a token, or from the start of the text."""
    for match in _LEXEME.finditer(data, at):
        group = "directive" if match.group("directive") is not None else "token"
        yield Token(match.start(group), match.end(group), match.group(group))


def stay_apart(left: bytes, right: bytes) -> bool:
    """Whether two tokens remain two when nothing stands between them."""
    return [token.text for token in tokens(left + right)] == [left, right]

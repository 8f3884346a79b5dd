"""Where code stands in a reply: fenced and indented blocks as CommonMark has them; where that finds none that is any
good, fences as models misplace them, and code without any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

_DIRECTIVES = ("#include", "#define", "#pragma", "#if", "# include", "using namespace ", "int main(")
"""What a program without a fence begins with."""
_LAST = ("}", "};", ";", "*/")
_MOST_ENDS = 6
"""Later ends of one fence that are looked at; a raw string rarely holds more."""


class Block(Struct, frozen=True):
    """A piece of a reply that may be code."""

    code: str
    info: str = ""
    """What stands behind the opening fence."""
    fenced: bool = True
    closed: bool = True
    """False: the reply ends within the fence."""
    first: int = 0
    """Line of the reply that it begins on, its fence included; from 0."""
    end: int = 0
    """The line behind it."""

    @property
    def language(self) -> str:
        """The first word of ``info``, plain: ``cpp`` for ``{.CPP .numberLines}`` and ``cpp title="a.cpp"``."""
        words = self.info.replace(",", " ").replace(":", " ").strip("{ ").split()
        return words[0].strip("{}.").lower() if words else ""


def parsed(text: str) -> list[Token]:
    """The blocks of a reply in CommonMark, HTML and link definitions read as words: a fence behind a tag is a fence."""
    return _parser().parse(text)


def blocks(tokens: Sequence[Token], text: str) -> list[Block]:
    """Fenced and indented code, in its order."""
    lines = text.split("\n")
    found: list[Block] = []
    for token in tokens:
        if token.type not in {"fence", "code_block"} or token.map is None:
            continue
        first, end = token.map
        last = lines[end - 1].strip(" \t>") if end <= len(lines) else ""
        fenced = token.type == "fence"
        closed = not fenced or (end - 1 > first and _ends(last, token.markup))
        found.append(Block(token.content, token.info, fenced, closed, first, end))
    return found


def misplaced(text: str) -> list[Block]:
    """Fences wherever in a line they begin, each up to the next that ends it."""
    lines = text.split("\n")
    found: list[Block] = []
    at = 0
    while at < len(lines):
        mark, info = _fence(lines[at])
        if not mark:
            at += 1
            continue
        end = next((n for n in range(at + 1, len(lines)) if _ends(lines[n].strip(" \t>"), mark)), len(lines))
        code = _content(lines, at, end)
        found.append(Block(code, info, first=at, end=min(end + 1, len(lines)), closed=end < len(lines)))
        at = end + 1
    return found


def longer(block: Block, text: str) -> list[Block]:
    """The same block up to each of the next ends of a fence: what ended it may stand in a raw string."""
    lines = text.split("\n")
    mark, info = _fence(lines[block.first])
    if not mark:
        return []
    found: list[Block] = []
    for end in range(block.end, len(lines)):
        if _ends(lines[end].strip(" \t>"), mark):
            found.append(Block(_content(lines, block.first, end), info, first=block.first, end=end + 1))
            if len(found) == _MOST_ENDS:
                break
    return found


def bare(text: str) -> list[Block]:
    """Code without a fence, or before the only one, which then is the end of a fence that was not begun."""
    lines = text.split("\n")
    end = next((n for n, line in enumerate(lines) if _fence(line)[0]), len(lines))
    closed = end < len(lines)
    begin = next((n for n, line in enumerate(lines[:end]) if line.lstrip().startswith(_DIRECTIVES)), None)
    if begin is None:
        return []
    while begin and lines[begin - 1].lstrip().startswith(("//", "/*", "* ", "*/")):
        begin -= 1
    last = next((n for n in range(end - 1, begin, -1) if lines[n].rstrip().endswith(_LAST)), end - 1)
    return [Block("\n".join(lines[begin : last + 1]), fenced=False, closed=closed, first=begin, end=end + closed)]


def is_fence(line: str) -> bool:
    """Whether a line of code would begin or end a fence."""
    return bool(_fence(line)[0])


def starts(code: bytes, begins: Callable[[str], bool]) -> list[int]:
    """Offsets of the first characters of the lines for which ``begins`` is true."""
    found: list[int] = []
    at = 0
    for line in code.split(b"\n"):
        if begins(line.decode(errors="replace")):
            found.append(at + len(line) - len(line.lstrip()))
        at += len(line) + 1
    return found


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.disable(["html_block", "reference"])


def _fence(line: str) -> tuple[str, str]:
    """The mark and the info of a line that begins a fence; empty marks for any other line."""
    stripped = line.lstrip(" \t>")
    mark = stripped[: len(stripped) - len(stripped.lstrip(stripped[:1]))] if stripped[:1] in {"`", "~"} else ""
    info = stripped[len(mark) :].strip()
    return (mark, info) if len(mark) >= 3 and "`" not in info else ("", "")


def _ends(stripped: str, mark: str) -> bool:
    return len(stripped) >= len(mark) and not stripped.strip(mark[0])


def _content(lines: list[str], first: int, end: int) -> str:
    """Lines within a fence."""
    return "".join(f"{line}\n" for line in without_lead(lines[first + 1 : end], lines[first]))


def without_lead(lines: Sequence[str], head: str) -> Sequence[str]:
    """Lines without the indentation of the line above them, where all have it."""
    lead = head[: len(head) - len(head.lstrip(" \t"))]
    if not lead or any(line.strip() and not line.startswith(lead) for line in lines):
        return lines
    return [line.removeprefix(lead) for line in lines]

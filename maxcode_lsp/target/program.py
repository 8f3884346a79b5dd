"""What the text of a program says about it before anything is run: is it one, and what does it read?

All is told with comments and literals masked, and with caution: a program *reads standard input* when
it could.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import tree_sitter_cpp
from msgspec import Struct
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from maxcode_lsp.errors import Refused
from maxcode_lsp.messages import refusals
from maxcode_lsp.settings.file import is_file
from maxcode_lsp.text.source import SourceText

LARGEST_BYTES = 2_000_000
MOST_HEADERS = 64
"""Headers of the program's own that are looked through for reads of standard input."""

PARSING_LIMIT_S = 10.0
DEEPEST = 1000
"""Brackets inside brackets; compilers are made for some hundred."""

CPP = Grammar(tree_sitter_cpp.language())
_LEXEME = re.compile(
    rb"""(?P<masked> //(?:\\\n|[^\n])* | /\*.*?(?:\*/|\Z)
        | (?<!\w)(?:u8|[uUL])?R"(?P<end>[^()\\\s"]{0,16})\(.*?(?:\)(?P=end)"|\Z)
        | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'? )
    | (?<![\w.])\.?\d[\w.]{0,40}(?:'[\w.]{1,40})+""",
    re.VERBOSE | re.DOTALL,
)
"""Comments and literals, and numbers such as ``1'000``, in which no literal starts."""
_AROUND_MAIN = frozenset(
    {
        "translation_unit",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "preproc_elifdef",
        "linkage_specification",
        "declaration_list",
    }
)
_READS = re.compile(
    rb"""\b( w?cin | stdin | STDIN_FILENO | v?w?scanf(_s)? | getw?char(_unlocked)? | gets(_s)? | syscall )\b
    | (?<![\w.>:]) (::)? ( p?readv? | fstat | fdopen | dup2? | lseek ) \s* \( \s* 0 \s* [,)]
    | (?<![\w.>:]) (::)? mmap \s* \( [^;]{0,400} , \s* 0 \s* , [^,;]{0,100} \)""",
    re.VERBOSE,
)
_STDIN_FILES = (b"/dev/stdin", b"/dev/fd/0", b"/proc/self/fd/0")
_MACRO_MAIN = re.compile(
    rb"^[ \t]*#[ \t]*define\b[^\n]*\bmain\b|^[ \t]*\w{0,60}MAIN\w{0,60}[ \t]*(\([^\n]*\))?[ \t]*[;{]?[ \t]*$",
    re.MULTILINE,
)
_MAIN_SOMEWHERE = re.compile(rb"(?<![\w.>:])main\s*\(")
_OWN_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


class Language(str, Enum):
    """The language of a translation unit, from its suffix."""

    C = "C"
    CPP = "C++"


SUFFIXES = {".c": Language.C} | dict.fromkeys((".cpp", ".cc", ".cxx", ".c++", ".cp", ".C", ".CPP"), Language.CPP)


class SyntaxTrouble(Struct, frozen=True):
    """The first place that the grammar does not understand. The compiler may well do."""

    line: int
    """From 1."""
    text: str
    """The line, bounded."""


class ProgramFacts(Struct, frozen=True):
    """What is known about a program from its text."""

    language: Language
    reads_stdin: bool
    uses_arguments: bool
    """``main`` names its arguments and they are used."""
    syntax_trouble: SyntaxTrouble | None


def language_of(path: Path) -> Language:
    """C or C++. Raises Refused for any other suffix."""
    language = SUFFIXES.get(path.suffix)
    if language is None:
        raise Refused(refusals.not_a_source_file(path.name))
    return language


def read_program(path: Path) -> SourceText:
    """The text of a file. Raises Refused where it is not an ordinary, readable file of sane size."""
    language_of(path)
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Refused(refusals.not_an_ordinary_file(path.name))
            raw = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise Refused(refusals.file_unreadable(str(path), error.strerror or "it cannot be read")) from error
    if len(raw) > LARGEST_BYTES:
        raise Refused(refusals.source_too_large(path.name, LARGEST_BYTES))
    return SourceText(raw)


def find_program(source: SourceText, path: Path) -> ProgramFacts:
    """The facts about the program in ``source``, found at ``path``.

    Raises Refused for a file that is empty, too large, not text, or has no ``main``.
    """
    language = language_of(path)
    if len(source.raw) > LARGEST_BYTES:
        raise Refused(refusals.source_too_large(path.name, LARGEST_BYTES))
    if not source.data.strip():
        raise Refused(refusals.source_empty(path.name))
    if b"\0" in source.data:
        raise Refused(refusals.source_not_text(path.name))
    masked = mask(source.data)
    if depth(masked) > DEEPEST:
        raise Refused(refusals.nested_too_deeply(path.name, DEEPEST))
    root = _parse(source.data, path)
    mains = list(_mains(root))
    # Where braces are amiss, the tree puts main anywhere; the compiler then has the better words.
    likely = _MACRO_MAIN.search(masked) or (root.has_error and _MAIN_SOMEWHERE.search(masked))
    if not mains and not likely:
        raise Refused(refusals.no_main(path.name))
    return ProgramFacts(
        language=language,
        reads_stdin=_reads(source.data, masked) or _headers_read(source.data, path.parent),
        uses_arguments=any(_uses_arguments(node, masked) for node in mains),
        syntax_trouble=_trouble(source, root),
    )


def uses_arguments(source: SourceText) -> bool:
    """Whether ``main`` names its arguments and they are used. False where the text cannot be parsed in time."""
    try:
        root = _parse(source.data, Path("source"))
    except Refused:
        return False
    masked = mask(source.data)
    return any(_uses_arguments(node, masked) for node in _mains(root))


def mask(data: bytes) -> bytes:
    """The text with comments and literals blanked, at the same offsets and on the same lines."""

    def blank(found: re.Match[bytes]) -> bytes:
        return re.sub(rb"[^\n]", b" ", found.group()) if found.group("masked") is not None else found.group()

    return _LEXEME.sub(blank, data)


def depth(masked: bytes) -> int:
    """How deep brackets stand inside each other, in a masked text."""
    inside = deepest = 0
    for bracket in re.findall(rb"[](){}[]", masked):
        inside += 1 if bracket in b"([{" else -1
        deepest = max(deepest, inside)
    return deepest


def _parse(data: bytes, path: Path) -> Node:
    """The tree. Raises Refused where it takes too long, which code that people write does not."""
    end_s = time.monotonic() + PARSING_LIMIT_S
    try:
        # Only a parse through a callback can be stopped.
        tree = Parser(CPP).parse(
            lambda offset, _: data[offset : offset + 65536],
            progress_callback=lambda _offset, _error: time.monotonic() > end_s,
        )
    except ValueError:
        raise Refused(refusals.not_parsed_in_time(path.name, PARSING_LIMIT_S)) from None
    return tree.root_node


def _mains(root: Node) -> Iterator[Node]:
    """Definitions of ``main`` at the top, also behind ``#if`` (but not ``#if 0``)."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        condition = node.child_by_field_name("condition") if node.type == "preproc_if" else None
        if condition is not None and condition.text == b"0":
            other = node.child_by_field_name("alternative")
            waiting += [other] if other is not None else []
        elif node.type in _AROUND_MAIN:
            waiting += node.named_children
        elif node.type == "function_definition":
            declarator = node.child_by_field_name("declarator")
            name = declarator.child_by_field_name("declarator") if declarator is not None else None
            if name is not None and name.text == b"main":
                yield node


def _uses_arguments(main: Node, masked: bytes) -> bool:
    declarator = main.child_by_field_name("declarator")
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    body = main.child_by_field_name("body")
    if parameters is None or body is None:
        return False
    names = re.findall(
        rb"([A-Za-z_]\w*)\s*(?:\[\s*\])?\s*(?=[,)])", masked[parameters.start_byte : parameters.end_byte]
    )
    inside = masked[body.start_byte : body.end_byte]
    return any(re.search(rb"\b" + name + rb"\b", inside) for name in names if name != b"void")


def _reads(data: bytes, masked: bytes) -> bool:
    return _READS.search(masked) is not None or any(name in data for name in _STDIN_FILES)


def _headers_read(data: bytes, folder: Path) -> bool:
    """Whether one of the program's own headers, by ``#include "…"``, reads standard input."""
    waiting = [folder / os.fsdecode(name) for name in _OWN_INCLUDE.findall(data)]
    seen: set[Path] = set()
    while waiting and len(seen) < MOST_HEADERS:
        header = waiting.pop()
        if header in seen or not is_file(header):
            continue
        seen.add(header)
        try:
            with header.open("rb") as file:
                text = file.read(LARGEST_BYTES)
        except OSError:
            continue
        if _reads(text, mask(text)):
            return True
        waiting += [header.parent / os.fsdecode(name) for name in _OWN_INCLUDE.findall(text)]
    return False


def _trouble(source: SourceText, root: Node) -> SyntaxTrouble | None:
    node: Node | None = root if root.has_error else None
    if node is None:
        return None
    while not node.is_error and not node.is_missing:
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    line = source.line_at(node.start_byte)
    return SyntaxTrouble(line, source.lines[line - 1].decode(errors="replace").strip()[:120])

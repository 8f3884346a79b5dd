"""What the text of a program says about it before anything is run: is it one, and what does it read?

Everything here is told from the syntax tree with comments and literals masked, and is cautious: a
program *reads standard input* when it could.
"""

from __future__ import annotations

import os
import re
import stat
from enum import Enum
from pathlib import Path

import tree_sitter_cpp
from msgspec import Struct
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor

from maxcode_lsp import refusals
from maxcode_lsp.errors import Refused
from maxcode_lsp.settings.file import is_file
from maxcode_lsp.text.source import SourceText

LARGEST_BYTES = 2_000_000
MOST_HEADERS = 64
"""Headers of the program's own that are looked through for reads of standard input."""

CPP = Grammar(tree_sitter_cpp.language())
_MAINS = Query(CPP, '(function_declarator declarator: (identifier) @name (#eq? @name "main")) @main')
_MASKED = Query(CPP, "[(comment) (string_literal) (raw_string_literal) (char_literal)] @masked")
_TROUBLE = Query(CPP, "[(ERROR) (MISSING)] @trouble")

_READS = re.compile(
    rb"""\b( w?cin | stdin | STDIN_FILENO | v?w?scanf(_s)? | getw?char(_unlocked)? | gets(_s)? | syscall )\b
    | (?<![\w.>:]) (::)? ( p?readv? | fstat | fdopen | dup2? | lseek ) \s* \( \s* 0 \s* [,)]
    | (?<![\w.>:]) (::)? mmap \s* \( [^;]* , \s* 0 \s* , [^,;]* \)""",
    re.VERBOSE,
)
_STDIN_FILES = (b"/dev/stdin", b"/dev/fd/0", b"/proc/self/fd/0")
_MACRO_MAIN = re.compile(
    rb"^[ \t]*#[ \t]*define\b[^\n]*\bmain\b|^[ \t]*\w*MAIN\w*[ \t]*(\([^\n]*\))?[ \t]*[;{]?[ \t]*$", re.MULTILINE
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
    root = Parser(CPP).parse(source.data).root_node
    masked = _mask(source.data, root)
    mains = [node for node in QueryCursor(_MAINS).captures(root).get("main", []) if _is_program_main(node)]
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


def _mask(data: bytes, root: Node) -> bytes:
    """The text with comments and literals blanked, at the same offsets."""
    masked = bytearray(data)
    for node in QueryCursor(_MASKED).captures(root).get("masked", []):
        blank = re.sub(rb"[^\n]", b" ", data[node.start_byte : node.end_byte])
        masked[node.start_byte : node.end_byte] = blank
    return bytes(masked)


def _is_program_main(node: Node) -> bool:
    """Whether a declarator of ``main`` is a definition at the top, also behind ``#if`` (but not ``#if 0``)."""
    up = node.parent
    if up is None or up.type not in ("function_definition", "ERROR"):
        return False
    while up.parent is not None:
        inner, up = up, up.parent
        if up.type in ("namespace_definition", "field_declaration_list", "compound_statement", "template_declaration"):
            return False
        condition = up.child_by_field_name("condition") if up.type == "preproc_if" else None
        if condition is not None and condition.text == b"0" and inner.type not in ("preproc_else", "preproc_elif"):
            return False
    return True


def _uses_arguments(main: Node, masked: bytes) -> bool:
    parameters = main.child_by_field_name("parameters")
    body = main.parent.child_by_field_name("body") if main.parent else None
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
        if _reads(text, _mask(text, Parser(CPP).parse(text).root_node)):
            return True
        waiting += [header.parent / os.fsdecode(name) for name in _OWN_INCLUDE.findall(text)]
    return False


def _trouble(source: SourceText, root: Node) -> SyntaxTrouble | None:
    if not root.has_error:
        return None
    nodes = QueryCursor(_TROUBLE).captures(root).get("trouble", [])
    if not nodes:
        return None
    line = source.line_at(min(node.start_byte for node in nodes))
    return SyntaxTrouble(line, source.lines[line - 1].decode(errors="replace").strip()[:120])

"""Whether a text is a whole program, measured by the one that was shown."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

import tree_sitter_cpp
from msgspec import Struct
from tree_sitter import Language, Node, Parser

from maxcode_lsp.messages import replies as complaints
from maxcode_lsp.policy.llm.replies.reply import ReplyEnd
from maxcode_lsp.text.tokens import Token, tokens

PARSING_LIMIT_S = 5.0
DEEPEST = 1000
"""Brackets inside brackets, as of a program that is read from a file."""

_CPP = Language(tree_sitter_cpp.language())
_PAIRS = {b")": b"(", b"]": b"[", b"}": b"{"}
_OTHER_MAINS = frozenset({b"fn", b"func", b"fun", b"def", b"function", b"::", b".", b"->", b"return", b"="})
"""Before a ``main`` that is not one of C++, or only called."""
_AROUND = frozenset(
    """
    translation_unit preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef linkage_specification
    declaration_list namespace_definition template_declaration ERROR
    """.split()  # noqa: SIM905 - a list of so many quoted words cannot be read
)
_TYPES = ("class_specifier", "struct_specifier", "union_specifier", "enum_specifier")
_DOTS_FIRST = re.compile(r"^\W*(\.{3}|…)")
_DOTS_LAST = re.compile(r"(\.{3}|…)\W*$")
_LEFT_OUT = re.compile(
    r"\b(rest|remain\w*|existing|unchanged|same|previous|omitted|other|original|before|above|your|more|here|code)\b",
    re.IGNORECASE,
)
_WHAT = re.compile(
    r"""^\W*(the\ )?(rest|remain\w*|existing|previous|original|other|your|more|same|omitted|unchanged)\b
        .*\b(code|functions?|program|implementation|includes?|methods?|definitions?|class|main)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_SAID_SO = re.compile(
    r"""^\W*( (the\ )?(rest|remainder)\ of\ .*\b(code|program|file|functions?|main|class|unchanged|same)\b
        | (the\ )?remaining\ (code|functions?|program|part).*
        | (existing|previous|original|unchanged)\ (code|functions?|implementation|program|includes?).*
        | (same|unchanged|identical)(\ code)?(\ (as|to|from)\ .*)?
        | .*\b(remains?|stays?|is|are)\ (unchanged|the\ same)
        | .*\b(omitted|unchanged|goes\ here|your\ code\ here|code\ here) ) \W*$""",
    re.VERBOSE | re.IGNORECASE,
)


class Flaw(Struct, frozen=True):
    """Why a text is no program."""

    end: ReplyEnd
    complaint: str
    open: bool = False
    """It ends before its brackets are closed."""
    part: bool = False
    """It has no ``main``: it may be meant as an example."""


class Program:
    """A normalised text and what it says about itself."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def tokens(self) -> list[Token]:
        """All, comments among them."""
        return tokens(self.data)

    @cached_property
    def essence(self) -> list[bytes]:
        """The tokens without comments, white space in directives evened out."""
        return [_even(token.text) for token in self.tokens if not token.text.startswith((b"//", b"/*"))]

    @cached_property
    def comments(self) -> list[Token]:
        """Comments, in their order."""
        return [token for token in self.tokens if token.text.startswith((b"//", b"/*"))]

    @cached_property
    def bracket(self) -> tuple[bytes, bool]:
        """The first bracket (or comment, or literal) that has no other half, and whether it is one that opens; empty
        where all have.
        """
        waiting: list[bytes] = []
        for token in self.tokens:
            text = token.text
            if text in {b"(", b"[", b"{"}:
                waiting.append(text)
            elif text in _PAIRS:
                if not waiting or waiting.pop() != _PAIRS[text]:
                    return text, False
            elif text.startswith(b"#"):
                if re.match(rb"#\s*if", text):
                    waiting.append(b"#if")
                elif re.match(rb"#\s*endif", text) and (not waiting or waiting.pop() != b"#if"):
                    return b"#endif", False
        last = self.tokens[-1].text if self.tokens else b""
        if last.startswith(b"/*") and (len(last) < 4 or not last.endswith(b"*/")):
            waiting.append(b"/*")
        if (raw := re.match(rb'\w{0,2}R"([^()\\\s"]{0,16})\(', last)) and b")" + raw.group(1) + b'"' not in last:
            waiting.append(b'R"')
        return (waiting[-1], True) if waiting else (b"", False)

    @cached_property
    def open(self) -> Counter[bytes]:
        """How many more brackets open than close, by their kind, wherever they stand."""
        opened = Counter(token.text for token in self.tokens if token.text in {b"(", b"[", b"{"})
        opened.subtract(_PAIRS[token.text] for token in self.tokens if token.text in _PAIRS)
        opened.update({b"#if": sum(re.match(rb"#\s*if", token.text) is not None for token in self.tokens)})
        opened.subtract({b"#if": sum(re.match(rb"#\s*endif", token.text) is not None for token in self.tokens)})
        return opened

    @cached_property
    def deepest(self) -> int:
        """How many brackets stand inside each other."""
        depth = most = 0
        for token in self.tokens:
            depth += (token.text in {b"(", b"[", b"{"}) - (token.text in _PAIRS)
            most = max(most, depth)
        return most

    @cached_property
    def has_main(self) -> bool:
        """Whether it defines ``main``, as C and C++ do."""
        depth = 0
        essence = self.essence
        for at, text in enumerate(essence):
            if text in {b"{", b"}"}:
                depth += 1 if text == b"{" else -1
            elif text == b"main" and depth == 0 and essence[at + 1 : at + 2] == [b"("]:
                behind = _behind_parentheses(essence, at + 1)
                if (not at or essence[at - 1] not in _OTHER_MAINS) and behind in {b"{", b"try", b"noexcept", b"->"}:
                    return True
        return False

    @cached_property
    def root(self) -> Node | None:
        """The syntax tree; None where parsing takes too long."""
        end_s = time.monotonic() + PARSING_LIMIT_S
        try:
            # Only a parse through a callback can be stopped.
            tree = Parser(_CPP).parse(
                lambda offset, _: self.data[offset : offset + 65536],
                progress_callback=lambda _offset, _error: time.monotonic() > end_s,
            )
        except ValueError:
            return None
        return tree.root_node

    @cached_property
    def broken_line(self) -> str:
        """The line of the place at its end that does not parse; empty: there is none."""
        node = self.root
        while node is not None and node.has_error:
            inner = next((child for child in reversed(node.children) if child.type != "comment"), None)
            if node.is_error or inner is None or inner.is_missing or inner.is_error:
                at = (inner or node).start_byte
                return self.data[at : self.data.find(b"\n", at) % (len(self.data) + 1)].decode(errors="replace")
            node = inner
        return ""

    @cached_property
    def defined(self) -> frozenset[bytes]:
        """Functions and types that it defines at namespace level."""
        found: set[bytes] = set()
        for node in _at_namespace_level(self.root):
            if node.type == "function_definition":
                found |= {name for name in [self.said(_function_name(node))] if b"::" not in name}
            for kind in (node, node.child_by_field_name("type")):
                name = kind.child_by_field_name("name") if kind is not None and kind.type in _TYPES else None
                if kind is not None and kind.child_by_field_name("body") is not None and name is not None:
                    found.add(self.said(name))
        return frozenset(found - {b"", b"main"})

    def said(self, node: Node | None) -> bytes:
        """The text of a node. Its own ``text`` would ask for the whole source again."""
        return self.data[node.start_byte : node.end_byte] if node is not None else b""

    def stray(self, starts: Sequence[int]) -> bool:
        """Whether one of the places is outside of comments and literals. ``starts`` ascend."""
        at = 0
        for start in starts:
            while at < len(self.tokens) and self.tokens[at].end <= start:
                at += 1
            token = self.tokens[at] if at < len(self.tokens) else None
            if token is None or token.start >= start or token.text.startswith(b"#"):
                return True
        return False


@lru_cache(maxsize=4)
def program_of(data: bytes) -> Program:
    """A text, read once: several replies are held against the same, and a reply is looked at several times."""
    return Program(data)


def flaw(program: Program, shown: Program) -> Flaw | None:
    """Why a text is no whole program, or None. What is odd in the text that was shown may be odd here, too."""
    bracket, opens = program.bracket
    if program.deepest > max(DEEPEST, shown.deepest):
        return Flaw(ReplyEnd.NOT_A_PROGRAM, complaints.too_deep(), open=opens)
    if program.open != shown.open if shown.bracket[0] else bracket:
        name = bracket.decode()
        said = complaints.brackets_open(name) if opens else complaints.brackets_amiss(name)
        return Flaw(ReplyEnd.NOT_A_PROGRAM, said, open=opens, part=not program.has_main)
    includes = b"#include" in shown.data and b"#include" not in program.data
    if not program.has_main and (shown.has_main or includes or b"main" not in program.data):
        return Flaw(ReplyEnd.NOT_A_PROGRAM, complaints.no_main(), part=True)
    if (left_out := _left_out(program, shown)) is not None:
        return Flaw(ReplyEnd.NOT_A_PROGRAM, complaints.placeholder(left_out))
    if program.root is None or (program.broken_line and not shown.broken_line):
        return Flaw(ReplyEnd.NOT_A_PROGRAM, complaints.broken_end(program.broken_line))
    if (gone := _gone(program, shown)) is not None:
        return Flaw(ReplyEnd.NOT_A_PROGRAM, complaints.no_longer_defined(gone))
    return None


def _left_out(program: Program, shown: Program) -> str | None:
    """The line that stands for code that was left out."""
    known = {comment.text.strip() for comment in shown.comments}
    fewer = bool(shown.defined - program.defined)
    for comment in program.comments:
        if comment.text.strip() in known or len(comment.text) > 200:
            continue
        said = comment.text.decode(errors="replace").strip("/* \t\n")
        first, last = _DOTS_FIRST.search(said), _DOTS_LAST.search(said)
        certain = (first and (_LEFT_OUT.search(said) or not re.search(r"\w", said))) or (last and _WHAT.search(said))
        likely = _SAID_SO.search(said) or (last and _LEFT_OUT.search(said))
        if certain or (likely and (fewer or _alone(program.data, comment))):
            return comment.text.decode(errors="replace")
    dots = [token for token in program.tokens if token.text == b"..." and _alone_on_line(program.data, token)]
    return "..." if dots and not any(token.text == b"..." for token in shown.tokens) else None


def _alone(data: bytes, comment: Token) -> bool:
    """Whether it is all that a pair of braces holds."""
    before, behind = data[max(0, comment.start - 200) : comment.start], data[comment.end : comment.end + 200]
    return before.rstrip().endswith(b"{") and behind.lstrip().startswith(b"}")


def _alone_on_line(data: bytes, token: Token) -> bool:
    start, end = data.rfind(b"\n", 0, token.start) + 1, data.find(b"\n", token.end) % (len(data) + 1)
    return data[start:end].strip() == token.text


def _gone(program: Program, shown: Program) -> str | None:
    """A function or type that the shown program defines and this one only uses."""
    if program.root is None or program.root.has_error:
        return None  # what does not parse may be the definition; the compiler knows better
    lost = shown.defined - program.defined
    if not lost:
        return None
    used: set[bytes] = set()
    given: set[bytes] = set()
    waiting = [program.root]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        if not node.child_count and (name := program.said(node)) in lost:
            (used if _is_use(node) else given).add(name)
    return next((name.decode(errors="replace") for name in sorted(used - given)), None)


def _is_use(leaf: Node) -> bool:
    """Whether a name is called, or stands for a type, where it is not introduced. A prototype introduces nothing."""
    up = leaf.parent
    if up is None:
        return False
    if leaf.type == "identifier":
        return up.type in {"call_expression", "function_declarator"}
    named = up.child_by_field_name("name")
    introduced = (
        named is not None and named.id == leaf.id and not (up.type in _TYPES and up.child_by_field_name("body") is None)
    )
    return leaf.type == "type_identifier" and not introduced and up.type != "type_definition"


def _at_namespace_level(root: Node | None) -> Iterator[Node]:
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if node.type in _AROUND:
            waiting += node.named_children
        else:
            yield node


def _function_name(definition: Node) -> Node | None:
    declarator = definition.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or next(
            (child for child in declarator.named_children if child.type.endswith("declarator")), None
        )
    return declarator.child_by_field_name("declarator") if declarator is not None else None


def _behind_parentheses(essence: Sequence[bytes], at: int) -> bytes:
    depth = 0
    for text in essence[at : at + 400]:
        if depth == 0 and text != b"(":
            return text
        depth += (text == b"(") - (text == b")")
    return b""


def _even(text: bytes) -> bytes:
    return b" ".join(re.sub(rb"\\\n|/\*.*?\*/|//.*", b" ", text).split()) if text.startswith(b"#") else text

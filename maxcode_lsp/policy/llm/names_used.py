"""Which standard names a text uses, told by its tokens: no name that could be the text's own counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from maxcode_lsp.policy.llm.standard_names import Kind, StandardName, standard_names
from maxcode_lsp.text.tokens import tokens

FARTHEST_TOKENS = 64
"""How far the arguments of a template are followed."""

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff]")
_DEFINE = re.compile(rb"#\s*define\s+(\w+)(\([^()]*\))?")
_INCLUDE = re.compile(rb'#\s*(?:include|include_next|import)\s*(<[^<>\n]*>|"[^"\n]*")')
_BEFORE_VALUES = frozenset(
    b"return else do throw case co_return co_await co_yield and or not xor bitand bitor compl not_eq new delete goto "
    b"sizeof if while for switch".split()
)
"""Words that an expression may follow."""
_BEFORE_TYPES = _BEFORE_VALUES | frozenset(
    b"const volatile static constexpr constinit consteval inline mutable extern register thread_local friend virtual "
    b"explicit typedef public private protected operator noexcept final override using".split()
)
"""Words that a type may follow; ``using`` before a name that is its own is told apart by ``=`` behind it."""
_BEFORE_OWN = frozenset(b"class struct union enum namespace typename concept".split())
_TYPE_ENDS = frozenset({b"*", b"&", b"&&"})
_IN_ARGUMENTS = frozenset({b"::", b",", b"*", b"&", b"(", b")", b"[", b"]", b"..."})
_AFTER_TYPE = frozenset({b"(", b"{", b">", b">>", b"&", b"&&", b"*", b"::", b",", b")", b"...", b"[", b";"})
_STATEMENT_ENDS = frozenset({b";", b"}", b":", b""})
_BEFORE_LIST = frozenset({b"return", b"=", b",", b"(", b"{", b">"})


class NamesUsed(Struct, frozen=True):
    """What of the standard libraries a text uses."""

    qualified: frozenset[StandardName]
    """As ``std::name``."""
    bare: frozenset[StandardName]
    """As a name by itself that is nothing of the text's own: they need ``using namespace std``, or are of C."""
    has_using: bool
    """Whether it says ``using namespace std`` anywhere."""
    headers: frozenset[str]
    """All that it includes: ``<vector>``, ``"own.h"``."""


def names_used(text: bytes) -> NamesUsed:
    """Read a normalised text, however odd."""
    words: list[bytes] = []
    headers: set[str] = set()
    own: set[bytes] = set()
    for token in tokens(text):
        if token.text.startswith((b"//", b"/*")):
            continue
        if not token.text.startswith(b"#") or token.text == b"##":
            words.append(token.text)
        elif include := _INCLUDE.match(token.text):
            headers.add(include.group(1).decode(errors="replace").replace(" ", ""))
        elif define := _DEFINE.match(token.text):
            own.update(re.findall(rb"\w+", define.group()))
            body = tokens(token.text[define.end() :].replace(b"\\\n", b" "))
            words += [b";", *(part.text for part in body if not part.text.startswith((b"//", b"/*", b"#"))), b";"]
    return _Reading(words, own).result(frozenset(headers))


class _Reading:
    """One walk over the words of a text."""

    def __init__(self, words: Sequence[bytes], own: set[bytes]) -> None:
        self._words = words
        self._own = own
        self._qualified: set[StandardName] = set()
        self._bare: set[StandardName] = set()
        self._imported: set[bytes] = set()

    def result(self, headers: frozenset[str]) -> NamesUsed:
        known = standard_names().names
        has_using = False
        for at, word in enumerate(self._words):
            if word == b"std" and self._word(at + 1) == b"::" and not self._is_member_or_nested(at):
                self._qualified.update(self._nested(at + 2))
                if self._word(at - 1) == b"using":
                    self._imported.add(self._word(at + 2))
            elif word == b"std" and self._word(at - 1) == b"namespace" and self._word(at - 2) == b"using":
                has_using = True
            elif (name := known.get(word)) is not None and not self._is_member_or_nested(at, name):
                if self._fits(at, name):
                    self._bare.update(self._nested(at))
                else:
                    self._own.add(word)
        bare = {name for name in self._bare if name.name.encode() not in self._own | self._imported}
        return NamesUsed(frozenset(self._qualified), frozenset(bare), has_using, headers)

    def _word(self, at: int) -> bytes:
        return self._words[at] if 0 <= at < len(self._words) else b""

    def _nested(self, at: int) -> Iterator[StandardName]:
        """The name at a place; in ``ranges`` the one behind it instead, where that has a header; in ``pmr`` both."""
        known = standard_names().names
        word, name = self._word(at), known.get(self._word(at))
        inner = known.get(self._word(at + 2)) if word in {b"ranges", b"pmr"} and self._word(at + 1) == b"::" else None
        if inner is not None:
            yield inner
        if name is not None and not (inner is not None and word == b"ranges"):
            yield name

    def _is_member_or_nested(self, at: int, name: StandardName | None = None) -> bool:
        """Whether the word belongs to what stands before it: ``a.word``, ``a->word``, ``a::word``."""
        before, earlier = self._word(at - 1), self._word(at - 2)
        if before == b"->" and earlier == b")" and name is not None:
            # The type that a function returns, rather than a member of what it returned.
            after = self._word(at + 1)
            return not (name.kind is Kind.TEMPLATE and after == b"<") and not (
                name.kind is Kind.TYPE and after in {b"{", b"::"}
            )
        if before == b"::":
            return earlier in {b">", b">>"} or (_is_word(earlier) and earlier not in _BEFORE_TYPES)
        return before in {b".", b"->", b".*", b"->*"}

    def _fits(self, at: int, name: StandardName) -> bool:
        """Whether a name by itself is used as the standard one is; otherwise it is the text's own."""
        before, after = self._word(at - 1), self._word(at + 1)
        match name.kind:
            case Kind.FUNCTION:
                shaped = after == b"(" or (after == b"<" and self._word(self._after_arguments(at + 1)) == b"(")
                return shaped and (not _is_word(before) or before in _BEFORE_VALUES) and not self._is_declared(at)
            case Kind.TEMPLATE:
                shaped = after in {b"<", b"(", b"{"}
            case Kind.TYPE:
                shaped = _is_word(after) or (after in _AFTER_TYPE and (after != b";" or before in {b"=", b";"}))
            case Kind.NAMESPACE:
                shaped = after == b"::"
            case Kind.MANIPULATOR:
                shaped = before in {b"<<", b">>"}
            case Kind.OBJECT | Kind.MACRO:
                shaped = after != b"="
        owned = before in _BEFORE_OWN or (before == b"using" and after == b"=")
        return shaped and not owned and (not _is_word(before) or before in _BEFORE_TYPES) and not self._is_declared(at)

    def _after_arguments(self, at: int) -> int:
        """The place behind the ``>`` that belongs to ``<`` at a place; -1: these are no template arguments."""
        depth = 0
        for place in range(at, min(at + FARTHEST_TOKENS, len(self._words))):
            word = self._words[place]
            depth += (word == b"<") - (word == b">") - 2 * (word == b">>")
            if depth <= 0:
                return place + 1
            if word != b"<" and word not in {b">", b">>"} and not _is_argument(word):
                break
        return -1

    def _before_arguments(self, at: int) -> int:
        """The place before the ``<`` that belongs to ``>`` at a place; -1: these are no template arguments."""
        depth = 0
        for place in range(at, max(at - FARTHEST_TOKENS, -1), -1):
            word = self._words[place]
            depth += (word == b">") + 2 * (word == b">>") - (word == b"<")
            if depth <= 0:
                return place - 1
            if word != b"<" and word not in {b">", b">>"} and not _is_argument(word):
                break
        return -1

    def _is_declared(self, at: int) -> bool:
        """Whether a type stands before the name: ``vector<int> name``, ``int *name``."""
        place = at - 1
        while self._word(place) in _TYPE_ENDS or self._word(place) == b"const":
            place -= 1
        pointed = place < at - 1
        if self._word(place) in {b">", b">>"}:
            place = self._before_arguments(place)
            return _is_word(self._word(place)) and self._word(place) != b"template"
        if not pointed or not _is_word(self._word(place)) or self._word(place) in _BEFORE_VALUES:
            return False
        if self._word(place) in _BUILT_IN:
            return True
        while self._word(place - 1) == b"::" and _is_word(self._word(place - 2)):
            place -= 2
        return self._starts_statement(place)

    def _starts_statement(self, place: int) -> bool:
        """Whether a statement or a member starts with the word at a place, rather than an argument or operand."""
        before = self._word(place - 1)
        if before == b"{":
            opener = self._word(place - 2)
            is_scope = self._word(place - 3) in _BEFORE_OWN or opener in _BEFORE_TYPES | {b"try"}
            return (is_scope and opener != b"return") or not (opener in _BEFORE_LIST or _is_word(opener))
        return before in _STATEMENT_ENDS or (_is_word(before) and before not in _BEFORE_VALUES)


_BUILT_IN = frozenset(
    b"auto bool char char8_t char16_t char32_t double float int long short signed unsigned void wchar_t".split()
)


def _is_word(word: bytes) -> bool:
    return _WORD.match(word) is not None and not word.endswith((b'"', b"'"))


def _is_argument(word: bytes) -> bool:
    return word in _IN_ARGUMENTS or _is_word(word) or word[:1].isdigit()

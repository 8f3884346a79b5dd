"""The open documents, as their editor has them: text, version, functions, and marks that move with edits."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from maxcode_lsp.messages import editors, refusals
from maxcode_lsp.records import Hunk
from maxcode_lsp.server.workspace.syntax import Function, Syntax
from maxcode_lsp.server.workspace.uris import normalised, path_of
from maxcode_lsp.text.edits import difference
from maxcode_lsp.text.live import LiveText
from maxcode_lsp.text.positions import Encoding, Position
from maxcode_lsp.text.source import SourceText

LANGUAGES = frozenset({"c", "cpp", "cuda", "cuda-cpp"})
SPELLINGS = {"c++": "cpp"}
"""Ids that are not LSP's: what eglot makes of ``c++-mode``."""
CUDA = frozenset({"cuda", "cuda-cpp"})
CUDA_SUFFIXES = frozenset({".cu", ".cuh"})
COPY = ".maxcode."
"""In the name of a file that was written for comparing (see ``comparing``)."""
LARGEST_BYTES = 2_000_000
"""As ``target.program``: larger files are not served, and the status says so."""


class Mark:
    """A stretch of text that moves with edits before it and dies when its own text is touched.

    An insertion right at its start or end does not touch it.
    """

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.alive = True

    def follow(self, hunk: Hunk) -> None:
        """Move, stay or die with an edit of the normalised text."""
        if hunk.end <= self.start:
            moved = len(hunk.replacement) - (hunk.end - hunk.start)
            self.start += moved
            self.end += moved
        elif hunk.start < self.end:
            self.alive = False


class Document:
    """One open document. Changed only by :class:`Documents`."""

    def __init__(self, item: types.TextDocumentItem, encoding: Encoding) -> None:
        self.uri = normalised(item.uri)
        """See ``uris``."""
        self.path = path_of(item.uri)
        """None: not a file (``untitled:``)."""
        language = item.language_id
        named = language.value if isinstance(language, types.LanguageKind) else language
        self.language_id = SPELLINGS.get(named, named)
        self.version = item.version
        """As the client sent it; nothing is expected of it."""
        self._live = LiveText(item.text, encoding)
        self._source: SourceText | None = None
        self._mains: list[Function | None] = []
        """What ``main`` has found, once it was asked for."""
        self._syntax = Syntax()
        self._marks: list[Mark] = []

    @property
    def text(self) -> str:
        """As the editor has it; half a surrogate pair is U+FFFD."""
        return self._live.raw.decode()

    @property
    def source(self) -> SourceText:
        """The text as bytes; made once a version."""
        if self._source is None:
            self._source = SourceText(self._live.raw)
        return self._source

    @property
    def name(self) -> str:
        """The file's name, or what stands for it, for people."""
        return self.path.name if self.path is not None else self.uri.rpartition(":")[2][-100:]

    @property
    def inactive(self) -> str:
        """Why this document is not served (too large, not saved yet, CUDA, not text), one sentence; empty: it is.

        That the text cannot be parsed is known once a function was asked for.
        """
        return self._unserved or self._syntax.trouble

    @property
    def _unserved(self) -> str:
        if self.language_id in CUDA or (self.path is not None and self.path.suffix in CUDA_SUFFIXES):
            return editors.cuda_is_coming()
        if self.language_id not in LANGUAGES:
            return editors.other_language(self.language_id)
        if self.path is None:
            return editors.not_a_file()
        if COPY in self.path.name:
            return editors.is_copy()
        if self._live.size > LARGEST_BYTES:
            return refusals.source_too_large(self.name, LARGEST_BYTES)
        if b"\0" in self._live.raw:
            return refusals.source_not_text(self.name)
        return ""

    def function_at(self, offset: int) -> Function | None:
        """The innermost function around an offset; None also in inactive documents."""
        if self._unserved:
            return None
        around = self._syntax.functions(self.source.data, self.name, offset, offset)
        return max(around, key=lambda function: function.start, default=None)

    def main(self) -> Function | None:
        """The program's ``main``, if it has one."""
        if not self._mains:
            self._mains = [None if self._unserved else self._syntax.main(self.source.data, self.name)]
        return self._mains[0]

    def offset(self, position: types.Position) -> int:
        """See :meth:`maxcode_lsp.text.positions.Positions.offset`."""
        return self._live.offset(_place(position))

    def position(self, offset: int) -> types.Position:
        """See :meth:`maxcode_lsp.text.positions.Positions.position`."""
        place = self._live.position(offset)
        return types.Position(place.line, place.column)

    def range(self, start: int, end: int) -> types.Range:
        """The client's range of normalised offsets."""
        return types.Range(self.position(start), self.position(end))

    def lines(self, first: int, last: int) -> types.Range:
        """The client's range of lines ``first``..``last`` (from 1), without indentation and line end."""
        start, end = self._live.written(first - 1, last - 1)
        return types.Range(types.Position(start.line, start.column), types.Position(end.line, end.column))

    def line_at(self, offset: int) -> int:
        """Line (from 1) of a normalised offset."""
        return self.source.data.count(b"\n", 0, max(0, offset)) + 1

    def mark(self, start: int, end: int) -> Mark:
        """A mark that follows every later edit; kept until it dies or ``unmark``."""
        size = len(self.source.data)
        start = min(max(start, 0), size)
        mark = Mark(start, min(max(end, start), size))
        self._marks.append(mark)
        return mark

    def unmark(self, mark: Mark) -> None:
        """Forget a mark."""
        self._marks = [kept for kept in self._marks if kept is not mark]

    def change(self, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        """See :meth:`Documents.change`."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = _place(change.range.start), _place(change.range.end)
                self._follow(self._live.replace(start, end, change.text))
            else:
                old, self._live = self._live, LiveText(change.text, self._live.encoding)
                if self._marks:
                    self._follow(difference(SourceText(old.raw).data, SourceText(self._live.raw).data))
        self.version = version
        self._source, self._mains = None, []

    def close(self) -> None:
        """No mark has a text any more."""
        for mark in self._marks:
            mark.alive = False
        self._marks = []

    def _follow(self, hunk: Hunk) -> None:
        if self._marks and (hunk.start < hunk.end or hunk.replacement):
            for mark in self._marks:
                mark.follow(hunk)
            self._marks = [mark for mark in self._marks if mark.alive]


class Documents:
    """All open documents."""

    def __init__(self, encoding: Encoding = Encoding.UTF16) -> None:
        self.encoding = encoding
        """For documents that are opened from now on."""
        self._by_uri: dict[str, Document] = {}

    def open(self, item: types.TextDocumentItem) -> Document:
        """An editor opened a document (again: it replaces what was there)."""
        document = Document(item, self.encoding)
        self.close(document.uri)
        self._by_uri[document.uri] = document
        return document

    def change(
        self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> Document | None:
        """Apply changes in their order, whatever they are: ranges are clamped. None: the document is not open."""
        document = self.get(uri)
        if document is not None:
            document.change(version, changes)
        return document

    def close(self, uri: str) -> Document | None:
        """An editor closed it."""
        document = self._by_uri.pop(normalised(uri), None)
        if document is not None:
            document.close()
        return document

    def get(self, uri: str) -> Document | None:
        """The open document with this URI, however it is written."""
        return self._by_uri.get(normalised(uri))


def _place(position: types.Position) -> Position:
    return Position(position.line, position.character)

"""The open documents, as their editor has them: text, version, functions, and marks that move with edits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types
from msgspec import Struct

from maxcode_lsp.text.positions import Encoding
from maxcode_lsp.text.source import SourceText

LANGUAGES = frozenset({"c", "cpp", "cuda", "cuda-cpp"})
CUDA = frozenset({"cuda", "cuda-cpp"})
LARGEST_BYTES = 2_000_000
"""As ``target.program``: larger files are not served, and the status says so."""


class Function(Struct, frozen=True):
    """A function with a body. Offsets are normalised."""

    name: str
    name_start: int
    name_end: int
    start: int
    end: int


class Mark:
    """A stretch of text that moves with edits before it and dies when its own text is touched."""

    start: int
    end: int
    alive: bool


class Document:
    """One open document. Changed only by :class:`Documents`."""

    uri: str
    """Normalised: see ``uris``."""
    path: Path | None
    """None: not a file (``untitled:``)."""
    language_id: str
    version: int
    text: str

    @property
    def source(self) -> SourceText:
        """The text as bytes; made once a version."""
        raise NotImplementedError

    @property
    def inactive(self) -> str:
        """Why this document is not served (too large, not saved yet, CUDA, not text), one sentence; empty: it is."""
        raise NotImplementedError

    @property
    def functions(self) -> tuple[Function, ...]:
        """Functions with bodies in document order, from an incremental parse. Empty for inactive documents."""
        raise NotImplementedError

    def function_at(self, offset: int) -> Function | None:
        """The innermost function around an offset."""
        raise NotImplementedError

    def main(self) -> Function | None:
        """The program's ``main``, if it has one."""
        raise NotImplementedError

    def offset(self, position: types.Position) -> int:
        """See :meth:`maxcode_lsp.text.positions.Positions.offset`."""
        raise NotImplementedError

    def position(self, offset: int) -> types.Position:
        """See :meth:`maxcode_lsp.text.positions.Positions.position`."""
        raise NotImplementedError

    def range(self, start: int, end: int) -> types.Range:
        """The client's range of normalised offsets."""
        raise NotImplementedError

    def lines(self, first: int, last: int) -> types.Range:
        """The client's range of lines ``first``..``last`` (from 1), without indentation and line end."""
        raise NotImplementedError

    def mark(self, start: int, end: int) -> Mark:
        """A mark that follows every later edit; kept until it dies or ``unmark``."""
        raise NotImplementedError

    def unmark(self, mark: Mark) -> None:
        """Forget a mark."""
        raise NotImplementedError


class Documents:
    """All open documents."""

    def __init__(self, encoding: Encoding = Encoding.UTF16) -> None:
        self.encoding = encoding
        raise NotImplementedError

    def open(self, item: types.TextDocumentItem) -> Document:
        """An editor opened a document (again: it replaces what was there)."""
        raise NotImplementedError

    def change(
        self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> Document | None:
        """Apply changes in their order, whatever they are: ranges are clamped. None: the document is not open."""
        raise NotImplementedError

    def close(self, uri: str) -> Document | None:
        """An editor closed it."""
        raise NotImplementedError

    def get(self, uri: str) -> Document | None:
        """The open document with this URI, however it is written."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Document]:
        raise NotImplementedError


OnChange = Callable[[Document], None]

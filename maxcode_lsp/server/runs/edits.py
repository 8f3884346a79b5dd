"""From a proven change to an edit of the text that the editor has now: small, and only where it still fits.

Pure: texts go in, an edit comes out. A change fits a text that is the same, or in which every declaration that it
touches is the same, wherever that stands now.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types
from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.engine import wording
from maxcode_lsp.engine.events import HunkReport, RunResult
from maxcode_lsp.messages import phrases, titles
from maxcode_lsp.records import Hunk
from maxcode_lsp.server.connection.editor import Abilities
from maxcode_lsp.server.workspace.documents import Document
from maxcode_lsp.text import edits
from maxcode_lsp.text.declarations import Declarations
from maxcode_lsp.text.rebase import rebase
from maxcode_lsp.text.source import SourceText


class Piece(Struct, frozen=True):
    """One hunk, with what people are told about it."""

    hunk: Hunk
    label: str
    why: str


class Fitted(Struct, frozen=True):
    """A change as it is made in one text."""

    before: SourceText
    """The text that it is for."""
    after: SourceText
    """The text that it makes of it."""
    pieces: tuple[Piece, ...]
    """Against the normalised ``before``; as small as they can be with whole words."""


class Change:
    """Pieces of a change against one text."""

    def __init__(self, base: SourceText, pieces: Sequence[Piece]) -> None:
        self.base = base
        self.pieces = pieces
        self.hunks = tuple(piece.hunk for piece in pieces)

        self._touched: tuple[bytes, ...] | None = None
        self._read: Declarations | None = None

    def is_of(self, data: bytes, hunks: Sequence[Hunk]) -> bool:
        """Whether hunks reach into the same declarations there as those of this change do in their text.

        A text costs what it differs from the one before. May be called in several threads.
        """
        read = self._read
        if read is None or self._touched is None:
            read = Declarations.of(self.base.data)
            self._touched = read.touched(self.hunks)
        now = read.after(data)
        self._read = now if now.matching else read
        return now.touched(hunks) == self._touched


def fit(change: Change, now: SourceText) -> Fitted | None:
    """The change as one of ``now``; None: it does not fit any more."""
    hunks: Sequence[Hunk] | None = change.hunks
    if change.base.sha256 != now.sha256:
        hunks = rebase(hunks, change.base.data, now.data)
        if hunks is None or not change.is_of(now.data, hunks):
            return None
    small = [_narrow(hunk, now.data) for hunk in hunks]
    for chosen in (small, hunks):  # what stands side by side may fall on one place when it is made smaller
        try:
            after = SourceText(now.render(chosen))
            after.raw.decode()
        except ValueError:
            continue
        moved = tuple(replace(piece, hunk=hunk) for piece, hunk in zip(change.pieces, chosen, strict=True))
        return Fitted(now, after, moved)
    return None


def change_of(result: RunResult, base: SourceText) -> Change | None:
    """The change of a result with what its hunks are worth; None: there is none."""
    if result.edited is None:
        return None
    edited = SourceText(result.edited).data
    reported = [
        Piece(report.hunk, _label(report, result.hunks[:number]), phrases.printable(report.why))
        for number, report in enumerate(result.hunks)
    ]
    if _makes(reported, base.data, edited):
        return Change(base, reported)
    return Change(base, [_described(hunk, reported) for hunk in edits.diff(base.data, edited)])


def difference(old: SourceText, new: SourceText, label: str) -> Change:
    """What makes ``new`` of ``old``."""
    return Change(old, [Piece(hunk, label, "") for hunk in edits.diff(old.data, new.data)])


def workspace_edit(fitted: Fitted, document: Document, can: Abilities, *, is_open: bool = True) -> types.WorkspaceEdit:
    """The edit as LSP has it, with as much as the client can take. The document must hold ``fitted.before``."""
    splices = fitted.before.splices([piece.hunk for piece in fitted.pieces])
    plain = [
        types.TextEdit(document.range(piece.hunk.start, piece.hunk.end), splice.text.decode())
        for piece, splice in zip(fitted.pieces, splices, strict=True)
    ]
    if not can.document_changes:
        return types.WorkspaceEdit(changes={document.uri: plain})
    which = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version if is_open else None)
    if not can.annotations:
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(which, list(plain))])
    notes = {f"maxcode-{number}": piece for number, piece in enumerate(fitted.pieces, 1)}
    annotated = [
        types.AnnotatedTextEdit(annotation_id=note, range=edit.range, new_text=edit.new_text)
        for note, edit in zip(notes, plain, strict=True)
    ]
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(which, list(annotated))],
        change_annotations={
            note: types.ChangeAnnotation(piece.label, needs_confirmation=False, description=piece.why or None)
            for note, piece in notes.items()
        },
    )


def _label(report: HunkReport, before: Sequence[HunkReport]) -> str:
    """What a part is worth is said once, at its first hunk: it is not gained again with each of them."""
    worth = wording.worth(report.worth)
    again = report.worth is not None and any(report.worth == other.worth for other in before)
    return titles.hunk_label(" + ".join(report.actions).replace("-", " "), worth, again=again)


def _makes(pieces: Sequence[Piece], old: bytes, new: bytes) -> bool:
    try:
        return edits.apply(old, [piece.hunk for piece in pieces]) == new
    except ValueError:
        return False


def _described(hunk: Hunk, reported: Iterable[Piece]) -> Piece:
    """A hunk with the words of the reported ones that it overlaps."""
    near = [p for p in reported if p.hunk.start <= hunk.end and hunk.start <= p.hunk.end]
    labels = dict.fromkeys(piece.label for piece in near)
    label = next(iter(labels)) if len(labels) == 1 else titles.hunk_label("", "")
    return Piece(hunk, label, " ".join(dict.fromkeys(piece.why for piece in near)))


def _narrow(hunk: Hunk, data: bytes) -> Hunk:
    """Without what stays the same at its ends, in whole words."""
    old, new = data[hunk.start : hunk.end], hunk.replacement
    head, most = 0, min(len(old), len(new))
    while head < most and old[head] == new[head]:
        head += 1
    while head and (_inside_word(old, head) or _inside_word(new, head)):
        head -= 1
    tail, most = 0, most - head
    while tail < most and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    while tail and (_inside_word(old, len(old) - tail) or _inside_word(new, len(new) - tail)):
        tail -= 1
    return Hunk(hunk.start + head, hunk.end - tail, new[head : len(new) - tail])


def _inside_word(text: bytes, at: int) -> bool:
    """Whether a word, or a character of several bytes, reaches over this place."""
    return 0 < at < len(text) and _wordy(text[at - 1]) and _wordy(text[at])


def _wordy(byte: int) -> bool:
    return byte >= 0x80 or byte == 0x5F or bytes((byte,)).isalnum()

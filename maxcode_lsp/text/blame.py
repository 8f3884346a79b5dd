"""Which actions are behind each line of an edited text, deletions included."""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.edits import diff, split_lines

Actions = tuple[str, ...]


class Line(Struct, frozen=True):
    """One line of the current text."""

    anchor: int
    """Index of the original line that it is, replaces, or stands before."""
    actions: Actions
    """Who wrote it; empty: it is the original line."""


class Blame(Struct, frozen=True):
    """A text on its way from the original through the steps of its lineage."""

    original: bytes
    text: bytes
    """The current text."""
    lines: tuple[Line, ...]
    deleted: dict[int, Actions]
    """Original line index to the actions that removed or replaced it."""
    order: Actions = ()
    """All actions so far, in the order of their steps."""

    @classmethod
    def start(cls, data: bytes) -> Blame:
        """Nothing done yet to the normalised text."""
        lines = tuple(Line(index, ()) for index in range(len(split_lines(data))))
        return cls(original=data, text=data, lines=lines, deleted={})

    def step(self, new_data: bytes, actions: Actions) -> Blame:
        """The blame after actions made ``new_data`` of the current text.

        A line written over a line that an earlier action wrote is owed to both.
        """
        order = tuple(dict.fromkeys((*self.order, *actions)))
        lines: list[Line] = []
        deleted, at = dict(self.deleted), 0
        for hunk in diff(self.text, new_data):
            first = self.text.count(b"\n", 0, hunk.start)
            last = first + len(split_lines(self.text[hunk.start : hunk.end]))
            replaced = self.lines[first:last]
            behind = _in_order(order, [*(line.actions for line in replaced), actions])
            deleted |= {line.anchor: behind for line in replaced if not line.actions}
            following = self.lines[last].anchor if last < len(self.lines) else len(split_lines(self.original))
            anchors = [line.anchor for line in replaced] or [following]
            count = len(split_lines(hunk.replacement))
            lines += self.lines[at:first]
            lines += [Line(anchors[min(i, len(anchors) - 1)], behind) for i in range(count)]
            at = last
        lines += self.lines[at:]
        return Blame(self.original, new_data, tuple(lines), deleted, order)

    def of(self, hunk: Hunk) -> Actions:
        """The actions behind one hunk original → current text (or behind the nearest change, where
        the hunk was drawn elsewhere than the steps were), in the order of their steps.
        """
        first = self.original.count(b"\n", 0, hunk.start)
        last = first + len(split_lines(self.original[hunk.start : hunk.end]))
        written = [(line.anchor, line.actions) for line in self.lines if line.actions]
        changes = [*self.deleted.items(), *written]
        found = [actions for at, actions in changes if first <= at < last]
        if hunk.replacement:
            found += [actions for at, actions in written if at == last]
        if not found and changes:
            nearest = min(_distance(at, first, last) for at, _ in changes)
            found = [actions for at, actions in changes if _distance(at, first, last) == nearest]
        return _in_order(self.order, found)


def _in_order(order: Actions, some: list[Actions]) -> Actions:
    wanted = {action for actions in some for action in actions}
    return tuple(action for action in order if action in wanted)


def _distance(at: int, first: int, last: int) -> int:
    return max(first - at, at - last, 0)

"""Telling mistakes in settings: those of a file on their lines in it, those of the editor once in a message."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from maxcode_lsp.messages import editors
from maxcode_lsp.server.connection.editor import Editor
from maxcode_lsp.server.workspace.uris import uri_of
from maxcode_lsp.settings.file import Problem

MOST_SHOWN = 100
"""Diagnostics of one file."""
MOST_SETS = 100
"""Sets of mistakes that are not told again."""


class Mistakes:
    """What is told at the moment, so that nothing is told twice and everything is taken back."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._in_files: dict[Path, tuple[Problem, ...]] = {}
        self._told: dict[frozenset[str], None] = {}

    def files(self) -> list[Path]:
        """Settings files that have diagnostics now."""
        return list(self._in_files)

    def in_file(self, file: Path, problems: tuple[Problem, ...]) -> None:
        """Show these problems of a file and no others."""
        if problems == self._in_files.get(file, ()):
            return
        if problems:
            self._in_files[file] = problems
        else:
            del self._in_files[file]
        self._editor.publish(uri_of(file), None, [_diagnostic(problem) for problem in problems[:MOST_SHOWN]])

    def in_editor(self, problems: Sequence[Problem]) -> None:
        """Tell problems of settings that the editor sent."""
        sentences = list(dict.fromkeys(problem.message for problem in problems))
        if not sentences or frozenset(sentences) in self._told:
            return
        while len(self._told) >= MOST_SETS:
            del self._told[next(iter(self._told))]
        self._told[frozenset(sentences)] = None
        for sentence in sentences:
            self._editor.log(sentence)
        self._editor.say(editors.settings_wrong(sentences), types.MessageType.Warning)


def _diagnostic(problem: Problem) -> types.Diagnostic:
    # A whole line ends where the next begins, in every position encoding. Of a whole file, the first line is marked.
    line = (problem.line or 1) - 1
    return types.Diagnostic(
        range=types.Range(types.Position(line, 0), types.Position(line + 1, 0)),
        message=problem.message,
        severity=types.DiagnosticSeverity.Warning,
        source="maxcode",
        code="settings",
    )

"""Combined proposals for real programs, taken apart and put together again."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.engine.lineage import Lineage
from maxcode_lsp.policy.policy import Observation
from maxcode_lsp.policy.rewrites.policy import RewritesPolicy
from maxcode_lsp.records import Candidate, Change, Critique, Hunk, Origin, Part, candidate_id
from maxcode_lsp.search.trials import Node
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.rebase import splice
from maxcode_lsp.text.source import SourceText

REPOSITORY = Path(__file__).parents[2]
PROGRAMS = sorted((REPOSITORY / "examples").rglob("*.cpp"))


def node(parent: Node, text: bytes, origin: Origin) -> Node:
    change = Change("a.cpp", "", diff(parent.text, text))
    return Node(Candidate(candidate_id(text), change, parent.id, parent.depth + 1, origin), text, 1.0, parent)


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
async def test_with_nothing_left_out_it_is_the_winner(file: Path) -> None:
    root = Node(None, SourceText(file.read_bytes()).data, 1.0)
    policy = RewritesPolicy()
    for first in await policy.propose(Observation(root.text, ("-O3",), Critique()), 64):
        step = node(root, first.text, first.origin)
        stages = Lineage(step).stages()
        assert stages is not None
        assert stages[-1].text == first.text
    combined = [p for p in await policy.propose(Observation(root.text, ("-O3",), Critique()), 64) if p.origin.parts]
    if combined:
        step = node(root, combined[0].text, combined[0].origin)
        for second in (await policy.propose(Observation(step.text, ("-O3",), Critique()), 64))[:8]:
            stages = Lineage(node(step, second.text, second.origin)).stages()
            assert stages is not None
            assert stages[-1].text == second.text


def test_closing_braces_of_two_parts_are_both_kept() -> None:
    text = b"a;\nb;\n"
    parts = (
        Part(("one",), "One.", (Hunk(0, 0, b"{\n"), Hunk(6, 6, b"}\n"))),
        Part(("two",), "Two.", (Hunk(3, 3, b"{\n"), Hunk(6, 6, b"}\n"))),
    )
    winner = splice(text, [hunk for part in parts for hunk in part.hunks])
    assert winner == b"{\na;\n{\nb;\n}\n}\n"
    lineage = Lineage(node(Node(None, text, 1.0), winner, Origin("test", ("both",), "Both.", (), parts)))
    stages = lineage.stages()
    assert stages is not None
    assert stages[-1].text == winner
    without = lineage.stages([lineage.pieces[1]])
    assert without is not None
    assert without[-1].text == b"{\na;\nb;\n}\n"

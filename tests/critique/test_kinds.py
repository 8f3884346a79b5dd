"""The list of kinds, its docs pages, and the rules that name kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.critique.kinds import HINTS, ORDER, PLACES, TITLES, Kind
from maxcode_lsp.policy.rewrites.families import RULES

PAGES = Path(__file__).parents[2] / "docs" / "findings"


@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.value)
def test_every_kind_has_a_title_and_a_page(kind: Kind) -> None:
    page = (PAGES / f"{kind.value}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {kind.value}\n")
    assert "## How it is found" in page
    assert "## What helps" in page
    assert TITLES[kind]


def test_every_page_is_of_a_kind() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} - {"README"} == {kind.value for kind in Kind}


def test_every_kind_has_its_place_in_the_order() -> None:
    assert len(ORDER) == len(Kind)
    assert set(ORDER) == set(Kind)
    general = [ORDER.index(kind) for kind in (*PLACES, *HINTS)]
    assert min(general) > max(rank for rank, kind in enumerate(ORDER) if kind not in {*PLACES, *HINTS})
    assert ORDER[-1] is Kind.CLANG_TIDY


def test_rules_act_on_known_kinds() -> None:
    known = {kind.value for kind in Kind}
    named = {(rule.id, kind) for rule in RULES.values() for kind in rule.finding_kinds}
    assert named
    assert not {(rule, kind) for rule, kind in named if kind not in known}

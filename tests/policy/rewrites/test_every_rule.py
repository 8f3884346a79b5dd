"""What holds for every rule, on any text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.rule import FAST_INPUT, TRUSTED, Rewrite
from maxcode_lsp.policy.rewrites.unit import Unit

ROOT = Path(__file__).parents[3]

ORDINARY = (Path(__file__).parent / "odd" / "ordinary.cpp").read_text()
ODD = {
    "empty": b"",
    "one line end": b"\n",
    "garbage": bytes(range(256)) * 4,
    "no text at all": "no program: ☃ just a sentence".encode(),
    "deep": b"int main() { return " + b"(" * 3000 + b"1" + b")" * 3000 + b"; }",
    "deep blocks": b"int main() " + b"{" * 2000 + b"}" * 2000,
    "long chain": b"#include <iostream>\nint main() { std::cout" + b" << 1" * 3000 + b"; }",
    "no last line end": ORDINARY.rstrip().encode(),
    "twice": (ORDINARY * 2).encode(),
    **{path.stem: path.read_bytes() for path in sorted((Path(__file__).parent / "odd").glob("*.cpp"))},
}


def _check(rule_id: str, unit: Unit) -> list[Rewrite]:
    found = list(RULES[rule_id].find(unit))
    for rewrite in found:
        assert rewrite.hunks
        assert rewrite.lines
        before = 0
        for hunk in rewrite.hunks:
            assert before <= hunk.start <= hunk.end <= len(unit.data), rewrite
            before = hunk.end
        assert all(1 <= line <= unit.data.count(b"\n") + 1 for line in rewrite.lines)
    return found


@pytest.mark.parametrize("name", ODD)
def test_odd_texts(name: str) -> None:
    unit = Unit(ODD[name], ("-O3", "-fopenmp"))
    for rule_id in RULES:
        _check(rule_id, unit)


def test_long_files_stay_cheap_to_read():
    text = "".join(ORDINARY.replace("main", f"main{i}").replace("has", f"has{i}") for i in range(60))
    unit = Unit(text.encode())
    assert text.count("\n") > 1000
    for rule_id in RULES:
        _check(rule_id, unit)


PIECES = [piece for piece in re.findall(r"\w+|\s|[^\w\s]", ORDINARY) if piece.strip()]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damaged_texts(data: st.DataObject) -> None:
    """Any part of an ordinary program cut out, doubled or mixed up: no rule raises or points outside."""
    start = data.draw(st.integers(0, len(ORDINARY)))
    end = data.draw(st.integers(start, len(ORDINARY)))
    middle = data.draw(
        st.one_of(
            st.just(""), st.just(ORDINARY[start:end] * 2), st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)
        )
    )
    unit = Unit((ORDINARY[:start] + middle + ORDINARY[end:]).encode())
    for rule_id in RULES:
        _check(rule_id, unit)


@pytest.mark.parametrize("rule_id", RULES)
def test_is_told_and_tested(rule_id: str) -> None:
    rule = RULES[rule_id]
    page = (ROOT / "docs" / "rewrites" / f"{rule.family}.md").read_text()
    assert f"\n## {rule_id}\n" in page
    tests = Path(__file__).parent
    programs = list((tests / "programs" / rule.family).glob(f"{rule_id}.*"))
    assert programs or f'_alike("{rule_id}"' in (tests / f"test_{rule.family}.py").read_text()
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule_id)
    assert rule.gain > 1.0
    assert rule.rationale.endswith(".")


def test_marks_name_rules():
    assert set(RULES) >= TRUSTED | FAST_INPUT


def test_finding_kinds_exist():
    from maxcode_lsp.critique.kinds import Kind

    known = {kind.value for kind in Kind}
    for rule in RULES.values():
        assert known.issuperset(rule.finding_kinds), rule.id


def test_the_index_names_every_rule():
    index = (ROOT / "docs" / "rewrites" / "README.md").read_text()
    assert [rule_id for rule_id in RULES if f"`{rule_id}`" not in index] == []

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from maxcode_lsp.policy.policy import Observation
from maxcode_lsp.policy.rewrites.clang_tidy import TidyRemark, TidyReport
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.policy import RewritesPolicy
from maxcode_lsp.policy.rewrites.rule import FAST_INPUT, TRUSTED, Rewrite, Rule
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Critique, Finding, Hunk, Span

SLOW = """#include <iostream>
#include <map>
#include <string>
using namespace std;
int main() {
    map<string, int> count;
    string w, all;
    while (cin >> w) {
        count[w] = count[w] + 1;
        all = all + w;
        cout << all.size() << endl;
    }
    for (int i = 0; i < 3; ++i) cout << count.size() << endl;
}
"""


def observation(text: str = SLOW, critique: Critique | None = None, tried: frozenset[str] = frozenset()) -> Observation:
    return Observation(text.encode(), ("-O3",), critique or Critique(), tried)


async def test_trusted_rules_are_also_proposed_together():
    proposals = await RewritesPolicy().propose(observation(), 100)
    simple = next(p for p in proposals if p.origin.rationale.startswith("All simple rewrites together"))
    assert set(simple.origin.actions) >= {"stream-sync", "endl-newline", "append-in-place", "unordered-container"}
    assert TRUSTED.issuperset(simple.origin.actions)
    assert b"endl" not in simple.text
    assert proposals.index(simple) < 3


async def test_each_place_alone_and_all_of_a_rule():
    proposals = await RewritesPolicy().propose(observation(), 100)
    texts = [p.text.count(b"endl") for p in proposals if p.origin.actions == ("endl-newline",)]
    assert sorted(texts) == [0, 1, 1]
    assert texts[0] == 0


async def test_best_first_and_not_more_than_asked_for():
    policy = RewritesPolicy()
    everything = await policy.propose(observation(), 100)
    assert [p.priority for p in everything] == sorted((p.priority for p in everything), reverse=True)
    assert list(await policy.propose(observation(), 3)) == list(everything[:3])
    assert list(await policy.propose(observation(), 0)) == []


async def test_what_was_tried_is_not_proposed_again():
    policy = RewritesPolicy()
    first = await policy.propose(observation(), 4)
    tried = frozenset(hashlib.sha256(p.text).hexdigest()[:12] for p in first)
    again = await policy.propose(observation(tried=tried), 100)
    assert not {p.text for p in first} & {p.text for p in again}
    assert len({p.text for p in again}) == len(again)


async def test_disabled_rules_and_checks_are_not_used():
    policy = RewritesPolicy(disabled=["endl-newline", "performance-x"], tidy=_Tidy())
    for proposal in await policy.propose(observation(), 100):
        assert not {"endl-newline", "performance-x"} & set(proposal.origin.actions)


async def test_rules_that_change_malformed_input_wait_for_the_setting():
    used = {a for p in await RewritesPolicy().propose(observation(), 200) for a in p.origin.actions}
    assert "bulk-input" in used
    assert not FAST_INPUT & used
    used = {a for p in await RewritesPolicy(input="fast").propose(observation(), 200) for a in p.origin.actions}
    assert "raw-input" in used


async def test_hot_lines_come_first():
    text = "void f(std::string s) {\n    s = s + 'a';\n}\nvoid g(std::string s) {\n    s = s + 'b';\n}\nint main() {}\n"
    hot = Critique(hot_lines={5: 0.9, 2: 0.01}, profile_source="share of time")
    proposals = await RewritesPolicy().propose(observation(text, hot), 100)
    singles = [p for p in proposals if p.origin.actions == ("append-in-place",)]
    alone = next(p for p in singles if p.text.count(b"+=") == 1)
    assert b"s += 'b'" in alone.text


async def test_findings_raise_what_answers_them():
    finding = Finding("flush-in-loop:11", "flush-in-loop", Span(11, 11), "m", "e", 0.9)
    plain = {p.origin.rationale: p for p in await RewritesPolicy().propose(observation(), 100)}
    raised = {
        p.origin.rationale: p for p in await RewritesPolicy().propose(observation(critique=Critique((finding,))), 100)
    }
    name = next(r for r in plain if plain[r].origin.actions == ("endl-newline",))
    assert raised[name].priority > plain[name].priority
    assert raised[name].origin.finding_kinds == ("flush-in-loop",)
    assert plain[name].origin.finding_kinds == ()


class _Tidy:
    async def report(self, text: bytes) -> TidyReport:
        at = text.index(b"string w")
        fix = TidyRemark("performance-x", 7, "say it briefly", (Hunk(at, at + 6, b"std::string"),))
        return TidyReport((fix, TidyRemark("performance-y", 8, "no fix for this")))


async def test_fixes_of_clang_tidy_are_proposed():
    proposals = await RewritesPolicy(tidy=_Tidy()).propose(observation(), 100)
    [fix] = [p for p in proposals if p.origin.actions == ("performance-x",)]
    assert b"std::string w" in fix.text
    assert "say it briefly" in fix.origin.rationale


async def test_a_rule_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        id = family = "broken"
        rationale = "It breaks."
        gain = 9.0
        finding_kinds = ()

        def find(self, unit: Unit) -> Iterator[Rewrite]:
            yield Rewrite((Hunk(0, 0, b"// once\n"),), (1,))
            raise RuntimeError("a mistake")

    monkeypatch.setitem(RULES, "broken", Broken())
    proposals = await RewritesPolicy().propose(observation(), 100)
    assert {"broken", "endl-newline"} <= {a for p in proposals for a in p.origin.actions}


async def test_texts_that_parse_worse_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unbalanced:
        id = family = "unbalanced"
        rationale = "It forgets a brace."
        gain = 9.0
        finding_kinds = ()

        def find(self, unit: Unit) -> Iterator[Rewrite]:
            yield Rewrite((Hunk(len(unit.data), len(unit.data), b"void f() { if (\n"),), (1,))

    monkeypatch.setitem(RULES, "unbalanced", Unbalanced())
    proposals = await RewritesPolicy().propose(observation(), 200)
    assert all(Unit(p.text).faults == 0 for p in proposals)
    assert ("unbalanced",) not in {p.origin.actions for p in proposals}


async def test_two_rules_do_not_reshape_one_loop_together(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "int main() {\n    int s = 0;\n    for (int i = 0; i < 9; ++i) {\n        s += i;\n    }\n}\n"

    def rule(name: str, old: bytes, new: bytes) -> Rule:
        class Reshaping:
            id = family = name
            rationale = "It changes the loop."
            gain = 2.0
            finding_kinds = ()

            def find(self, unit: Unit) -> Iterator[Rewrite]:
                at = unit.data.index(old)
                yield Rewrite((Hunk(at, at + len(old), new),), (3,))

        return Reshaping()

    for name in list(RULES):
        monkeypatch.delitem(RULES, name)
    monkeypatch.setitem(RULES, "one", rule("one", b"int i = 0;", b"int i = 1;"))
    monkeypatch.setitem(RULES, "two", rule("two", b"s += i;", b"s += i; ;"))
    monkeypatch.setitem(RULES, "three", rule("three", b"int s", b"long s"))
    proposals = await RewritesPolicy().propose(observation(text), 100)
    assert {p.origin.actions for p in proposals} == {("one",), ("two",), ("three",), ("one", "three")}


async def test_same_observation_same_proposals():
    one = await RewritesPolicy().propose(observation(), 100)
    assert list(one) == list(await RewritesPolicy().propose(observation(), 100))


async def test_any_bytes_are_survived():
    for data in (b"", b"\xff\xfe\x00", b"int main( {", b"}" * 50, SLOW.encode()[:150]):
        for proposal in await RewritesPolicy().propose(Observation(data, (), Critique()), 10):
            assert proposal.text != data

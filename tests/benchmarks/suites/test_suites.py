from __future__ import annotations

import json
from pathlib import Path

import pytest

from maxcode_lsp.benchmarks.search.episode import Episode, Step
from maxcode_lsp.benchmarks.suites.pie_metrics import PieFigures, best, pie_figures, samples_of
from maxcode_lsp.benchmarks.suites.suite import load_suite
from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.records import Candidate, Change, Origin, Outcome, candidate_id
from maxcode_lsp.text.edits import diff

PIE = Path(__file__).parent / "pie_small" / "pairs.jsonl"
PROGRAM = "int main() { return 0; }\n"


class TestFolders:
    async def test_programs_with_their_inputs(self, tmp_path: Path) -> None:
        (tmp_path / "one").mkdir()
        (tmp_path / "one" / "one.cpp").write_text('#include <cstdio>\nint main() { std::puts("1"); }\n')
        (tmp_path / "one" / "helper.cpp").write_text("int helper() { return 1; }\n")
        (tmp_path / "two.cc").write_text("#include <iostream>\nint main() { int x; std::cin >> x; std::cout << x; }\n")
        (tmp_path / "two_1.in").write_text("5\n")
        (tmp_path / "maxcode.toml").write_text("seconds = 7\n")
        (tmp_path / "notes.txt").write_text("no program")
        suite = load_suite(str(tmp_path))
        assert [subject.name for subject in suite.subjects] == ["one", "two"]
        assert {subject.settings.seconds for subject in suite.subjects} == {7}
        loaded = await suite.subjects[1].load()
        assert [case.name for case in loaded.job.cases] == ["two_1.in"]
        assert [subject.name for subject in load_suite(str(tmp_path), ("two",)).subjects] == ["two"]

    @pytest.mark.parametrize(("name", "said"), [("nowhere", "There is no suite"), (".", "There are no programs in")])
    def test_what_is_none(self, name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(Refused, match=said):
            load_suite(name)

    def test_what_is_not_in_it(self, tmp_path: Path) -> None:
        (tmp_path / "one.cpp").write_text(PROGRAM)
        with pytest.raises(Refused, match="has no two, three"):
            load_suite(str(tmp_path), ("one", "two", "three"))


class TestPie:
    async def test_pairs_with_their_tests(self) -> None:
        suite = load_suite(str(PIE))
        assert [subject.name for subject in suite.subjects] == [
            "p00001-s001-s002",
            "p00001-s003-s002",
            "p00002-s004-s005",
            "p00002-s004-s006",
            "p00002-s007-s005",
        ]
        jobs = [(await subject.load()).job for subject in suite.subjects]
        assert [len(job.cases) for job in jobs] == [4, 2, 4, 4, 1]
        assert {job.flags for job in jobs} == {("--std=c++17", "-O3")}
        assert all(case.expected_sha256 in job.blobs for job in jobs for case in job.cases)

    async def test_the_fast_version_is_judged_like_any_candidate(self, tmp_path: Path) -> None:
        outcomes: dict[str, Outcome] = {}
        for subject in load_suite(str(PIE), ("p00002-s004-s005", "p00002-s004-s006")).subjects:
            loaded = await subject.load()
            executor = LocalExecutor(tmp_path / "cache")
            try:
                base = await executor.prepare(loaded.job)
                assert subject.reference is not None
                hunks = diff(loaded.source.data, subject.reference)
                change = Change(loaded.job.unit, loaded.source.sha256, hunks)
                key = candidate_id(subject.reference)
                judged = await executor.evaluate(base, Candidate(key, change, None, 1, Origin("pie", (), "")))
                outcomes[subject.name] = judged.outcome
            finally:
                await executor.close()
        assert outcomes == {"p00002-s004-s005": Outcome.CORRECT, "p00002-s004-s006": Outcome.WRONG_OUTPUT}

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("{", "line 2: this is no pair"),
            ("[]", "line 2: this is no pair"),
            ('{"problem_id": "p1", "src_code": "x"}', "missing required field `tgt_code`"),
            ('{"problem_id": 5, "src_code": "x", "tgt_code": "y"}', "Expected `str`"),
            ("x" * (4 << 20) + "yy", "longer than 4 MB"),
        ],
    )
    def test_a_bad_line_is_named(self, line: str, said: str, tmp_path: Path) -> None:
        file = tmp_path / "pairs.jsonl"
        good = json.dumps({"problem_id": "p1", "src_code": "x", "tgt_code": "y"})
        file.write_text(f"{good}\n{line}\n")
        with pytest.raises(Refused, match=said):
            load_suite(str(file))

    @pytest.mark.parametrize("problem", ["p9", "../p9", "", ".."])
    async def test_a_problem_without_tests(self, problem: str, tmp_path: Path) -> None:
        file = tmp_path / "pairs.jsonl"
        file.write_text(json.dumps({"problem_id": problem, "src_code": "x", "tgt_code": "y"}) + "\n")
        (subject,) = load_suite(str(file)).subjects
        with pytest.raises(Refused, match="has no test cases"):
            await subject.load()


class TestMetrics:
    def test_by_hand(self) -> None:
        tasks = {"a": [None, 2.0, 3.0], "b": [0.5, 1.05], "c": [None, None], "d": [1.2]}
        assert pie_figures(tasks, 1) == PieFigures(1, 4, correct=0.5, optimised=0.25, speedup=(1 + 1 + 1 + 1.2) / 4)
        assert pie_figures(tasks, 2) == PieFigures(2, 4, correct=0.75, optimised=0.5, speedup=(2 + 1.05 + 1 + 1.2) / 4)
        assert pie_figures(tasks, 8).speedup == pytest.approx((3 + 1.05 + 1 + 1.2) / 4)
        assert pie_figures(tasks, 8, threshold=2.5).optimised == 0.25
        assert pie_figures({}, 8) == PieFigures(8, 0, 0.0, 0.0, 0.0)

    def test_the_best_is_never_below_what_was_there(self) -> None:
        assert best([], 3) == best([None], 3) == 1.0
        assert pie_figures({"a": [0.2]}, 1).speedup == 1.0

    def test_an_episode_as_samples(self) -> None:
        steps = tuple(
            Step("c", None, 1, "llm", (), outcome, speedup=speedup)
            for outcome, speedup in (
                (Outcome.COMPILE_ERROR, None),
                (Outcome.CORRECT, 1.8),
                (Outcome.IDENTICAL, None),
                (Outcome.WRONG_OUTPUT, None),
            )
        )
        assert samples_of(Episode("a", "beam", 0, 8, steps, "budget", 1.0)) == [None, 1.8, 1.0, None]

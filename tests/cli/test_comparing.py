"""``maxcode bench table`` and ``maxcode bench search`` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode_lsp.benchmarks.search.journal import read_journal
from maxcode_lsp.benchmarks.table.table import write_tables
from maxcode_lsp.cli.app import app
from tests.benchmarks.table.made import table

SUMS = """#include <iostream>
#include <vector>
static long total(std::vector<long> v) { long s = 0; for (auto x : v) s += x; return s; }
int main() {
    std::vector<long> seen;
    long x = 0, sum = 0;
    while (std::cin >> x) { seen.push_back(x); if (seen.size() % 4 == 0) sum += total(seen); }
    std::cout << sum << std::endl;
}
"""
GENERATOR = "import sys\nfor n in range(int(sys.argv[2])): print((n * 7919 + int(sys.argv[1])) % 1000)\n"
GAINS = {"a": 2.0, "b": 1.5, "c": 1.0, "d": 1.0, "e": 1.1}


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("DATA", "STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    home = tmp_path / "mine"
    for name in ("one", "two"):
        (home / name).mkdir(parents=True)
        (home / name / f"{name}.cpp").write_text(SUMS)
        (home / name / "gen.py").write_text(GENERATOR)
        (home / name / "maxcode.toml").write_text("[workload]\nsize = 1000\nseconds = 0.03\n")
    return home


def with_table(home: Path) -> Path:
    write_tables(home / "table.jsonl.gz", [table(GAINS, program="one"), table(GAINS, program="two", seed=1)])
    return home


def bench(*arguments: object) -> tuple[int, str, str]:
    ended = CliRunner().invoke(app, ["bench", *map(str, arguments)], env={"COLUMNS": "160"})
    return ended.exit_code, ended.stdout, ended.stderr


def test_a_replay_for_people_and_programs(suite: Path, tmp_path: Path) -> None:
    home = with_table(suite)
    common = ("search", "--suite", home, "--replay", "--seeds", 4, "--budget", 8, "--methods", "beam, beam+maxcode")
    code, said, told = bench(*common, "--report", tmp_path / "report")
    assert code == 0, told
    assert "beam+maxcode" in said and "replaying 2 programs, 2 methods, 4 seeds" in told
    assert (tmp_path / "report" / "report.html").exists()
    code, said, _ = bench(*common, "--json")
    found = json.loads(said)
    assert [one["method"] for one in found["methods"]] == ["beam", "beam+maxcode"]
    assert found["methods"][0]["searches"] == 8
    assert found["about"]["room"].keys() == {"one", "two"}
    assert found["about"]["command"].startswith("maxcode")


def test_real_searches_go_on_where_they_ended(suite: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    common = ("search", "--suite", suite, "--only", "one", "--budget", 3, "--journal", journal, "--json")
    code, said, told = bench(*common, "--seeds", 1, "--methods", "beam@2+maxcode")
    assert code == 0, told
    (first,) = json.loads(said)["methods"]
    assert (first["searches"], first["troubles"]) == (1, 0)
    assert first["candidates"] == 3
    size = journal.stat().st_size
    assert bench(*common, "--seeds", 1, "--methods", "beam@2+maxcode")[0] == 0
    assert journal.stat().st_size == size, "nothing is done twice"
    code, said, _ = bench(*common, "--seeds", 1, "--methods", "beam@2+maxcode,best-of-n")
    assert [one["method"] for one in json.loads(said)["methods"]] == ["beam@2+maxcode", "best-of-n"]
    _, episodes = read_journal(journal)
    assert len(episodes) == 2
    assert all(step.value >= 1 and step.at_s > 0 for episode in episodes for step in episode.steps)
    assert max(step.value for episode in episodes for step in episode.steps) > 1.2


def test_what_cannot_be_judged_is_trouble_and_the_others_are_done(suite: Path) -> None:
    (suite / "one" / "one.cpp").write_text("int main() { return syntax error; }\n")
    code, said, _ = bench("search", "--suite", suite, "--budget", 2, "--seeds", 1, "--methods", "beam@2", "--json")
    assert code == 0
    (method,) = json.loads(said)["methods"]
    assert (method["searches"], method["troubles"]) == (1, 1)


def test_a_table_is_made_once(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode_lsp.benchmarks.table.building.BRANCHES", (2, 1, 1))
    monkeypatch.setattr("maxcode_lsp.benchmarks.table.building.MOST_VERSIONS", (2, 1, 1))
    monkeypatch.setattr("maxcode_lsp.benchmarks.table.building.CRITIQUED", 1)
    (suite / "two" / "two.cpp").write_text("int main() { return syntax error; }\n")
    code, _, told = bench("table", "--suite", suite)
    assert code == 1 and "does not compile" in told and "one: 5 versions" in told
    made = (suite / "table.jsonl.gz").read_bytes()
    code, _, told = bench("table", "--suite", suite, "--only", "one")
    assert (code, told) == (0, "")
    assert (suite / "table.jsonl.gz").read_bytes() == made
    assert "has no two" in bench("search", "--suite", suite, "--replay", "--seeds", 1)[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--suite", "nowhere"), "There is no suite “nowhere”"),
        (("--methods", "magic"), "“magic” is no method"),
        (("--methods", "beam+wings"), "“beam+wings” is no method"),
        (("--replay",), "There is no replay table at"),
        (("--replay", "--model", "local"), "a model cannot propose on it"),
        (("--methods", "openevolve"), "needs a Python that has it"),
        (("--only", "three"), "has no three"),
    ],
)
def test_what_cannot_be_compared_is_told(suite: Path, arguments: tuple[str, ...], said: str) -> None:
    given = ("--suite", str(suite), *arguments) if "--suite" not in arguments else arguments
    code, out, told = bench("search", *given)
    assert (code, out) == (1, "")
    assert said in told and "Traceback" not in told

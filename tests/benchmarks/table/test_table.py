from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.benchmarks.table.building import build_table
from maxcode_lsp.benchmarks.table.table import read_tables, write_tables
from maxcode_lsp.engine.load import load
from maxcode_lsp.records import Outcome
from maxcode_lsp.settings import Settings, WorkloadSettings
from tests.benchmarks.table.made import table

PROGRAM = """#include <iostream>
#include <string>
#include <vector>
static long total(std::vector<long> v) { long s = 0; for (auto x : v) s += x; return s; }
int main() {
    std::vector<long> seen;
    long x = 0, sum = 0;
    while (std::cin >> x) {
        seen.push_back(x);
        if (seen.size() % 4 == 0) sum += total(seen);
        std::cout << sum % 1009 << std::endl;
    }
    std::cout << sum << std::endl;
}
"""
GENERATOR = "import sys\nfor n in range(int(sys.argv[2])): print((n * 7919 + int(sys.argv[1])) % 1000)\n"


def test_a_file_holds_what_was_written_and_the_same_bytes(tmp_path: Path) -> None:
    tables = [table({"a": 2.0, "b": 1.0}), table({"c": 3.0}, program="other", broken=frozenset("c"))]
    one, other = tmp_path / "one.gz", tmp_path / "deep" / "other.gz"
    write_tables(one, tables)
    write_tables(other, tables)
    assert read_tables(one) == tables
    assert one.read_bytes() == other.read_bytes()


async def test_a_table_of_a_real_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each set of rewrites once, whatever the order: the tree that a search could walk."""
    monkeypatch.setattr("maxcode_lsp.benchmarks.table.building.BRANCHES", (4, 2, 1))
    monkeypatch.setattr("maxcode_lsp.benchmarks.table.building.MOST_VERSIONS", (4, 5, 2))
    monkeypatch.setattr("maxcode_lsp.benchmarks.table.building.CRITIQUED", 1)
    file = tmp_path / "sums.cpp"
    file.write_text(PROGRAM)
    (tmp_path / "gen.py").write_text(GENERATOR)
    settings = Settings(workload=WorkloadSettings(size=500, seconds=0.03))
    told: list[str] = []
    made = await build_table("sums", await load(file, settings), settings, tmp_path / "cache", told.append)
    ids = [version.id for version in made.versions]
    assert len(ids) == len(set(ids)) <= 12 and ids[0] == ""
    assert {version.depth for version in made.versions} >= {0, 1, 2}
    assert len(told) == 3
    right = [version for version in made.versions if version.outcome is Outcome.CORRECT]
    assert all(len(version.ratios) == made.pairs for version in right)
    assert all(version.overhead is not None and version.overhead.peak_bytes > 10**5 for version in right)
    assert all(version.cost_s > 0 for version in made.versions[1:])
    reachable = {child.node for version in made.versions for child in version.children}
    assert reachable == set(ids) - {""}
    assert made.room > 1.2, "the copy in each call is there to be found"
    assert made.versions[0].findings and made.versions[0].hot

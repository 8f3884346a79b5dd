from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.unit import Unit
from tests.policy.conftest import ProgramAlike

from .conftest import HoldsBack


def test_flat_table(program_alike: ProgramAlike) -> None:
    text = """#include <iostream>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
int main() {
    std::map<int, long long> sums;
    std::unordered_map<long long, std::string> names;
    std::set<int> seen;
    std::map<std::pair<int, int>, int> grid;
    long long total = 0;
    for (int i = -3000; i < 3000; ++i) {
        sums[i * 7 % 501] += i;
        sums[i] = sums[i - 1] + sums[-i % 97];
        names[i % 50] += "x";
        if (seen.insert(i % 40).second) total += i;
        if (seen.count(i)) total += 1;
        grid[{i % 40, i % 9}] += 1;
        grid[std::make_pair(i, -i)]++;
        total += grid.erase({i - 3, 3 - i}) + grid.count({3, -i % 4});
        if (i % 3 == 0) { total += sums.erase(i / 2); seen.erase(i % 11); }
        auto at = sums.find(i * 2);
        if (at != sums.end()) total += at->second % 1000;
    }
    for (int i = -3000; i < 3000; ++i) total = total * 31 + sums.count(i) * 7 + (sums.count(i) ? sums.at(i) : 1);
    std::cout << total << ' ' << sums.size() << ' ' << seen.size() << names[3] << names.size() << names.empty();
    std::cout << ' ' << grid.size() << grid[{3, 3}] << ' ';
    sums.clear();
    std::cout << sums.size() << sums[4] << '\\n';
}
"""
    changed = program_alike("flat-table", text)
    assert "FlatMap<int, long long> sums;" in changed
    assert "FlatSet<int> seen;" in changed
    assert "FlatMap<std::pair<int, int>, int> grid;" in changed


def test_pair_hash(program_alike: ProgramAlike) -> None:
    text = """#include <iostream>
#include <map>
#include <set>
int main() {
    std::map<std::pair<int, int>, int> grid;
    std::set<std::pair<long long, int>> seen;
    int hits = 0;
    for (int i = 0; i < 900; ++i) {
        grid[{i % 30, i * i % 31}] += i;
        hits += seen.insert({i % 7, -i % 11}).second;
    }
    if (grid.find({3, 9}) != grid.end()) ++hits;
    std::cout << grid.size() << ' ' << hits << ' ' << grid[{1, 1}] << '\\n';
}
"""
    assert "std::unordered_map<std::pair<int, int>, int, PairHash> grid" in program_alike("pair-hash", text)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("flat-table", 'void f() { map<string, int> m; m["a"] = 1; }'),
        ("flat-table", "void f() { map<int, int> m; auto& r = m[1]; m[2] = r; }"),
        ("flat-table", "void f() { map<int, string> m; m[1] = m[2]; }"),
        ("flat-table", "void f() { map<int, vector<int>> m; for (auto& x : m[1]) m[x]; }"),
        ("flat-table", "void f() { map<int, int> m; for (auto& p : m) s += p.second; }"),
        ("flat-table", "void f() { map<int, int> m; m.lower_bound(1); }"),
        ("flat-table", "void f() { map<int, int> m{{1, 2}}; m[1]++; }"),
        ("pair-hash", 'void f() { map<pair<int, string>, int> m; m[{1, ""}]++; }'),
        ("pair-hash", "void f() { map<pair<int, int>, int> m; for (auto& p : m) cout << p.second; }"),
        ("pair-hash", "void f() { set<pair<int, int>, C> m; m.insert({1, 2}); }"),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)


def test_all_tables_of_a_unit_share_one_class():
    unit = Unit(b"#include <map>\nstd::map<int, int> a;\nstd::map<int, int> b;\nint main() { return a[1] + b[2]; }\n")
    [rewrite] = RULES["flat-table"].find(unit)
    assert apply(unit.data, rewrite.hunks).count(b"class FlatMap") == 1

from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.unit import Unit

HEAD = """#include <algorithm>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <vector>
using namespace std;
"""

SNIPPETS = {
    "unordered-container": """
struct Log { map<string, long long> totals; void add(const string& k, int v) { totals[k] += v; } };
int main() {
    map<int, int> count, other;
    std::set<string> seen;
    Log log;
    long long sum = 0;
    for (int i = 0; i < 50; ++i) {
        count[i % 7]++;
        other[i] = i;
        seen.insert(to_string(i % 5));
        log.add(to_string(i % 3), i);
        if (auto at = count.find(i); at != count.end()) sum += at->second;
    }
    for (const auto& [key, value] : other) sum += key * value;
    cout << sum << ' ' << count[3] << seen.size() << seen.count("4") << log.totals.at("1");
}
""",
    "unordered-everywhere": """
void fill(map<string, int>& m, const set<int>& s) { for (int x : s) m[to_string(x)] += x; }
int main() {
    map<string, int> m;
    set<int> s;
    for (int i = 0; i < 9; ++i) s.insert(i / 2);
    fill(m, s);
    cout << m["3"] << m.size();
}
""",
    "hash-reserve": """
int main() {
    unordered_map<int, int> m;
    for (int i = 0; i < 99; ++i) m[i * i]++;
    cout << m.size() << m[4];
}
""",
    "character-table": """
int main() {
    map<char, int> count;
    for (char c : string("hello w\\xe9rld")) count[c]++;
    cout << count['l'] << count['z'] << count['\\xe9'];
}
""",
}


def test_snippets_behave_alike(behaves_alike):
    behaves_alike({rule: HEAD + text for rule, text in SNIPPETS.items()})


def test_needed_headers_are_included():
    unit = Unit(b"#include <map>\nint main() { std::map<int, int> m; m[1] = 2; }\n")
    [rewrite] = RULES["unordered-container"].find(unit)
    assert b"#include <unordered_map>\n" in apply(unit.data, rewrite.hunks)
    assert b"std::unordered_map<int, int> m" in apply(unit.data, rewrite.hunks)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("unordered-container", "void f() { map<int, int> m; for (auto& p : m) cout << p.first; }"),
        ("unordered-container", "void f() { map<int, int> m; m.lower_bound(3); }"),
        ("unordered-container", "void f() { map<int, int> m; m.begin()->second++; }"),
        ("unordered-container", "void f() { map<int, int> m; g(m); }"),
        ("unordered-container", "void f() { map<int, int> m; auto& n = m; n[1] = 1; }"),
        ("unordered-container", "void f() { map<pair<int, int>, int> m; m[{1, 2}] = 1; }"),
        ("unordered-container", "void f() { map<int, int, greater<int>> m; m[1] = 1; }"),
        ("unordered-container", "void f() { set<int> m; auto it = m.find(1); ++it; }"),
        ("unordered-container", "#define USE(x) for (auto y : m) x += y\nvoid f() { set<int> m; m.insert(1); }"),
        ("unordered-container", "void f(map<int, int>& m) { m[1] = 1; }"),
        ("unordered-everywhere", "void f(set<int>& a, set<int>& b) { for (int x : a) cout << x; }"),
        ("hash-reserve", "void f() { unordered_map<int, int> m; m.reserve(9); m[1]++; }"),
        ("hash-reserve", "void f() { for (;;) { unordered_map<int, int> m; m[1]++; } }"),
        ("character-table", "void f() { map<char, int> m; for (auto& p : m) g(p); }"),
        ("character-table", "void f() { map<char, int> m = {{'a', 1}}; m['b']++; }"),
    ],
)
def test_held_back(holds_back, rule, text):
    holds_back(rule, text)

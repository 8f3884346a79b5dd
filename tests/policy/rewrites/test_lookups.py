from __future__ import annotations

import pytest

HEAD = """#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
using namespace std;
"""

SNIPPETS = {
    "count-then-index": """
int main() {
    map<string, int> m{{"a", 1}, {"b", 2}};
    unordered_map<int, int> u{{1, 5}};
    int sum = 0;
    for (string k : {"a", "b", "c"}) {
        if (m.count(k)) sum += m[k];
        if (m.find(k) != m.end()) { m[k]++; sum += m[k] * 10; }
    }
    for (int i = 0; i < 3; ++i) if (u.count(i) > 0) sum += u[i];
    cout << sum << m["a"] << m.size() << u.size();
}
""",
    "one-lookup": """
int main() {
    map<string, int> m;
    map<int, pair<int, int>> best;
    for (int i = 0; i < 9; ++i) {
        string k = to_string(i % 3);
        m[k] = m[k] * 2 + i;
        if (best[i % 2 ? 1 : 0].first < 3) cout << "";
        int j = i % 2;
        if (best[j].first < i) best[j].first = i;
    }
    for (auto& [k, v] : m) cout << k << v << ' ';
    cout << best[0].first << best[1].first;
}
""",
}


def test_snippets_behave_alike(behaves_alike):
    behaves_alike({rule: HEAD + text for rule, text in SNIPPETS.items()})


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("count-then-index", "void f(map<int, int> m, int k) { if (m.count(k)) { k++; g(m[k]); } }"),
        ("count-then-index", "void f(map<int, int> m, int k) { if (m.count(k)) { m.erase(k); g(m[k]); } }"),
        ("count-then-index", "void f(map<int, int> m, int k) { if (m.count(k)) g(m[k]); else m[k] = 1; }"),
        ("count-then-index", "void f(multiset<int> m, int k) { if (m.count(k)) g(m[k]); }"),
        ("one-lookup", "void f(map<int, int> m, int k) { m[k] = m[k + 1]; }"),
        ("one-lookup", "void f(map<int, int> m, int k) { g(a ? m[k] : 0, m[k]); }"),
        ("one-lookup", "void f(map<int, int> m, int k) { if (g()) m[k] = m[k] + 1; }"),
        ("one-lookup", "void f(vector<int> m, int k) { m[k] = m[k] + 1; }"),
        ("one-lookup", "void f(map<int, int> m, int k) { m[k] = m[k] + (k = 3); }"),
        ("one-lookup", "void f(map<int, int> m, int k) { m[k] = m[k] + m.erase(k); }"),
    ],
)
def test_held_back(holds_back, rule, text):
    holds_back(rule, text)

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
    "contiguous-sequence": """
int main() {
    list<int> l;
    deque<string> d;
    for (int i = 0; i < 9; ++i) { l.push_back(i); d.push_back(to_string(i)); }
    int sum = 0;
    for (int x : l) sum = sum * 2 + x;
    l.pop_back();
    cout << sum << l.size() << l.back() << d[3] << d.front();
}
""",
    "stack-vector": """
int main() {
    stack<int> s;
    std::stack<pair<int, string>> t;
    for (int i = 0; i < 9; ++i) { s.push(i); t.push({i, "x"}); }
    while (!s.empty()) { cout << s.top() << t.top().first; s.pop(); t.pop(); }
}
""",
    "vector-bool": """
int main() {
    vector<bool> composite(50);
    vector<vector<bool>> grid(3, vector<bool>(4, true));
    int count = 0;
    for (int i = 2; i < 50; ++i) {
        if (composite[i]) continue;
        ++count;
        for (int j = i * i; j < 50; j += i) composite[j] = true;
    }
    cout << count << (grid[1][2] ? "yes" : "no");
}
""",
    "reserve-before-loop": """
int main() {
    int n = 30;
    vector<int> v, w;
    for (int i = 0; i < n; ++i) v.push_back(i);
    for (int x : v) if (x % 2) w.push_back(x);
    cout << v.size() << w.size() << w.back();
}
""",
    "deque-for-front": """
int main() {
    vector<int> q;
    q.reserve(10);
    for (int i = 0; i < 10; ++i) q.push_back(i);
    while (!q.empty()) { cout << q[0]; q.erase(q.begin()); if (q.size() == 5) q.insert(q.begin(), 77); if (q.size() == 6) q.pop_back(), q.pop_back(); }
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
        ("contiguous-sequence", "void f() { list<int> l; l.push_front(1); }"),
        ("contiguous-sequence", "void f() { deque<int> d; d.pop_front(); }"),
        ("contiguous-sequence", "void f() { list<int> l; g(l); }"),
        ("stack-vector", "void f() { stack<int, vector<int>> s; }"),
        ("vector-bool", "void f() { vector<bool> v; v.flip(); }"),
        ("vector-bool", "void f() { vector<bool> v(3); cout << v[1]; }"),
        ("reserve-before-loop", "void f(int n) { vector<int> v; v.reserve(n); for (int i = 0; i < n; ++i) v.push_back(i); }"),
        ("reserve-before-loop", "void f() { vector<int> v; for (int i = 0; g(i); ++i) v.push_back(i); }"),
        ("deque-for-front", "void f() { vector<int> v; v.erase(v.begin()); g(v.data()); }"),
        ("deque-for-front", "void f() { vector<int> v; v.erase(v.end() - 1); }"),
        ("character-table", "void f() { map<char, int> m; for (auto& p : m) g(p); }"),
        ("character-table", "void f() { map<char, int> m = {{'a', 1}}; m['b']++; }"),
    ],
)
def test_held_back(holds_back, rule, text):
    holds_back(rule, text)

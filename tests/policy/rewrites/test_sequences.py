from __future__ import annotations

import pytest

HEAD = """#include <deque>
#include <iostream>
#include <list>
#include <stack>
#include <string>
#include <vector>
using namespace std;
"""

SNIPPETS = {
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
}


def test_snippets_behave_alike(behaves_alike):
    behaves_alike({rule: HEAD + text for rule, text in SNIPPETS.items()})


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("contiguous-sequence", "void f() { list<int> l; l.push_front(1); }"),
        ("contiguous-sequence", "void f() { deque<int> d; d.pop_front(); }"),
        ("contiguous-sequence", "void f() { list<int> l; g(l); }"),
        ("stack-vector", "void f() { stack<int, vector<int>> s; }"),
        ("vector-bool", "void f() { vector<bool> v; v.flip(); }"),
        ("vector-bool", "void f() { vector<bool> v(3); cout << v[1]; }"),
        (
            "reserve-before-loop",
            "void f(int n) { vector<int> v; v.reserve(n); for (int i = 0; i < n; ++i) v.push_back(i); }",
        ),
        ("reserve-before-loop", "void f() { vector<int> v; for (int i = 0; g(i); ++i) v.push_back(i); }"),
        ("deque-for-front", "void f() { vector<int> v; v.erase(v.begin()); g(v.data()); }"),
        ("deque-for-front", "void f() { vector<int> v; v.erase(v.end() - 1); }"),
    ],
)
def test_held_back(holds_back, rule, text):
    holds_back(rule, text)

from __future__ import annotations

import pytest

HEAD = """#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
struct Item { int key; string name; };
vector<int> values(int n) { vector<int> v; unsigned x = 7; while (n--) { x = x * 1103515245 + 12345; v.push_back(x >> 16 & 1023); } return v; }
"""

SNIPPETS = {
    "comparator-references": """
bool shorter(string a, string b) { return a.size() < b.size() || (a.size() == b.size() && a < b); }
int main() {
    vector<Item> items;
    for (int v : values(40)) items.push_back({v, to_string(v)});
    sort(items.begin(), items.end(), [](Item a, const Item b) { return a.key < b.key; });
    vector<string> names;
    for (auto& i : items) names.push_back(i.name);
    sort(names.begin(), names.end(), shorter);
    for (auto& n : names) cout << n << ' ';
}
""",
    "stable-to-plain-sort": """
int main() {
    vector<int> v = values(40);
    std::stable_sort(v.begin(), v.end());
    for (int x : v) cout << x << ' ';
}
""",
    "partial-sort: loop": """
int main() {
    vector<int> v = values(40);
    int k = 5;
    sort(v.begin(), v.end(), greater<int>());
    for (int i = 0; i < k; i++) cout << v[i] << ' ';
    cout << v.size();
}
""",
    "partial-sort: median": """
int main() {
    vector<int> v = values(41);
    std::sort(v.begin(), v.end());
    cout << v[v.size() / 2];
}
""",
    "partial-sort: resize": """
int main() {
    vector<int> v = values(41);
    sort(v.begin(), v.end());
    v.resize(3);
    cout << v[0] + 0;
}
""",
    "sort-before-loop": """
int main() {
    vector<int> v = values(40);
    int sum = 0;
    for (int i = 0; i < 20; ++i) {
        sort(v.begin(), v.end());
        sum = sum * 3 + v[i];
    }
    cout << sum;
}
""",
    "insert-in-order": """
int main() {
    vector<int> v;
    int sum = 0;
    for (int x : values(40)) {
        v.push_back(x);
        sort(v.begin(), v.end());
        sum = sum * 3 + v[v.size() / 2];
    }
    cout << sum;
}
""",
    "hand-sort: bubble": """
int main() {
    vector<int> v = values(40);
    int n = v.size();
    for (int i = 0; i < n - 1; i++) {
        for (int j = 0; j < n - i - 1; j++) {
            if (v[j] > v[j + 1]) swap(v[j], v[j + 1]);
        }
    }
    for (int x : v) cout << x << ' ';
}
""",
    "hand-sort: exchange, falling, array": """
int main() {
    int a[40];
    for (int i = 0; i < 40; ++i) a[i] = values(40)[i];
    for (int i = 0; i < 40; i++)
        for (int j = i + 1; j < 40; j++)
            if (a[i] < a[j]) { int t = a[i]; a[i] = a[j]; a[j] = t; }
    for (int x : a) cout << x << ' ';
}
""",
    "hand-sort: by key": """
int main() {
    vector<Item> v;
    for (int x : values(40)) v.push_back({x / 100, to_string(x)});
    for (size_t i = 0; i < v.size(); ++i)
        for (size_t j = 0; j + 1 < v.size() - i; ++j)
            if (v[j + 1].key < v[j].key) {
                Item temp = v[j];
                v[j] = v[j + 1];
                v[j + 1] = temp;
            }
    for (auto& x : v) cout << x.name << ' ';
}
""",
}


def test_snippets_behave_alike(behaves_alike):
    behaves_alike({rule: HEAD + text for rule, text in SNIPPETS.items()})


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "comparator-references",
            "void f(vector<string> v) { sort(v.begin(), v.end(), [](string a, string b) { a += b; b = a; return a < b; }); }",
        ),
        (
            "comparator-references",
            "void f(vector<int> v) { sort(v.begin(), v.end(), [](int a, int b) { return a > b; }); }",
        ),
        ("comparator-references", "bool less(string a, string b) { return a < b; }"),
        ("stable-to-plain-sort", "void f(vector<int> v) { sort(v.begin(), v.end()); }"),
        ("partial-sort", "void f(vector<int> v) { sort(v.begin(), v.end()); for (int x : v) g(x); }"),
        ("partial-sort", "void f(vector<int> v) { sort(v.begin(), v.end()); g(v); }"),
        ("partial-sort", "void f(vector<int>& v) { sort(v.begin(), v.end()); g(v[0]); }"),
        ("sort-before-loop", "void f(vector<int> v) { for (;;) { sort(v.begin(), v.end()); v.push_back(1); } }"),
        ("sort-before-loop", "void f(vector<int> v) { for (;;) { g(v[0]); sort(v.begin(), v.end()); } }"),
        ("sort-before-loop", "void f() { for (;;) { vector<int> v; sort(v.begin(), v.end()); } }"),
        ("insert-in-order", "void f(vector<int> v) { v.push_back(1); g(); sort(v.begin(), v.end()); }"),
        (
            "hand-sort",
            "void f(int* a, int n) { for (int i = 1; i < n; i++) for (int j = 0; j < n - 1; j++) if (a[j] > a[j + 1]) swap(a[j], a[j + 1]); }",
        ),
        (
            "hand-sort",
            "void f(int* a, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n - 1; j++) if (a[j] > a[i]) swap(a[j], a[j + 1]); }",
        ),
        (
            "hand-sort",
            "void f(int* a, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n - 1; j++) if (a[j] > a[j + 1]) { swap(a[j], a[j + 1]); c++; } }",
        ),
    ],
)
def test_held_back(holds_back, rule, text):
    holds_back(rule, text)

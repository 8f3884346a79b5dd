from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.unit import Unit

HEAD = """#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
"""

SNIPPETS = {
    "set-beside-vector: local": """
int main() {
    vector<int> seen;
    vector<string> words = {"a", "b"};
    int fresh = 0;
    for (int i = 0; i < 40; ++i) {
        int v = i * i % 17;
        if (find(seen.begin(), seen.end(), v) == seen.end()) {
            seen.push_back(v);
            ++fresh;
        }
        if (std::find(words.begin(), words.end(), to_string(i % 3)) != words.end()) fresh += 100;
        else words.push_back(to_string(i % 3));
        if (count(seen.begin(), seen.end(), 3) > 0) fresh += 1000;
        if (i == 30) seen.clear();
    }
    sort(seen.begin(), seen.end());
    for (int v : seen) cout << v << ' ';
    cout << fresh << words.size() << seen[0];
}
""",
    "set-beside-vector: parameter": """
int known(const vector<int>& all, int n) {
    int count = 0;
    for (int i = 0; i < n; ++i) if (find(all.begin(), all.end(), i) != all.end()) ++count;
    return count;
}
int main() { cout << known({1, 5, 9, 100}, 50); }
""",
    "set-beside-vector: field": """
class Registry {
    vector<string> names;
public:
    bool has(const string& n) const { return find(names.begin(), names.end(), n) != names.end(); }
    void add(const string& n) { if (!has(n)) this->names.push_back(n); }
    size_t size() const { return names.size(); }
};
int main() {
    Registry r;
    for (int i = 0; i < 30; ++i) r.add(to_string(i % 7));
    cout << r.size();
}
""",
}


def test_snippets_behave_alike(behaves_alike):
    behaves_alike({rule: HEAD + text for rule, text in SNIPPETS.items()})


def test_the_set_is_qualified_and_included():
    unit = Unit(
        b"#include <vector>\nvoid f(int n) {\n    std::vector<std::string> v;\n"
        b"    for (;;) if (std::find(v.begin(), v.end(), g(n)) == v.end()) v.push_back(g(n));\n}\n"
    )
    [rewrite] = RULES["set-beside-vector"].find(unit)
    text = apply(unit.data, rewrite.hunks).decode()
    assert "#include <unordered_set>\n" in text
    assert "    std::unordered_set<std::string> v_set;\n" in text
    assert "if (v_set.count(g(n)) == 0) v.push_back(g(n)), v_set.insert(v.back());" in text


@pytest.mark.parametrize(
    "use",
    [
        "v[0] = 3;",
        "v.pop_back();",
        "v.erase(v.begin());",
        "for (int& x : v) x++;",
        "int& r = v[0]; r = 3;",
        "g(v);",
        "v = w;",
        "auto it = v.begin(); *it = 1;",
    ],
)
def test_held_back(holds_back, use):
    found = "for (;;) if (find(v.begin(), v.end(), 3) == v.end()) v.push_back(3);"
    holds_back("set-beside-vector", f"void f() {{ vector<int> v; {found} {use} }}")


def test_held_back_for_a_parameter_that_may_change(holds_back):
    text = "void f(vector<int>& v) { for (;;) if (find(v.begin(), v.end(), 3) == v.end()) v.push_back(3); }"
    holds_back("set-beside-vector", text)


def test_held_back_without_a_loop(holds_back):
    holds_back("set-beside-vector", "bool f() { vector<int> v; return find(v.begin(), v.end(), 3) == v.end(); }")

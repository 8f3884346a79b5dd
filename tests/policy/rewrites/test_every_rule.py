"""What holds for every rule, on any text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.rule import FAST_INPUT, TRUSTED, Rewrite
from maxcode_lsp.policy.rewrites.unit import Unit

ROOT = Path(__file__).parents[3]

ORDINARY = """#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;
typedef long long ll;
struct Item { int key; string name; vector<int> parts; };
map<string, int> totals;
bool has(const vector<int>& v, int x) { return find(v.begin(), v.end(), x) != v.end(); }
ll power(ll b, int e) { ll r = 1; for (int i = 0; i < e; i++) r = r * b % 1000007; return r; }
int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
int main() {
    int n; cin >> n;
    vector<int> v(n), seen;
    for (int i = 0; i < n; i++) { cin >> v[i]; if (find(seen.begin(), seen.end(), v[i]) == seen.end()) seen.push_back(v[i]); }
    for (int i = 0; i < n; i++) for (int j = 0; j < n - 1; j++) if (v[j] > v[j + 1]) swap(v[j], v[j + 1]);
    string s;
    for (auto x : v) { s = s + to_string(x) + " "; totals[s.substr(0, 1)] = totals[s.substr(0, 1)] + 1; }
    if (totals.count(s)) cout << totals[s] << endl;
    double a[8][8]; for (int j = 0; j < 8; j++) for (int i = 0; i < 8; i++) a[i][j] = pow(i, 2) / j;
    sort(v.begin(), v.end()); cout << v[0] << fib(20) << power(3, 9) << s << endl;
}
"""

ODD = {
    "empty": b"",
    "one line end": b"\n",
    "garbage": bytes(range(256)) * 4,
    "no text at all": "no program: ☃ just a sentence".encode(),
    "unbalanced": b"int main() { if (x { for (int i = 0; i < n; ++i) cout << endl; vector<int> v; v.push_back(1",
    "closings": b"}}}))) int x; > > ; main(",
    "macros": b"#define FOR(i, n) for (int i = 0; i < n; ++i)\n#define endl '\\n'\n#define m map<int, int>\n"
    b"#if 0\nint main( {\n#else\nint main() { m x; FOR(i, 3) { x[i]++; cout << i << endl; } }\n#endif\n",
    "templates": b"template <template <class...> class C, class... T> struct A : C<T...> { auto operator<=>(const A&) const = default; };\n"
    b"template <class T> requires requires(T t) { t.size(); } auto f(T&& t) -> decltype(auto) { return [&]<class U>(U u) { return t[u]; }; }\n"
    b"int main() { A<std::map, int, std::vector<std::map<int, int>>> a; co_await f(a)(1); }\n",
    "no names": b"int operator+(int (*)(int), int[][3]); struct { int : 3; union { int; }; } ; int (*(*f)(int))[3]; auto [a, b] = c;",
    "stray parts": b"cin >> ; cout << ; for (;;) ; while () ; v.push_back(); s = s + ; if (m.count()) m[]; sort(); find(,,) == ;\n"
    b'printf(); scanf("%d"); printf("%"); scanf("%d", ); s.substr() == s.substr(1, 2, 3); new int[]; stack<> q; map<> r;',
    "deep": b"int main() { return " + b"(" * 3000 + b"1" + b")" * 3000 + b"; }",
    "deep blocks": b"int main() " + b"{" * 2000 + b"}" * 2000,
    "long chain": b"#include <iostream>\nint main() { std::cout" + b" << 1" * 3000 + b"; }",
    "ordinary": ORDINARY.encode(),
    "no last line end": ORDINARY.rstrip().encode(),
    "twice": (ORDINARY * 2).encode(),
}


def _check(rule_id: str, unit: Unit) -> list[Rewrite]:
    found = list(RULES[rule_id].find(unit))
    for rewrite in found:
        assert rewrite.hunks
        assert rewrite.lines
        before = 0
        for hunk in rewrite.hunks:
            assert before <= hunk.start <= hunk.end <= len(unit.data), rewrite
            before = hunk.end
        assert all(1 <= line <= unit.data.count(b"\n") + 1 for line in rewrite.lines)
    return found


@pytest.mark.parametrize("name", ODD)
def test_odd_texts(name):
    unit = Unit(ODD[name], ("-O3", "-fopenmp"))
    for rule_id in RULES:
        _check(rule_id, unit)


def test_long_files_stay_cheap_to_read():
    text = "".join(ORDINARY.replace("main", f"main{i}").replace("has", f"has{i}") for i in range(60))
    unit = Unit(text.encode())
    assert text.count("\n") > 1000
    for rule_id in RULES:
        _check(rule_id, unit)


PIECES = [piece for piece in re.findall(r"\w+|\s|[^\w\s]", ORDINARY) if piece.strip()]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damaged_texts(data):
    """Any part of an ordinary program cut out, doubled or mixed up: no rule raises or points outside."""
    start = data.draw(st.integers(0, len(ORDINARY)))
    end = data.draw(st.integers(start, len(ORDINARY)))
    middle = data.draw(
        st.one_of(
            st.just(""), st.just(ORDINARY[start:end] * 2), st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)
        )
    )
    unit = Unit((ORDINARY[:start] + middle + ORDINARY[end:]).encode())
    for rule_id in RULES:
        _check(rule_id, unit)


@pytest.mark.parametrize("rule_id", RULES)
def test_is_told_and_tested(rule_id):
    rule = RULES[rule_id]
    page = (ROOT / "docs" / "rewrites" / f"{rule.family}.md").read_text()
    assert re.search(rf"^## {rule_id}$", page, re.M), f"docs/rewrites/{rule.family}.md has no section “{rule_id}”"
    assert f'"{rule_id}' in (Path(__file__).parent / f"test_{rule.family}.py").read_text()
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule_id)
    assert rule.gain > 1.0
    assert rule.rationale.endswith(".")


def test_marks_name_rules():
    assert set(RULES) >= TRUSTED | FAST_INPUT


def test_finding_kinds_exist():
    from maxcode_lsp.critique.kinds import Kind

    known = {kind.value for kind in Kind}
    for rule in RULES.values():
        assert known.issuperset(rule.finding_kinds), rule.id
